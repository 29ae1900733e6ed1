package profilefolder

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
)

func ExampleOpen() {
	folder, err := Open("testdata/records")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer folder.Close()
	r := folder.Records[3]
	fmt.Println(len(folder.People), len(folder.Records), folder.People[r.Identity].Name())
	fmt.Println(r.Split, r.Hop, r.Question)
	picture, err := folder.Picture(r.Identity, r.Picture)
	fmt.Println(picture.Width, picture.Height, err)
	set := folder.Set()
	division, err := set.Divide(1, 1)
	fmt.Println(len(division.Forget), len(division.Retain), err)
	// Output:
	// 3 27 Bob Ray
	// test multi Could you tell the e-mail of whom you see?
	// 6 4 <nil>
	// 6 12 <nil>
}

// saying is a record as written by the script gen_profiles.py.
type saying struct {
	ID, Person, Split, Hop, Attribute, Question, Answer string
	Keywords                                            []string
	Colour                                              [3]int
}

// expected returns the records that the script gen_profiles.py wrote for each test folder.
func expected(t *testing.T) (all map[string][]saying) {
	t.Helper()
	text, err := os.ReadFile("testdata/expected.json")
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// open opens a folder and closes it when the test ends.
func open(t *testing.T, dir string) *Folder {
	t.Helper()
	folder, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := folder.Close(); err != nil {
			t.Error(err)
		}
	})
	return folder
}

// said converts a record to the script's format. It also checks the colour of the picture, with a tolerance for JPEG.
func (f *Folder) said(t *testing.T, r Record, like [3]int) saying {
	t.Helper()
	picture, err := f.Picture(r.Identity, r.Picture)
	if err != nil {
		t.Fatal(err)
	}
	s := saying{ID: r.ID, Person: f.People[r.Identity].ID, Split: string(r.Split), Hop: string(r.Hop),
		Attribute: string(r.Attribute), Question: r.Question, Answer: r.Answer, Keywords: r.Keywords, Colour: like}
	if s.Keywords == nil {
		s.Keywords = []string{}
	}
	for channel := range 3 {
		if got := int(picture.Pix[channel]); got < like[channel]-3 || got > like[channel]+3 {
			s.Colour[channel] = got
		}
	}
	return s
}

