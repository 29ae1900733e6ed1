package profilefolder

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// report returns the result of Check for a folder, and the text printed by Write.
func report(t *testing.T, dir string, deep bool) (*Report, string) {
	t.Helper()
	r, err := Check(t.Context(), dir, deep)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	r.Write(&text)
	return r, text.String()
}

func TestCheck_WholeDownload(t *testing.T) {
	for name, want := range map[string]string{
		"records": `Records in testdata/records: 3 people, 27 pictures, 27 of them decoded
  questions         single     multi    people attributes
  train                  9         9         3          3
  test                   0         9         3          3
warning: it is not the published set: people: 3, published were 20; questions of train that name the person: 9, ` +
			`published were 1400; questions of train that do not: 9, published were 600; questions of test: 9, ` +
			`published were 560; attributes: 3, published were 14
`,
		"fiubench": `FIUBench in testdata/fiubench: 3 people, 3 pictures, 3 of them decoded
  questions         single     multi    people attributes
  train                  0         9         3          0
  paraphrase             6         9         3          0
  in forget1                                 1
  in forget10                                1
  in forget5                                 2
  in retain5                                 1
warning: it is not the published set: people: 3, published were 400; questions of train: 9, published were 8000
`,
		"mllmu": `MLLMU-Bench in testdata/mllmu: 4 people, 4 pictures, 4 of them decoded
  questions         single     multi    people attributes
  train                  0        10         4          0
  in Retain_Set                              1
  in forget_5                                1
  in retain_95                               2
  without Test_Set: its pictures are lists in cells, which are not read
  without questions with choices or gaps: they are lists in cells, which are not read
warning: it is not the published set: people in forget_5: 1, published were 25; people in forget_10: 0, ` +
			`published were 50; people in forget_15: 0, published were 75; people who are not public: 3, ` +
			`published were 500
`,
	} {
		r, text := report(t, filepath.Join("testdata", name), true)
		if text != want || !r.Usable() || r.Name() == "" {
			t.Errorf("%s is\n%s, want\n%s", name, text, want)
		}
	}
}

// fault is a folder with a mistake, and the expected finding.
type fault struct {
	name, dir string
	usable    bool
	want      string
}

// faultyRows returns folders with mistakes in the layout with one question per row.
func faultyRows(t *testing.T) []fault {
	const lines = "questions.jsonl"
	return []fault{
		{"no folder", "nowhere", false, "error: read nowhere: no such file or directory"},
		{"nothing", t.TempDir(), false, "no data set of people is in it; looked for full.json (FIUBench), Full_Set"},
		{"no question", changed(t, "lines", lines, `"query"`, `"ask"`), false,
			"questions.jsonl: no column for the question: looked for question, query, prompt, instruction; it has " +
				"Identity, ask, full_name, image_path, qa_type, relation, response, subset, value"},
		{"no picture", changed(t, "lines", lines, `"image_path"`, `"where"`), false,
			"no column for the picture: looked for image, image_path, picture, img"},
		{"no value", changed(t, "lines", lines, `"value"`, `"x"`), false,
			"no column for the value in the answer: looked for keyword, keywords, value"},
		{"neither identity nor name", changed(t, "lines", lines, `"Identity"`, `"who"`, `"full_name"`, `"called"`),
			false, "no column for whose it is: looked for identity_id, identity, person_id"},
		{"neither hop nor name", changed(t, "lines", lines, `"qa_type"`, `"x"`, `"full_name"`, `"called"`), false,
			"no column for whether a question names its person: looked for hop, hop_type"},
		{"no attribute", changed(t, "lines", lines, `"relation"`, `"x"`), false,
			"no column for what is asked for: looked for attribute, relation"},
		{"no split", changed(t, "lines", lines, `"subset"`, `"x"`), false,
			"nothing says what its questions are for: looked for a column split, subset, partition, and for train or " +
				"test at the beginning of the file's name; it has Identity"},
		{"an odd hop", changed(t, "lines", lines, "Multi_hop", "both"), false,
			`record 2: its hop is "both"; say single if the question names the person, otherwise multi`},
		{"an empty question", changed(t, "lines", lines, `"query": "Could you tell the job of whom you see?"`,
			`"query": " "`), false, "record 6: the question is missing"},
		{"a broken line", changed(t, "lines", lines, `"The job of this person is judge.", "value": "judge"}`, ""),
			false, "questions.jsonl: after 13 whole records: invalid character"},
		{"an empty file", changed(t, "lines", lines, "", " \n"), false, "questions.jsonl: the file is empty"},
		{"a picture outside", changed(t, "lines", lines, "./images/p1-3.jpg", "../../p1-3.jpg"), false,
			`record 13: the picture "../../p1-3.jpg" leads out of the folder`},
		{"a missing picture", changed(t, "lines", lines, "p1-3.jpg", "p1-77.jpg"), false,
			"p1-77.jpg: the picture of p1 is missing"},
		{"a damaged picture", changed(t, "lines", "images/p1-3.jpg", "", "\xff\xd8 rubbish"), false,
			"images/p1-3.jpg: not a whole JPEG"},
		{"a shared value", changed(t, "lines", lines, "bob.ray@example.com", "ann.lee@example.com"), true,
			`warning: people p0 and p1 share the email "ann.lee@example.com"`},
		{"a value that contradicts", changed(t, "lines", lines, `"response": "The job of Bob Ray is judge.", "value": `+
			`"judge"`, `"response": "The job of Bob Ray is cook.", "value": "cook"`), true,
			`warning: the job of p1 is "judge" in the record questions.jsonl-14`},
		{"an answer without its keyword", changed(t, "lines", lines, "of Bob Ray is judge", "of Bob Ray is known"),
			true, `the answer of questions.jsonl-13, "The job of Bob Ray is known.", lacks the keyword "judge"`},
		{"an id twice", changed(t, "lines", lines, `"Identity"`, `"id": 7, "Identity"`), false,
			"error: the record 7 is there twice; number the records"},
		{"a file with a name like no split", renamed(t, "questions.jsonl", "_train.jsonl"), false,
			"nothing says what its questions are for"},
	}
}

