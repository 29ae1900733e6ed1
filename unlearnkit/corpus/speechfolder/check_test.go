package speechfolder

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/download/speech"
)

func ExampleCheck() {
	report, err := Check(context.Background(), "testdata/massive/Speech-MASSIVE/de-DE", false)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Kind.Title(), report.Usable())
	for _, d := range report.Divisions {
		fmt.Println(d.Parts, d.Counts)
	}
	for _, finding := range report.Findings {
		fmt.Println(finding)
	}
	// Output:
	// Speech-MASSIVE de-DE false
	// as published [{train 9 3 3} {validation 9 3 3} {test 3 2 2}]
	// half of validation for the test [{train 9 3 3} {validation 4 3 3} {test 5 3 3}]
	// warning: train has 9 clips, published were 11514
	// warning: validation has 11 clips, published were 2033
	// warning: test has 4 clips, published were 2974
	// error: nobody can be drawn to be forgotten: 0 speakers with more than 100 training clips; at least 2 are needed to draw whom to forget: lower that number or bring more clips a speaker
}

func check(t *testing.T, dir string, deep bool) *Report {
	t.Helper()
	r, err := Check(t.Context(), dir, deep)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// failures returns the texts of a report's errors.
func failures(r *Report) (all []string) {
	for _, f := range r.Findings {
		if f.Severity == "error" {
			all = append(all, f.What)
		}
	}
	return all
}

func TestCheck_Report(t *testing.T) {
	dir := t.TempDir()
	german(t, dir)
	speechdownload.SLURP(t, filepath.Join(dir, "slurp"))
	tests := []struct {
		folder    string
		parts     []Parts
		first     []Count
		heard     int
		candidate int
		seed      uint64
	}{
		{germanFolder, []Parts{Published, HalvedValidation},
			[]Count{{"train", 329, 4, 6}, {"validation", 19, 2, 6}, {"test", 17, 2, 6}}, 64, 3, 42},
		{"slurp", []Parts{BySpeaker, Published},
			[]Count{{"train", 360, 3, 6}, {"validation", 46, 1, 6}, {"test", 44, 1, 6}}, 450, 3, 0},
	}
	for _, test := range tests {
		r := check(t, filepath.Join(dir, test.folder), test.heard > sampleSize)
		if !r.Usable() || r.Heard != test.heard || len(r.Divisions) != 2 || len(r.Forgetting) != 2 {
			t.Fatalf("got %+v, want Usable() true, Heard %v, 2 Divisions, 2 Forgetting", r, test.heard)
		}
		for i, d := range r.Divisions {
			if d.Parts != test.parts[i] || i == 0 && !slices.Equal(d.Counts, test.first) || d.Intents != 6 {
				t.Errorf("%+v", d)
			}
		}
		for i, f := range r.Forgetting {
			if f.Candidates != test.candidate || f.Seed != test.seed || len(f.Speakers) != 1 || f.Clips < 100 ||
				f.Share < .025 || f.Reading != []string{"without replacement", "with replacement"}[i] {
				t.Errorf("got %+v, want Candidates %v, Seed %v, 1 Speakers, Clips at least 100, Share at least "+
					".025, Reading %v",
					f, test.candidate, test.seed, []string{"without replacement", "with replacement"}[i])
			}
		}
	}
}

func TestReport_Write(t *testing.T) {
	dir := download(t, german)
	r := check(t, filepath.Join(dir, germanFolder), false)
	var words strings.Builder
	r.Write(&words)
	for _, want := range []string{
		"Speech-MASSIVE de-DE, German, in " + dir, "374 clips, 64 of them decoded\n",
		"as published                         clips speakers  intents\n" +
			"    train                                329        4        6\n",
		"    without 5 clips of validation by speakers of train\n",
		"3 speakers with more than 100 clips of train can be drawn to be forgotten, until at least 2.5 % are\n",
		"without replacement (seed 42): ", "with replacement    (seed 42): ", " % of train, 10",
		"warning: train has 329 clips, published were 11514\n",
	} {
		if !strings.Contains(words.String(), want) {
			t.Errorf("no %q in\n%s", want, words.String())
		}
	}
	text, err := json.Marshal(r)
	if err != nil || strings.Contains(string(text), "null") || !strings.Contains(string(text), `"ok":true`) {
		t.Errorf(`got %s, %v, want no "null", %q in it`, text, err, `"ok":true`)
	}
}

func TestCheck_Faults(t *testing.T) {
	tests := []struct {
		name  string
		fill  func(testing.TB, string)
		below string
		spoil func(*testing.T, string)
		deep  bool
		says  []string // text of each error
	}{
		{"no data set", func(testing.TB, string) {}, "", func(*testing.T, string) {}, false,
			[]string{"no known data set is in it; looked for "}},
		{"recordings that are not there", speechdownload.Fluent, "", removed("wavs/speakers/bob"), false,
			[]string{"the recording is missing, and 102 others of 358 are too; download the sound again"}},
		{"a damaged recording", speechdownload.Fluent, "", cut("wavs/speakers/bob/1.wav"), true,
			[]string{"Fluent Speech Commands, clip wavs/speakers/bob/1.wav: read "}},
		{"many damaged recordings", german, germanFolder, func(t *testing.T, dir string) {
			for i := range 9 {
				row(firstShard, i, func(r *speechdownload.Massive) { r.Audio.Bytes = []byte("?") })(t, dir)
			}
		}, true, []string{"clip 0: ", "clip 1: ", "clip 2: ", "clip 3: ", "clip 4: ",
			"4 more clips of 365 that were decoded are damaged: download the sound again"}},
		{"one speaker to forget", speechdownload.ITALIC, "", func(t *testing.T, dir string) {
			rewrite(t, filepath.Join(dir, "hard_speaker_train.json"), func(text string) string {
				for _, speaker := range []string{"bob", "cleo"} { // gives five clips of each to another speaker
					text = strings.Replace(text, `"speaker_id":"`+speaker+`"`, `"speaker_id":"dan"`, 5)
				}
				return text
			})
		}, false, []string{"nobody can be drawn to be forgotten: 1 speaker with more than 100 training clips"}},
		{"too few speakers to split", speechdownload.SLURP, "", func(t *testing.T, dir string) {
			for _, speaker := range []string{"bob", "cleo", "eve", "fay"} {
				rewrite(t, filepath.Join(dir, metadata), func(text string) string {
					return strings.ReplaceAll(text, `"usrid":"`+speaker+`"`, `"usrid":"ann"`)
				})
			}
		}, false, []string{"SLURP: 1 speaker with 450 clips do not fill three parts; more speakers are needed"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := download(t, test.fill)
			test.spoil(t, dir)
			r := check(t, filepath.Join(dir, test.below), test.deep)
			has := failures(r)
			if len(has) != len(test.says) || r.Usable() == (len(has) > 0) {
				t.Fatalf("%q, want %q", has, test.says)
			}
			for i, want := range test.says {
				if !strings.Contains(has[i], want) || strings.Contains(has[i], "\n") {
					t.Errorf("%q, want %q", has[i], want)
				}
			}
		})
	}
}

func TestCheck_Halved(t *testing.T) {
	dir := download(t, german)
	removed("Speech-MASSIVE-test")(t, dir)
	r := check(t, filepath.Join(dir, germanFolder), false)
	if !r.Usable() || len(r.Divisions) != 1 || r.Divisions[0].Parts != HalvedValidation ||
		!strings.Contains(fmt.Sprint(r.Findings), "warning: read ") {
		t.Errorf(`got %+v, want Usable() true, 1 Divisions, Divisions[0].Parts %v, "warning: read " in it`,
			r, HalvedValidation)
	}
}

func TestCheck_Context(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if r, err := Check(ctx, made, true); r != nil || err != context.Canceled {
		t.Errorf("got %v, %v, want r nil, err %v", r, err, context.Canceled)
	}
}

func TestFind_Below(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	dir := t.TempDir()
	german(t, dir)
	speechdownload.SpeechMASSIVE(t, dir, "fr-FR")
	speechdownload.ITALICInParquet(t, filepath.Join(dir, "ITALIC"))
	speechdownload.Write(t, filepath.Join(dir, "notes", "far", "away", "data", "train_data.csv"), nil)
	want := []string{filepath.Join(dir, "ITALIC"), filepath.Join(dir, "Speech-MASSIVE", "de-DE"),
		filepath.Join(dir, "Speech-MASSIVE", "fr-FR")}
	if found := Find(dir); !slices.Equal(found, want) {
		t.Errorf("got %q, want %v", found, want)
	}
	if found := Find(want[1]); !slices.Equal(found, want[1:2]) {
		t.Errorf("got %q, want %v", found, want[1:2])
	}
	nowhere := filepath.Join(dir, "notes")
	if found := Find(filepath.Join(nowhere, "far")); len(found) != 1 {
		t.Errorf("got %q, want length 1", found)
	}
}