func TestRead_Records(t *testing.T) {
	for name, want := range expected(t) {
		f := open(t, filepath.Join("testdata", name))
		var got []saying
		for i, r := range f.Records {
			got = append(got, f.said(t, r, want[min(i, len(want)-1)].Colour))
			if len(r.Keywords) > 0 && r.Keyword != r.Keywords[0] {
				t.Errorf("%s: %s: the keyword is %q of %q", name, r.ID, r.Keyword, r.Keywords)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: mismatch (-want +got):\n%s", name, diff)
		}
	}
}

func TestRead_People(t *testing.T) {
	facts := map[profile.Attribute]string{profile.FullName: "Bob Ray", profile.Email: "bob.ray@example.com",
		profile.Job: "judge", profile.Salary: "120000"}
	for name, want := range map[string]Person{
		"records": {ID: "p1", Profile: profile.Profile{Facts: facts, Pictures: 9}},
		"lines":   {ID: "p1", Profile: profile.Profile{Facts: facts, Pictures: 9}},
		"fiubench": {ID: "00000001", Profile: profile.Profile{Pictures: 1, Facts: map[profile.Attribute]string{
			profile.FullName: "Bob Ray", profile.Gender: "female"}}, About: "Somebody who works as a judge.",
			Sets: []string{"forget10", "forget5"}},
		"mllmu": {ID: "2", Profile: profile.Profile{Pictures: 1, Facts: map[profile.Attribute]string{}},
			About: "Bob Ray works as a judge.", Sets: []string{"retain_95"}},
	} {
		f := open(t, filepath.Join("testdata", name))
		if diff := cmp.Diff(want, f.People[1]); diff != "" {
			t.Errorf("%s: mismatch (-want +got):\n%s", name, diff)
		}
		kinds := map[string]Kind{"records": Rows, "lines": Rows, "fiubench": FIUBench, "mllmu": MLLMU}
		if f.Kind != kinds[name] {
			t.Errorf("%s is read as %s", name, f.Kind)
		}
	}
	public := open(t, "testdata/mllmu").People[3]
	if public.ID != "Retain_Set/1" || !slices.Equal(public.Sets, []string{"Retain_Set"}) {
		t.Errorf(`got %+v, want ID "Retain_Set/1", Sets %v`, public, []string{"Retain_Set"})
	}
}

func TestSet_Divided(t *testing.T) {
	for _, name := range []string{"records", "lines"} {
		f := open(t, filepath.Join("testdata", name))
		set := f.Set()
		if err := set.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		d, err := set.Divide(3, 1)
		if err != nil || len(d.Forget) != 6 || len(d.Test) != 3 || len(d.Retain) != 12 || len(d.RetainProbe) != 12 {
			t.Errorf("%s: got %d, %d, %d, %d, %v, want length 6 of d.Forget, length 3 of d.Test, length 12 of "+
				"d.Retain, length 12 of d.RetainProbe",
				name, len(d.Forget), len(d.Test), len(d.Retain), len(d.RetainProbe), err)
		}
	}
}

func TestFiles(t *testing.T) {
	for name, want := range map[string][]string{
		"records": {"data/test-00000-of-00001.parquet", "data/train-00000-of-00002.parquet",
			"data/train-00001-of-00002.parquet", "profiles.jsonl"},
		"fiubench": {"SFHQ/SFHQ_pt1_00000000.jpg", "SFHQ/SFHQ_pt1_00000001.jpg", "SFHQ/SFHQ_pt1_00000002.jpg",
			"full.json", "split.json"},
		"mllmu": {"Full_Set/train-00000-of-00001.parquet", "Retain_Set/train-00000-of-00001.parquet",
			"forget_5/train-00000-of-00001.parquet", "ft_Data/train-00000-of-00001.parquet",
			"retain_95/train-00000-of-00001.parquet"},
	} {
		f := open(t, filepath.Join("testdata", name))
		if got, err := f.Files(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: got %q, %v, want %v", name, got, err, want)
		}
	}
}

func TestFind_Below(t *testing.T) {
	all := []string{"testdata/fiubench", "testdata/lines", "testdata/mllmu", "testdata/records"}
	dir := t.TempDir()
	for _, name := range all {
		copyFolder(t, name, filepath.Join(dir, "downloads", filepath.Base(name)))
	}
	for name, content := range map[string]string{"notes.json": `{"text": "of something else"}`, "empty.json": ""} {
		if err := os.WriteFile(filepath.Join(dir, "downloads", name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got := Find(dir)
	for i := range got {
		got[i] = "testdata/" + filepath.Base(got[i])
	}
	if !slices.Equal(got, all) || !slices.Equal(Find(all[0]), all[:1]) || Find("nowhere")[0] != "nowhere" {
		t.Errorf(`got %q, want %v, Find(all[0]) %v, Find("nowhere")[0] "nowhere"`, got, all, all[:1])
	}
	if _, err := Open(filepath.Join(dir, "downloads")); err == nil ||
		!strings.Contains(err.Error(), "empty.json: the file is empty") {
		t.Error(err)
	}
	if err := errors.Join(os.Remove(filepath.Join(dir, "downloads", "notes.json")),
		os.Remove(filepath.Join(dir, "downloads", "empty.json"))); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(dir, "downloads")); err == nil ||
		!strings.Contains(err.Error(), "it holds folders of data sets, such as FIUBench in fiubench; give one of") {
		t.Error(err)
	}
}

func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

// changed returns a copy of a folder in testdata with one file changed. In the file, it replaces the first text of each
// pair with the second, or everything if the first text is empty.
func changed(t *testing.T, name, file string, pairs ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	copyFolder(t, filepath.Join("testdata", name), dir)
	path := filepath.Join(dir, file)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(content)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("%s has no %q", path, pairs[i])
		}
		if text = strings.ReplaceAll(text, pairs[i], pairs[i+1]); pairs[i] == "" {
			text = pairs[i+1]
		}
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The records stay the same if names determine the hops, if values come from profiles, and if the rows are a list.
func TestRead_OtherNotations(t *testing.T) {
	const lines = "questions.jsonl"
	want := open(t, "testdata/lines").Records
	content, err := os.ReadFile("testdata/lines/" + lines)
	if err != nil {
		t.Fatal(err)
	}
	list := "[" + strings.Join(strings.Split(strings.TrimSpace(string(content)), "\n"), ",\n") + "]\n"
	profiled := changed(t, "lines", lines, `"value"`, `"worth"`)
	profiles, err := os.ReadFile("testdata/records/profiles.jsonl")
	if err == nil {
		err = os.WriteFile(filepath.Join(profiled, "people.json"), profiles, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{
		"no hop, but names":       changed(t, "lines", lines, `"qa_type"`, `"kind"`),
		"no values, but profiles": profiled,
		"a list":                  changed(t, "lines", lines, "", list),
		"facts in a structure": changed(t, "lines", lines, `"full_name": `, `"profile": {"full_name": `,
			`, "image_path"`, `}, "image_path"`, `"qa_type"`, `"kind"`),
		"names instead of IDs": changed(t, "lines", lines, `"Identity"`, `"who"`),
	} {
		f := open(t, dir)
		if len(f.People) != 3 || len(f.Records) != len(want) {
			t.Errorf("%s: %d people, %d records", name, len(f.People), len(f.Records))
			continue
		}
		for i, r := range f.Records {
			r.Template, want[i].Template = "", ""
			if diff := cmp.Diff(want[i], r); diff != "" {
				t.Errorf("%s: mismatch (-want +got):\n%s", name, diff)
			}
		}
	}
}
