package kernelext

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// picture is a figure that has already been drawn.
type picture struct {
	png           []byte
	width, height int
	text          string
	err           error
}

func (p picture) PNG(scale int) ([]byte, int, int, error) { return p.png, p.width, p.height, p.err }
func (p picture) AltText() string                         { return p.text }

// printed calls show outside a notebook. It returns what show printed to both streams, and the exit code that it passed
// to exit.
func printed(t *testing.T, show func()) (text string, status int) {
	t.Helper()
	var out bytes.Buffer
	oldConsole, oldProblems, oldExit := console, problems, exit
	defer func() { console, problems, exit = oldConsole, oldProblems, oldExit }()
	console = func() io.Writer { return &out }
	problems = console
	exit = func(code int) { status = code }
	show()
	return out.String(), status
}

type effect struct {
	Name  string
	Value float64
}

type testResult struct {
	P      float64
	Effect effect
	N      int
	_      int
}

type lasting struct{ time.Duration }

func TestShowLast(t *testing.T) {
	for want, values := range map[string][]any{
		"3\n":                {3},
		"":                   {nil},
		"a\n":                {"a", nil},
		"0\nno such file\n":  {0, errors.New("no such file")},
		"func(int) bool\n":   {func(int) bool { return true }},
		"1m0s\n":             {time.Minute},
		"two lines, crossed": {picture{[]byte("\x89PNG"), 4, 3, "two lines, crossed", nil}},
		"Name":               {[]effect{{"r", .5}}},
	} {
		if got, status := printed(t, func() { ShowLast(values...) }); !strings.Contains(got, want) ||
			(want == "") != (got == "") || strings.HasSuffix(want, "\n") && got != want || status != 0 {
			t.Errorf("%v: got %q, status %d, want %q", values, got, status, want)
		}
	}
}

func TestText_OutsideNotebook(t *testing.T) {
	p := picture{[]byte("png"), 480, 320, "two lines that cross", nil}
	table := &report.Table{Corner: "method", Columns: []report.Column{{Name: "GUM"}},
		Rows: []report.Row{{Name: "FT", Cells: []report.Cell{report.Number(".517", .517)}}}}
	results := []testResult{{P: .04, Effect: effect{"d", .5}, N: 12}}
	tests := map[string]struct {
		show func()
		want string
	}{
		"figure": {func() { Figure(p) }, "two lines that cross [480×320]\n"},
		"figure without words": {func() {
			Figure(picture{png: p.png, width: 2, height: 1})
		}, "a figure without a description [2×1]\n"},
		"table":          {func() { Table(table) }, "method   GUM\n────────────\nFT      .517\n"},
		"table by value": {func() { Table(*table) }, "method   GUM\n────────────\nFT      .517\n"},
		"struct": {func() {
			Table(results[0])
		}, "testResult    value\n───────────────────\nP              0.04\nEffect.Name       d\nEffect.Value    " +
			"0.5\nN                12\n"},
		"pointer to a struct": {func() {
			Table(&effect{"d", .25})
		}, "effect  value\n─────────────\nName        d\nValue    0.25\n"},
		"slice of structs": {func() {
			Table(results)
		}, "      P  Effect.Name  Effect.Value   N\n──────────────────────────────────────\n0  0.04  d               " +
			"      0.5  12\n"},
		"slice with a nil": {func() {
			Table([]*effect{nil, {"d", 1}})
		}, "   Name  Value\n──────────────\n0  –         –\n1  d         1\n"},
		"a sound": {func() { Audio(make([]float32, 9600), 8000) }, "sound, 1.2 s at 8,000 Hz\n"},
		"a sound with words": {func() {
			Audio(make([]float32, 1000), 16000, "after", "GUM 0.816")
		}, "after GUM 0.816: sound, 0.062 s at 16,000 Hz\n"},
		"sounds side by side": {func() {
			Sounds(Sound{"before", []float32{0, 2, -1.5}, 3000}, Sound{"", make([]float32, 48000), 48000})
		}, "before: sound, 0.001 s at 3,000 Hz, 2 of 3 samples clipped\nsound, 1.0 s at 48,000 Hz\n"},
		"show sounds": {func() {
			Show(Sound{"a", make([]float32, 8000), 8000}, []Sound{{"b", make([]float32, 4000), 8000}})
		}, "a: sound, 1.0 s at 8,000 Hz\nb: sound, 0.500 s at 8,000 Hz\n"},
		"show a picture": {func() { Show(p) }, "two lines that cross [480×320]\n"},
		"show a table":   {func() { Show(table) }, "method   GUM\n────────────\nFT      .517\n"},
		"show several":   {func() { Show(1.5, "a", []int{1, 2}, nil) }, "1.5\na\n[1 2]\n<nil>\n"},
		"show structs": {func() {
			Show([]effect{{"d", 1}})
		}, "   Name  Value\n──────────────\n0  d         1\n"},
		"show what names it":    {func() { Show(lasting{time.Second}) }, "1s\n"},
		"show an error":         {func() { Show(errors.New("no")) }, "no\n"},
		"show a nil pointer":    {func() { Show((*effect)(nil)) }, "<nil>\n"},
		"markdown":              {func() { Markdown("**a**") }, "**a**\n"},
		"text":                  {func() { Printf("%d", 3) }, "3\n"},
		"an expected number":    {func() { Expect("share", .0512, .05, .01) }, "share: 0.0512\n"},
		"a value that was fine": {func() { Show(Must(3, nil)) }, "3\n"},
	}
	for name, test := range tests {
		got, status := printed(t, test.show)
		if diff := cmp.Diff(test.want, got); diff != "" || status != 0 {
			t.Errorf("%s: status %d\n%s", name, status, diff)
		}
	}
}

