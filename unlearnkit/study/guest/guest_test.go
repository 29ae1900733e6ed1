package guest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// written writes a model with one tensor into a folder and returns its path.
func written(t *testing.T, value float32, elements ...string) string {
	t.Helper()
	dir := filepath.Join(elements...)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "config.json"), "{}")
	if err := safefile.WriteTensors(filepath.Join(dir, "model.safetensors"),
		[]safefile.TensorData{safefile.TensorOf("a", []int{1}, []float32{value})}, nil); err != nil {
		t.Fatal(err)
	}
	return dir
}

func put(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func digest(t *testing.T, m Model) string {
	t.Helper()
	sum, err := m.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

func TestCheckName(t *testing.T) {
	for name, valid := range map[string]bool{"mine": true, "ESD-x, 2": false, "my method 1.5": true, "": false, " mine": false,
		"mine ": false, "a/b": false, "größer": true, "(guest)": false, strings.Repeat("x", 41): false} {
		if err := CheckName(name); (err == nil) != valid {
			t.Errorf("%q: %v, want valid %v", name, err, valid)
		}
	}
}

func TestDigest(t *testing.T) {
	one := Model{Path: written(t, 1, t.TempDir(), "one")}
	same := Model{Path: written(t, 1, t.TempDir(), "another")}
	if digest(t, one) != digest(t, same) {
		t.Error("the folder's path changes the digest")
	}
	sums := []string{digest(t, one)}
	other := Model{Path: written(t, 2, t.TempDir())}
	adapter := Model{Path: written(t, 1, t.TempDir())}
	put(t, filepath.Join(adapter.Path, "adapter_config.json"), "{}")
	for _, m := range []Model{other, adapter, {Path: one.Path, Differences: true}, {Path: one.Path, Original: other.Path}} {
		sum := digest(t, m)
		if slices.Contains(sums, sum) {
			t.Errorf("%+v has the digest of another model", m)
		}
		sums = append(sums, sum)
	}
}

func TestWhole(t *testing.T) {
	folder := written(t, 1, t.TempDir())
	adapter := written(t, 1, t.TempDir())
	put(t, filepath.Join(adapter, "adapter_config.json"), "{}")
	for _, test := range []struct {
		model Model
		want  bool
	}{{Model{Path: folder}, true}, {Model{Path: filepath.Join(folder, "model.safetensors")}, false},
		{Model{Path: adapter}, false}, {Model{Path: folder, Differences: true}, false},
		{Model{Path: adapter, Original: folder}, true}} {
		if got := test.model.Whole(); got != test.want {
			t.Errorf("%+v is whole: %v, want %v", test.model, got, test.want)
		}
	}
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"world-0", "world-2", "notes"} {
		written(t, float32(i), dir, name)
	}
	parted := t.TempDir()
	written(t, 1, parted, "world-0", "FSC-HuBERT")
	pipeline := t.TempDir()
	written(t, 1, pipeline, "seed-0", "unet")
	put(t, filepath.Join(pipeline, "seed-0", "model_index.json"), "{}")
	originals := t.TempDir()
	written(t, 3, originals, "world-0")
	written(t, 3, originals, "world-2")
	usual := Search{Folder: dir, Noun: "world", Repetitions: 3, Only: -1}
	parts := []string{"FSC/wav2vec 2.0", "FSC/HuBERT"}
	for _, test := range []struct {
		name   string
		search Search
		want   []string // repetition, part and path of each model
	}{
		{"worlds", usual, []string{"0  world-0", "2  world-2"}},
		{"one world's folder", Search{Folder: filepath.Join(dir, "notes"), Noun: "world", Repetitions: 3, Only: 1},
			[]string{"1  notes"}},
		{"one world of several", Search{Folder: dir, Noun: "world", Repetitions: 3, Only: 2}, []string{"2  world-2"}},
		{"parts", Search{Folder: parted, Noun: "world", Repetitions: 3, Only: -1, Parts: parts},
			[]string{"0 FSC/HuBERT FSC-HuBERT"}},
		{"the only part", Search{Folder: dir, Noun: "world", Repetitions: 3, Only: 0, Parts: parts, Of: parts[0]},
			[]string{"0 FSC/wav2vec 2.0 world-0"}},
		{"a pipeline", Search{Folder: pipeline, Noun: "training seed", Repetitions: 1, Only: -1}, []string{"0  unet"}},
	} {
		found, models, err := test.search.Find()
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var got []string
		for _, p := range found {
			got = append(got, string(rune('0'+p.Repetition))+" "+p.Of+" "+filepath.Base(models[p.Model].Path))
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: mismatch (-want +got):\n%s", test.name, diff)
		}
	}
	usual.Original = originals
	found, models, err := usual.Find()
	if err != nil {
		t.Fatal(err)
	}
	if got := models[found[1].Model].Original; got != filepath.Join(originals, "world-2") {
		t.Errorf("the original of world 2 is %s", got)
	}
}

func TestSave(t *testing.T) {
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	all, err := List(s, "salmu")
	if err != nil || len(all) != 0 {
		t.Fatalf("got %v, %v, want 0 all", all, err)
	}
	first := Guest{Name: "mine", Preset: "mini", Parts: []Part{{Repetition: 1, Model: "a"}}}
	second := first.With([]Part{{Repetition: 0, Model: "b"}, {Repetition: 1, Model: "c"}})
	want := Guest{Name: "mine", Preset: "mini", Parts: []Part{{Repetition: 0, Model: "b"}, {Repetition: 1, Model: "c"}}}
	if diff := cmp.Diff(want, second); diff != "" {
		t.Errorf("with more parts:\n%s", diff)
	}
	for _, g := range []Guest{first, second, {Name: "Another one"}} {
		if err := Save(s, "salmu", g); err != nil {
			t.Fatal(err)
		}
	}
	if all, err = List(s, "salmu"); err != nil || len(all) != 2 || all[1].Name != "mine" || len(all[1].Parts) != 2 {
		t.Errorf(`got %+v, %v, want 2 all, [1].Name "mine", length 2 of [1].Parts`, all, err)
	}
	if _, known, err := Named(s, "salmu", "MINE"); !known || err != nil {
		t.Errorf("known %v, %v", known, err)
	}
	if _, known, err := Named(s, "remem", "mine"); known || err != nil {
		t.Errorf("of another paper: known %v, %v", known, err)
	}
	if err := Remove(s, "salmu", second); err != nil {
		t.Error(err)
	}
	if all, err = List(s, "salmu"); err != nil || len(all) != 1 {
		t.Errorf("got %+v, %v, want 1 all", all, err)
	}
	put(t, file(s, "salmu", "broken"), "{")
	if _, err := List(s, "salmu"); err == nil || !strings.Contains(err.Error(), "remove the file and evaluate") {
		t.Errorf("a broken list: %v", err)
	}
}