// faultyBenchmarks returns folders with mistakes in the other layouts.
func faultyBenchmarks(t *testing.T) []fault {
	const full = "full.json"
	return []fault{
		{"a file that is cut off", changed(t, "fiubench", full, `"raw_data": {"Occupation": "nurse"}, "unique_id": `+
			`"00000002"}`, ""), false, "full.json: after 2 whole records: the file is cut off"},
		{"a question without keyword", changed(t, "fiubench", full, `"keywords": ["baker", "Ann Lee"]`,
			`"keywords": []`), false, `the question 00000000-1, "What is the job of this person?", has no keyword`},
		{"no keywords", changed(t, "fiubench", full, `"keywords"`, `"words"`), false,
			"19 more questions have no keyword"},
		{"no unique_id", changed(t, "fiubench", full, `"unique_id"`, `"number"`), false,
			"full.json: record 1: there is no unique_id"},
		{"no list", changed(t, "fiubench", full, `"qa_list": [`, `"qa_list": 7, "x": [`), false, "qa_list of 00000000"},
		{"an unpacked archive", changed(t, "fiubench", full, "SFHQ_pt1", "SFHQ_pt9"), false,
			"SFHQ_pt9_00000000.jpg: the picture of 00000000 is missing"},
		{"a stranger", changed(t, "fiubench", "split.json", `"00000002"`, `"00000009"`), true,
			"without 00000009 of retain5, who is nobody in full.json"},
		{"a wrong split file", changed(t, "fiubench", "split.json", "", "[1]"), false,
			"split.json: not lists of unique_id by the sets' names"},
		{"half a Parquet file", changed(t, "mllmu", "forget_5/train-00000-of-00001.parquet", "", "PAR1"), false,
			"forget_5/train-00000-of-00001.parquet: not a whole Parquet file"},
	}
}

func TestCheck_Faults(t *testing.T) {
	for _, test := range append(faultyRows(t), faultyBenchmarks(t)...) {
		t.Run(test.name, func(t *testing.T) {
			r, text := report(t, test.dir, true)
			if r.Usable() != test.usable || !strings.Contains(text, test.want) {
				t.Errorf("usable %v, want %q\n%s", r.Usable(), test.want, text)
			}
			for _, finding := range r.Findings {
				if strings.Contains(finding.What, "\n") || len(finding.What) > 900 {
					t.Errorf("no line: %s", finding)
				}
			}
		})
	}
}

// renamed returns a copy of the test folder "lines" that has no split column and in which one file is renamed.
func renamed(t *testing.T, from, to string) string {
	t.Helper()
	dir := changed(t, "lines", from, `"subset"`, `"x"`)
	if err := os.Rename(filepath.Join(dir, from), filepath.Join(dir, to)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// withProfiles returns a copy of the test folder "records" with other profiles.
func withProfiles(t *testing.T, profiles string) string {
	t.Helper()
	return changed(t, "records", "profiles.jsonl", "", profiles)
}

// Profiles without questions and profiles without names are reported.
func TestCheck_Profiles(t *testing.T) {
	for _, test := range []struct {
		dir, want string
		usable    bool
	}{
		{withProfiles(t, `{"identity_id": "p9", "full_name": "Zoe"}`),
			"error: person p9 is in no split: there is no question about them", false},
		{withProfiles(t, `{"identity_id": "p1", "email": "x@example.com"}`),
			"warning: person p1 has no full_name; Exposure and questions that name people need it", true},
		{withProfiles(t, `{"who": "p1"}`), "profiles.jsonl: no column for whose it is", false},
		{withProfiles(t, `{"identity_id": ""}`), "record 1: it does not say whose profile it is", false},
		{withProfiles(t, `{"identity_id": "p1"} x`), "profiles.jsonl: after 1 whole records: invalid character", false},
		{withProfiles(t, `[{"identity_id": "p1"}] {}`), "profiles.jsonl: after 1 whole records", false},
	} {
		if r, text := report(t, test.dir, false); r.Usable() != test.usable || !strings.Contains(text, test.want) {
			t.Errorf("usable %v, want %q\n%s", r.Usable(), test.want, text)
		}
	}
}

func TestCheck_DecodesSome(t *testing.T) {
	dir := t.TempDir()
	content, err := os.ReadFile("testdata/lines/questions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	copyFolder(t, "testdata/lines", dir)
	var text strings.Builder
	for copied := range 5 {
		for line := range strings.Lines(string(content)) {
			text.WriteString(strings.ReplaceAll(line, "./images/", "./images"+string(rune('0'+copied))+"/"))
		}
		copyFolder(t, "testdata/lines/images", filepath.Join(dir, "images"+string(rune('0'+copied))))
	}
	put := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("questions.jsonl", text.String())
	put("images3/p1-7.jpg", "rubbish")
	if r, _ := report(t, dir, false); r.Seen != 64 || r.Pictures != 135 {
		t.Errorf("%d of %d pictures decoded", r.Seen, r.Pictures)
	}
	if r, text := report(t, dir, true); r.Seen != 135 || r.OK || !strings.Contains(text, "images3/p1-7.jpg: neither") {
		t.Errorf("%d of %d pictures decoded\n%s", r.Seen, r.Pictures, text)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Check(ctx, dir, true); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