func TestText_Failures(t *testing.T) {
	tests := map[string]struct {
		show func()
		want string
	}{
		"a figure that fails": {func() { Figure(picture{err: errors.New("no data")}) }, "error: figure: no data\n"},
		"an empty figure":     {func() { Figure(picture{}) }, "error: figure: it drew nothing\n"},
		"an empty sound": {func() {
			Audio(nil, 8000)
		}, "error: sound: it has no samples; there is nothing to play\n"},
		"no sounds": {func() { Sounds() }, "error: sound: there is nothing to play; give samples\n"},
		"a sound with a hole": {func() {
			Sounds(Sound{"", []float32{0}, 8000}, Sound{"", []float32{0, float32(math.NaN())}, 8000})
		}, "error: sound: number 2: sample 1 is NaN; samples must be between -1 and 1\n"},
		"an endless sample": {func() {
			Audio([]float32{float32(math.Inf(-1))}, 8000, "after")
		}, "error: sound: \"after\": sample 0 is -Inf; samples must be between -1 and 1\n"},
		"a sound without a rate": {func() {
			Audio([]float32{0}, 0)
		}, "error: sound: 0 samples per second; browsers play 3,000 to 768,000\n"},
		"minutes of sound": {func() {
			Audio(make([]float32, 16000*126), 16000)
		}, "error: sound: 126 s take 4,032,000 bytes, but a display holds at most 4,000,000; show a part, or fewer " +
			"samples per second\n"},
		"a folder not writable for sound": {func() { Audio([]float32{0}, 8000) }, "error: sound: mkdir "},
		"a number as table": {func() {
			Table(3)
		}, "error: table: a int has no rows; give a table, a struct or a slice of structs\n"},
		"a nil table": {func() {
			Table((*report.Table)(nil))
		}, "error: table: a *report.Table has no rows; give a table, a struct or a slice of structs\n"},
		"nothing as table": {func() {
			Table(nil)
		}, "error: table: a <nil> has no rows; give a table, a struct or a slice of structs\n"},
		"an error that is met": {func() { Must(0, errors.New("read x: gone")) }, "error: read x: gone\n"},
		"an unexpected number": {func() {
			Expect("share", .07, .05, .01)
		}, "error: share: 0.07, but the text says 0.05 ± 0.01\n"},
		"a number that is none": {func() {
			Expect("share", math.NaN(), .05, .01)
		}, "error: share: –, but the text says 0.05 ± 0.01\n"},
		"an unknown exercise": {func() {
			Check("no/such", 1)
		}, `error: check: there is no exercise "no/such"; there are`},
		"a folder not writable": {func() { Figure(picture{png: []byte("x")}) }, "error: figure: mkdir "},
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range tests {
		if strings.HasPrefix(name, "a folder") {
			t.Setenv(FiguresVariable, filepath.Join(file, "below"))
		}
		got, status := printed(t, test.show)
		if !strings.HasPrefix(got, test.want) || status != 1 {
			t.Errorf("%s: status %d, printed %q, want %q", name, status, got, test.want)
		}
		os.Unsetenv(FiguresVariable)
	}
}

func TestFigures_Folder(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new")
	t.Setenv(FiguresVariable, folder)
	text, _ := printed(t, func() { Figure(picture{[]byte("png"), 2, 1, "a dot", nil}) })
	files, err := filepath.Glob(filepath.Join(folder, "figure-*.png"))
	if err != nil || len(files) != 1 || !strings.Contains(text, files[0]) {
		t.Fatalf("files %v, printed %q", files, text)
	}
	if data, _ := os.ReadFile(files[0]); string(data) != "png" {
		t.Errorf("wrote %q", data)
	}
	text, _ = printed(t, func() { Audio([]float32{0, .5, -1}, 8000) })
	files, err = filepath.Glob(filepath.Join(folder, "sound-*.wav"))
	if err != nil || len(files) != 1 || text != "sound, 0.000 s at 8,000 Hz, "+files[0]+"\n" {
		t.Fatalf("files %v, printed %q", files, text)
	}
	sound, err := safefile.ReadAudio(files[0])
	if diff := cmp.Diff(&safefile.Audio{Rate: 8000, Channels: [][]float32{{0, .5, -1}}}, sound); diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
}

// clock is a clock that only the test moves.
type clock struct{ t time.Time }

func (c *clock) now() time.Time { return c.t }

// A bar redraws one line on a terminal and prints few lines elsewhere.
func TestBar_TerminalOrFile(t *testing.T) {
	tests := map[string]struct {
		terminal bool
		total    int
		want     string
	}{
		"terminal": {true, 30, "\r\x1b[Kseeds: 0 of 30" + "\r\x1b[Kseeds: 10 of 30, 12s left (1.67/s)" +
			"\r\x1b[Kseeds: 20 of 30, 6s left (1.67/s)" + "\r\x1b[Kseeds: 30 (1.67/s)" +
			"\r\x1b[Kseeds: 30 in 18s (1.67/s)\n"},
		"file":           {false, 30, "seeds: 20 of 30, 6s left (1.67/s)\nseeds: 30 in 18s (1.67/s)\n"},
		"unknown length": {false, 0, "seeds: 20 (1.67/s)\nseeds: 30 in 18s (1.67/s)\n"},
		"ended early":    {false, 60, "seeds: 20 of 60, 24s left (1.67/s)\nseeds: 30 of 60 in 18s (1.67/s)\n"},
	}
	for name, test := range tests {
		var out bytes.Buffer
		c := &clock{time.Unix(0, 0)}
		b := &Bar{title: "seeds", total: test.total, strip: strip{now: c.now, out: &out, terminal: test.terminal}}
		b.start()
		for range 3 {
			c.t = c.t.Add(6 * time.Second)
			b.Step(10)
			b.Step(0)
		}
		b.Done()
		b.Step(1)
		b.Done()
		got := out.String()
		if name == "terminal" {
			got = strings.ReplaceAll(got, "seeds: 30 of 30", "seeds: 30")
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: mismatch (-want +got):\n%s", name, diff)
		}
	}
}

func TestBar_WithoutSteps(t *testing.T) {
	var out bytes.Buffer
	c := &clock{time.Unix(0, 0)}
	b := &Bar{title: "training", strip: strip{now: c.now, out: &out, terminal: true}}
	b.start()
	c.t = c.t.Add(6 * time.Second)
	b.Done()
	if want := "\r\x1b[Ktraining\r\x1b[Ktraining: 6s\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

func TestBar_ManyGoroutines(t *testing.T) {
	b := &Bar{title: "x", total: 8000, strip: strip{now: time.Now, out: io.Discard}}
	b.start()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 1000 {
				b.Step(1)
			}
		})
	}
	group.Wait()
	if b.count != 8000 {
		t.Errorf("counted %d of 8000", b.count)
	}
}

