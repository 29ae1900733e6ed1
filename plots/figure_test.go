package plots_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"encoding/xml"
	"image"
	"image/png"
	"io"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
)

// A notebook shows values that have these two methods.
var _ interface {
	PNG(scale int) (png []byte, width, height int, err error)
	AltText() string
} = (*plots.Figure)(nil)

// curve returns a small figure with everything that file formats draw differently: bands, broken lines, Greek letters.
func curve(t *testing.T) *plots.Figure {
	t.Helper()
	figure, err := plots.Draw(chart.Lines{
		Title:   "Recovery (α < β & γ)",
		Caption: "Two models.",
		X:       chart.Axis{Label: "ψ"},
		Series: []chart.Series{{Name: "θ*", X: []float64{0, .5, 1}, Y: []float64{.1, .4, .9}, Lo: []float64{0, .3, .8},
			Hi: []float64{.2, .5, 1}}},
		Targets: []chart.Target{{Name: "gold", Value: .5}},
	}.Figure())
	if err != nil {
		t.Fatal(err)
	}
	return figure
}

// patch returns a small picture of one shade.
func patch(shade uint8) image.Image {
	picture := image.NewGray(image.Rect(0, 0, 16, 16))
	for i := range picture.Pix {
		picture.Pix[i] = shade
	}
	return picture
}

func sheet(t *testing.T) *plots.Figure {
	t.Helper()
	figure, err := plots.Draw(chart.ImageGrid{Title: "Sheet",
		Images: [][]image.Image{{patch(50), patch(100)}, {patch(150), patch(200)}}}.Figure())
	if err != nil {
		t.Fatal(err)
	}
	return figure
}

func TestFigure_SameBytes(t *testing.T) {
	formats := map[string]func(*plots.Figure, io.Writer) error{
		"png": func(f *plots.Figure, w io.Writer) error { return f.WritePNG(w, 3, 2, 72) },
		"svg": func(f *plots.Figure, w io.Writer) error { return f.WriteSVG(w, 3, 2) },
		"pdf": func(f *plots.Figure, w io.Writer) error { return f.WritePDF(w, 3, 2) },
	}
	for format, write := range formats {
		for name, draw := range map[string]func(*testing.T) *plots.Figure{"curve": curve, "sheet": sheet} {
			var first []byte
			for range 5 {
				var b bytes.Buffer
				if err := write(draw(t), &b); err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = b.Bytes()
				}
				if !bytes.Equal(first, b.Bytes()) {
					t.Errorf("%s as %s differs from one drawing to the next", name, format)
					break
				}
			}
		}
	}
}

func TestPNG_Scale(t *testing.T) {
	for _, scale := range []int{1, 2, 3} {
		picture, width, height, err := curve(t).PNG(scale)
		if err != nil {
			t.Fatal(err)
		}
		config, err := png.DecodeConfig(bytes.NewReader(picture))
		if err != nil {
			t.Fatal(err)
		}
		if width != 576 || height != 384 || config.Width != 576*scale || config.Height != 384*scale {
			t.Errorf("scale %d: %d×%d pixels for a nominal %d×%d", scale, config.Width, config.Height, width, height)
		}
	}
}

// A PNG file holds its dots per metre, so that programs know its size, and can still be decoded.
func TestPNG_Density(t *testing.T) {
	var b bytes.Buffer
	if err := curve(t).WritePNG(&b, 3, 2, 192); err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(b.Bytes(), []byte("pHYs"))
	if at < 0 || at > bytes.Index(b.Bytes(), []byte("IDAT")) {
		t.Fatalf("pHYs is at %d", at)
	}
	chunk := b.Bytes()[at+4:]
	if x, y := binary.BigEndian.Uint32(chunk), binary.BigEndian.Uint32(chunk[4:]); x != 7559 || y != 7559 || chunk[8] != 1 {
		t.Errorf("%d and %d dots per unit %d, want 7559 per metre (1)", x, y, chunk[8])
	}
	if _, err := png.Decode(&b); err != nil {
		t.Error(err)
	}
}

func TestFigure_Theme(t *testing.T) {
	figure := curve(t)
	dark := figure.In(theme.Dark)
	for _, test := range []struct {
		figure *plots.Figure
		theme  theme.Theme
	}{{dark, theme.Dark}, {figure, theme.Light}} {
		var b bytes.Buffer
		if err := test.figure.WritePNG(&b, 2, 2, 50); err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(&b)
		if err != nil {
			t.Fatal(err)
		}
		for _, corner := range []image.Point{{0, 0}, {99, 0}, {0, 99}, {99, 99}} {
			r, g, bl, _ := picture.At(corner.X, corner.Y).RGBA()
			if want := test.theme.Background; uint8(r>>8) != want.R || uint8(g>>8) != want.G || uint8(bl>>8) != want.B {
				t.Errorf("%s: the page is %d,%d,%d at %v", test.theme.Name, r>>8, g>>8, bl>>8, corner)
			}
		}
	}
}

