package picturefolder

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// folder writes files into a new folder. A file without content becomes a picture of 3 × 2 pixels.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewNRGBA(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range files {
		if content == "" {
			content = picture.String()
		}
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestPairs(t *testing.T) {
	dir := folder(t, map[string]string{"b/2.png": "", "b/2.txt": " a dog\n", "a.JPG": "", "a.txt": "a cat",
		"b/1.jpeg": "", "b/1.txt": "two\nlines", "b/1.json": "{}", "b-c/0.png": "", "b-c/0.txt": "x"})
	pairs, err := Pairs(dir)
	want := []Pair{{"a.JPG", "a cat"}, {"b/1.jpeg", "two\nlines"}, {"b/2.png", "a dog"}, {"b-c/0.png", "x"}}
	if err != nil || !slices.Equal(pairs, want) {
		t.Errorf("got %v, %v, want pairs %v", pairs, err, want)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err == nil {
		if linked, err := Pairs(link); err != nil || !slices.Equal(linked, want) {
			t.Errorf("by a link: %v, %v", linked, err)
		}
	}
	if picture, err := Read(dir, "b/2.png"); err != nil || picture.Width != 3 || picture.Height != 2 {
		t.Errorf("got %v, %v, want Width 3, Height 2", picture, err)
	}
}

func TestSorted_ClassNames(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	dir := folder(t, map[string]string{"z/1.png": "", "a/2.png": "", "a/1.png": "", "a-b/x/1.png": "",
		"classes.txt": "a great white shark\nz tench\na-b \t brambling\nunused x\n"})
	set, err := Sorted(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(set.Classes, []string{"great white shark", "brambling", "tench"}) ||
		!slices.Equal(set.Examples, []Example{{"a/1.png", 0}, {"a/2.png", 0}, {"a-b/x/1.png", 1}, {"z/1.png", 2}}) {
		t.Errorf("got %+v, want Classes %v, Examples %v",
			set, []string{"great white shark", "brambling", "tench"}, []Example{{"a/1.png", 0}, {"a/2.png", 0}, {"a-b/x/1.png", 1}, {"z/1.png", 2}})
	}
	thousand := map[string]string{}
	for i := range 1000 {
		thousand[fmt.Sprintf("n%08d/v.JPEG", 1440764+i)] = ""
	}
	if set, err = Sorted(folder(t, thousand)); err != nil || set.Classes[0] != "tench" ||
		set.Classes[999] != "toilet paper" || set.Examples[999].Class != 999 {
		t.Errorf("ImageNet: %v", err)
	}
}

func TestTemplates_CLIP(t *testing.T) {
	all := Templates()
	if len(all) != 80 || fmt.Sprintf(all[0], "tench") != "a bad photo of a tench." ||
		slices.ContainsFunc(all, func(s string) bool {
			return strings.Count(s, "%s") != 1 || strings.Count(s, "%") != 1
		}) {
		t.Errorf("%d: %q", len(all), all)
	}
}

func TestFolders_Refused(t *testing.T) {
	pairs := func(dir string) error { _, err := Pairs(dir); return err }
	sorted := func(dir string) error { _, err := Sorted(dir); return err }
	for want, test := range map[string]struct {
		read  func(dir string) error
		files map[string]string
	}{
		"there are no pictures in it":            {pairs, map[string]string{"a.txt": "a cat"}},
		"1.png: its caption is missing":          {pairs, map[string]string{"1.png": "", "2.png": "", "2.txt": "x"}},
		"it is in no class folder":               {sorted, map[string]string{"1.png": ""}},
		"1 folders of pictures are not the 1000": {sorted, map[string]string{"n01440764/1.png": ""}},
		"it has no name for the folder n01440765": {sorted,
			map[string]string{"n01440764/1.png": "", "n01440765/1.png": "",
				"classes.txt": "n01440764 tench\nn01440765"}},
	} {
		err := test.read(folder(t, test.files))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if err := pairs(filepath.Join(t.TempDir(), "nowhere")); err == nil ||
		!strings.Contains(err.Error(), "nowhere: no such file or directory") {
		t.Errorf(`got the error %v, want one with "nowhere: no such file or directory"`, err)
	}
}