func TestLaboratory_SettingsSource(t *testing.T) {
	home := func() (string, string, error) { return "lab", "default", nil }
	tests := map[string]struct {
		environment map[string]string
		home        func() (string, string, error)
		want        Laboratory
		complaint   string
	}{
		"nothing set": {nil, home, Laboratory{Setting{"lab", "default"}, Setting{"quick", "default"},
			Setting{"auto", "default"}}, ""},
		"all set": {map[string]string{PresetVariable: " mini ", DeviceVariable: "cuda"}, home,
			Laboratory{Setting{"lab", "default"}, Setting{"mini", "$UNLEARNLAB_PRESET"},
				Setting{"cuda", "$UNLEARNLAB_DEVICE"}}, ""},
		"unknown preset": {map[string]string{PresetVariable: "large"}, home, Laboratory{},
			`preset "large" of $UNLEARNLAB_PRESET does not exist; choose one of smoke, quick, mini, paper`},
		"no home": {nil, func() (string, string, error) {
			return "", "default", errors.New("$HOME is not defined")
		}, Laboratory{}, "$HOME is not defined"},
	}
	for name, test := range tests {
		got, err := laboratory(func(key string) string { return test.environment[key] }, test.home)
		if test.complaint != "" {
			if err == nil || !strings.Contains(err.Error(), test.complaint) {
				t.Errorf("%s: error %v", name, err)
			}
			continue
		}
		if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

func TestCell_LinksNothingHeavy(t *testing.T) {
	output, err := exec.Command("go", "list", "-deps", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	dependencies := string(output)
	if !strings.Contains(dependencies, "gonbui") {
		t.Error("go list does not name gonbui: the test looks at the wrong package")
	}
	for _, heavy := range []string{"gonum.org/", "github.com/spf13/cobra", "github.com/gomlx/", "github.com/yuin/"} {
		if strings.Contains(dependencies, heavy) {
			t.Errorf("kernelext links %s", heavy)
		}
	}
}