func TestSVG(t *testing.T) {
	var b bytes.Buffer
	if err := curve(t).WriteSVG(&b, 6, 4); err != nil {
		t.Fatal(err)
	}
	var document struct {
		Title string `xml:"title"`
		Desc  string `xml:"desc"`
	}
	text := b.String()
	if err := xml.Unmarshal(b.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	if document.Title != "Recovery (α < β & γ)" || document.Desc != "Line chart: Recovery (α < β & γ). Two models." {
		t.Errorf("title %q, description %q", document.Title, document.Desc)
	}
	if strings.Contains(text, "<text") || strings.Contains(text, "font") {
		t.Error("text is not drawn as outlines")
	}
}

func TestData_JSON(t *testing.T) {
	tests := []struct {
		figure *plots.Figure
		want   string
	}{
		{curve(t), `{"title":"Recovery (α < β & γ)","caption":"Two models.","x":{"label":"ψ"},"y":{"label":""},` +
			`"series":[{"name":"θ*","x":[0,0.5,1],"y":[0.1,0.4,0.9],"lo":[0,0.3,0.8],"hi":[0.2,0.5,1]}],` +
			`"targets":[{"name":"gold","value":0.5}]}`},
		{dots(t), `{"title":"","x":{"label":"d"},` +
			`"rows":[{"name":"a","value":0,"lo":-1,"hi":1,"verdict":"matched","printed":0.5}],` +
			`"region":{"name":"equal","lo":-2,"hi":2}}`},
	}
	for _, test := range tests {
		var b strings.Builder
		encoder := json.NewEncoder(&b)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(test.figure.Data()); err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(b.String()); got != test.want {
			t.Errorf("got  %s\nwant %s", got, test.want)
		}
	}
}

func dots(t *testing.T) *plots.Figure {
	t.Helper()
	figure, err := plots.Draw(chart.DotWhisker{
		X: chart.Axis{Label: "d"}, Rows: []chart.Estimate{{Name: "a", Lo: -1, Hi: 1, Verdict: chart.Matched,
			Printed: new(.5)}},
		Region: &chart.Region{Name: "equal", Lo: -2, Hi: 2},
	}.Figure())
	if err != nil {
		t.Fatal(err)
	}
	return figure
}

func TestData_Images(t *testing.T) {
	text, err := json.Marshal(sheet(t).Data())
	if err != nil {
		t.Fatal(err)
	}
	var data struct {
		Images [][]struct {
			Width, Height int
			SHA256        string
		}
	}
	if err := json.Unmarshal(text, &data); err != nil {
		t.Fatal(err)
	}
	hashes := map[string]bool{}
	for _, row := range data.Images {
		for _, img := range row {
			if img.Width != 16 || img.Height != 16 || len(img.SHA256) != 64 {
				t.Errorf("image %+v", img)
			}
			hashes[img.SHA256] = true
		}
	}
	if len(hashes) != 4 {
		t.Errorf("%d different hashes of 4 different images", len(hashes))
	}
}

func TestSizes_Refused(t *testing.T) {
	figure := curve(t)
	tests := []struct {
		name string
		err  error
	}{
		{"no width", figure.WritePNG(io.Discard, 0, 4, 96)},
		{"negative height", figure.WriteSVG(io.Discard, 6, -1)},
		{"a wall", figure.WritePDF(io.Discard, 6000, 4)},
		{"no dots", figure.WritePNG(io.Discard, 6, 4, 0)},
		{"too many pixels", figure.WritePNG(io.Discard, 50, 50, 2400)},
	}
	for _, test := range tests {
		if test.err == nil || strings.Contains(test.err.Error(), "\n") {
			t.Errorf("%s: error %v", test.name, test.err)
		}
	}
	if _, _, _, err := figure.PNG(0); err == nil {
		t.Error("a scale of 0 gives a picture")
	}
}

// Every chart must be drawable in a small column and on a large slide without a panic.
func TestSizes_Drawn(t *testing.T) {
	for _, figure := range []*plots.Figure{curve(t), sheet(t), dots(t)} {
		for _, size := range [][2]float64{{.5, .5}, {3.3, 2.2}, {.6, 20}, {20, .6}} {
			if err := figure.WriteSVG(io.Discard, size[0], size[1]); err != nil {
				t.Errorf("%s at %v: %v", figure.Title, size, err)
			}
		}
	}
}

func TestCaption_InPicture(t *testing.T) {
	figure := curve(t)
	bare := figure.Bare()
	if bare.Height >= figure.Height {
		t.Errorf("height with the caption: got %g, want more than %g", figure.Height, bare.Height)
	}
	formats := map[string]func(*plots.Figure, io.Writer) error{
		"png": func(f *plots.Figure, w io.Writer) error { return f.WritePNG(w, 6, 4, 72) },
		"svg": func(f *plots.Figure, w io.Writer) error { return f.WriteSVG(w, 6, 4) },
		"pdf": func(f *plots.Figure, w io.Writer) error { return f.WritePDF(w, 6, 4) },
	}
	for format, write := range formats {
		var with, without bytes.Buffer
		if err := write(figure, &with); err != nil {
			t.Fatal(err)
		}
		if err := write(bare, &without); err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(with.Bytes(), without.Bytes()) {
			t.Errorf("%s: the picture is the same without the caption", format)
		}
	}
}
