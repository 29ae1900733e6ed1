package plots

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestPDF_ObjectTable(t *testing.T) {
	c := newPDF(100, 50)
	c.SetColor(color.NRGBA{255, 0, 0, 128})
	c.DrawImage(vg.Rectangle{Max: vg.Point{X: 10, Y: 10}}, image.NewNRGBA(image.Rect(0, 0, 2, 3)))
	var b bytes.Buffer
	if err := c.write(&b, "α"); err != nil {
		t.Fatal(err)
	}
	document := b.String()
	start := regexp.MustCompile(`startxref\n(\d+)\n%%EOF\n$`).FindStringSubmatch(document)
	if start == nil {
		t.Fatalf("no end: %q", document[len(document)-40:])
	}
	at, _ := strconv.Atoi(start[1])
	entries := regexp.MustCompile(`(\d{10}) 00000 n `).FindAllStringSubmatch(document[at:], -1)
	if len(entries) != 6 {
		t.Fatalf("%d objects in the table, want 6", len(entries))
	}
	for i, entry := range entries {
		offset, _ := strconv.Atoi(entry[1])
		if want := fmt.Sprintf("%d 0 obj\n", i+1); !strings.HasPrefix(document[offset:], want) {
			t.Errorf("object %d is not at its offset", i+1)
		}
	}
	for _, want := range []string{"/MediaBox [0 0 100 50]", "/Title <FEFF03B1>", "/Width 2 /Height 3", "/ca 0.502"} {
		if !strings.Contains(document, want) {
			t.Errorf("no %q in the document", want)
		}
	}
	if strings.Contains(document, "Date") {
		t.Error("the document carries a date")
	}
}

func TestPDF_Paths(t *testing.T) {
	c := newPDF(10, 10)
	c.content.Reset()
	var path vg.Path
	path.Move(vg.Point{X: 0, Y: 0})
	path.Line(vg.Point{X: 3, Y: 0})
	path.QuadTo(vg.Point{X: 3, Y: 3}, vg.Point{X: 0, Y: 3})
	path.Close()
	c.Push()
	c.Translate(vg.Point{X: 1.25, Y: -1e-9})
	c.Rotate(math.Pi / 2)
	c.Scale(2, -1)
	c.Fill(path)
	c.Pop()
	want := "q\n1 0 0 1 1.25 0 cm\n0 1 -1 0 0 0 cm\n2 0 0 -1 0 0 cm\n0 0 m\n3 0 l\n3 2 2 3 0 3 c\nh\nf\nQ\n"
	if got := c.content.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestPDF_ImagePixels(t *testing.T) {
	img := image.NewNRGBA(image.Rect(5, 5, 7, 6))
	img.Set(5, 5, color.NRGBA{1, 2, 3, 255})
	img.Set(6, 5, color.NRGBA{4, 5, 6, 255})
	if got := rgbBytes(img); !bytes.Equal(got, []byte{1, 2, 3, 4, 5, 6}) {
		t.Errorf("pixels %v", got)
	}
	packed := stream("", []byte("content"))
	_, body, _ := strings.Cut(packed, "stream\n")
	reader, err := zlib.NewReader(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(reader); err != nil || string(got) != "content" {
		t.Errorf("content %q, %v", got, err)
	}
}
