package kernelext

import (
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

const runsFile = "method,score (%),n,good,note\nDELETE,.5,3,1,\nNG,,4,0,\"a, b\"\n"

func writeRuns(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "runs.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadCSV(t *testing.T) {
	type run struct {
		Method string
		Score  float64 `column:"score (%)"`
		N      int
		Good   bool
		Note   string
		Secret func() `column:"-"`
	}
	csv := ReadCSV(writeRuns(t, runsFile))
	parquet := filepath.Join(t.TempDir(), "runs.parquet")
	err := safefile.WriteParquet(parquet, []safefile.Column{{Name: "method", Texts: []string{"DELETE", "NG"}},
		{Name: "score (%)", Values: []float64{.5, math.NaN()}}, {Name: "n", Values: []float64{3, 4}},
		{Name: "good", Values: []float64{1, 0}}, {Name: "note", Texts: []string{"", "a, b"}}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]Columns{"CSV": csv, "Parquet": ReadParquet(parquet)} {
		if got := strings.Join(c.Names(), " "); got != "method score (%) n good note" || c.Len() != 2 {
			t.Errorf("%s: %d rows of %s", name, c.Len(), got)
		}
		if got := c.Numbers("Score (%)"); got[0] != .5 || !math.IsNaN(got[1]) {
			t.Errorf("%s: got %v, want [0] .5, [1] NaN", name, got)
		}
		if got := c.Words("n"); got[1] != "4" {
			t.Errorf(`%s: got %q, want [1] "4"`, name, got)
		}
		rows := Rows[run](c)
		if rows[0].Method != "DELETE" || rows[0].N != 3 || !rows[0].Good || rows[1].Good || rows[1].Note != "a, b" ||
			!math.IsNaN(rows[1].Score) {
			t.Errorf(`%s: got %+v, want [0].Method "DELETE", [0].N 3, [0].Good true, [1].Good false, [1].Note `+
				`"a, b", [1].Score NaN`,
				name, rows)
		}
		if text, _ := printed(t, func() { Show(c) }); !strings.Contains(text, "DELETE") {
			t.Errorf(`%s: got %s, want "DELETE" in it`, name, text)
		}
	}
}

func TestColumns_Misfit(t *testing.T) {
	path := writeRuns(t, runsFile)
	tests := []struct {
		call func()
		want string
	}{
		{func() { ReadCSV(path + "x.csv") }, "no such file"},
		{func() { ReadCSV(path).Numbers("scor (%)") }, `did you mean "score (%)"?`},
		{func() { ReadCSV(path).Numbers("method") }, `the column "method" holds words such as "DELETE"`},
		{func() { Rows[int](ReadCSV(path)) }, "a row is a struct"},
		{func() { Rows[struct{ Method float64 }](ReadCSV(path)) }, `column "method", row 1: "DELETE" is not a float64`},
		{func() {
			Rows[struct {
				Score int `column:"score (%)"`
			}](ReadCSV(path))
		}, "row 1: 0.5 is not a int"},
		{func() { Rows[struct{ Nothing int }](ReadCSV(path)) }, `there is no column "Nothing"`},
		{func() { Figure([]int{1}) }, "a []int is not a picture"},
		{func() { Figure(nil) }, "a <nil> is not a picture"},
	}
	for _, test := range tests {
		if got := problem(t, test.call); !strings.Contains(got, test.want) {
			t.Errorf("%q does not say %q", got, test.want)
		}
	}
}

// A table of 10,000 rows is truncated, with a note.
func TestTable_LongIsCut(t *testing.T) {
	type row struct{ I int }
	text, _ := printed(t, func() { Table(make([]row, 10_000)) })
	if lines := strings.Count(text, "\n"); lines > mostRows+10 ||
		!strings.Contains(text, "The first 300 of 10,000 rows") {
		t.Errorf("%d lines: %.200s", lines, text)
	}
	if text, _ := printed(t, func() { Table(make([]row, mostRows)) }); strings.Contains(text, "first") {
		t.Error("a table that is whole says that it is cut")
	}
	if text, _ := printed(t, func() { Show(make([]float64, 100_000)) }); len(text) > 2*mostText ||
		!strings.Contains(text, "kx.Text shows all") {
		t.Errorf("%d bytes of numbers", len(text))
	}
}

func TestShow_Image(t *testing.T) {
	small := image.NewGray(image.Rect(5, 5, 37, 21))
	small.Set(5, 5, color.White)
	p, ok := pictureOf(small)
	if !ok {
		t.Fatal("an image is not a picture")
	}
	_, width, height, err := p.PNG(2)
	if err != nil || width != 160 || height != 80 || !strings.Contains(p.AltText(), "32 × 16 pixels, shown 5 times") {
		t.Errorf(`got %d × %d, %q, %v, want width 160, height 80, "32 × 16 pixels, shown 5 times" in it`,
			width, height, p.AltText(), err)
	}
	if got := (enlarged{small, 5}).At(4, 4); got != (color.Gray{255}) {
		t.Errorf("got %v, want %v", got, (color.Gray{255}))
	}
	large, _ := pictureOf(image.NewGray(image.Rect(0, 0, 300, 200)))
	if _, width, _, err := large.PNG(2); width != 300 || err != nil {
		t.Errorf("got %d, %v, want width 300", width, err)
	}
	empty, _ := pictureOf(image.NewGray(image.Rect(0, 0, 0, 0)))
	if _, _, _, err := empty.PNG(2); err == nil {
		t.Error("nothing was drawn")
	}
}

func TestShow_Recording(t *testing.T) {
	audio := &safefile.Audio{Rate: 8000, Channels: [][]float32{{0, .5}, {.5, 0}}}
	text, _ := printed(t, func() { Show(audio) })
	if !strings.Contains(text, "channel 2: sound") {
		t.Errorf(`got %v, want "channel 2: sound" in it`, text)
	}
}
