package train

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/download/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/picturefolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/salmu512"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/contrastive"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

// downloaded writes a download, and other files that a user may have. It returns their folders.
func downloaded(t *testing.T, config clip.Config, side int) folders {
	t.Helper()
	f := folders{t.TempDir(), t.TempDir(), t.TempDir(), t.TempDir()}
	salmudownload.Benchmark(t, f.Data, side)
	salmudownload.ImageNet(t, f.ImageNet, side)
	salmudownload.Retain(t, f.Retain, side)
	salmudownload.Model(t, filepath.Join(f.Models, CleanModel), config, 1)
	salmudownload.Model(t, filepath.Join(f.Models, CompromisedModel), config, 2)
	return f
}

func find(t *testing.T, s *store.Store, f folders) *localDownload {
	t.Helper()
	found, err := findDownload(t.Context(), s, f, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func emptyStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// opened returns the corpus of a download, with its pictures.
func opened(t *testing.T, found *localDownload, s *store.Store) corpus {
	t.Helper()
	lab := NewLab(func() (*device.Device, error) { return device.Open("go") }).reading(found)
	plan := salmu.NewPlan(salmu.Paper(found.Download))
	spec := salmu.Corpus{Data: found.Benchmark, ImageNet: found.ImageNet, Retain: found.Retain}
	var pictures []*store.Artifact
	for _, source := range spec.Sources() {
		for _, run := range plan.Runs() {
			if run.Title != "pictures of "+source.Title {
				continue
			}
			if err := plan.Make(t.Context(), s, lab.Makers(), study.Options{}, run); err != nil {
				t.Fatal(err)
			}
			artifact, err := s.Get(run.Key())
			if err != nil {
				t.Fatal(err)
			}
			pictures = append(pictures, artifact)
		}
	}
	c, err := lab.corpus(spec, pictures)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestPublished_Pictures(t *testing.T) {
	f, s := downloaded(t, salmudownload.Tiny(), 40), emptyStore(t)
	c := opened(t, find(t, s, f), s)
	data, err := salmu512.Open(f.Data)
	if err != nil {
		t.Fatal(err)
	}
	defer data.Close()
	originals := map[string]*safefile.Image{}
	for _, split := range benchmarkSplits {
		for sample, err := range data.Samples(split) {
			if err != nil {
				t.Fatal(err)
			}
			originals[sample.FileName] = sample.Image
		}
	}
	for _, dir := range []string{f.ImageNet, f.Retain} {
		files, err := picturefolder.Files(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if originals[file], err = picturefolder.Read(dir, file); err != nil {
				t.Fatal(err)
			}
		}
	}
	seen := 0
	for _, split := range []persona.Split{persona.Sensitive, persona.RetainJoint, persona.RetainDisjoint,
		persona.RetainReal, persona.ObjectTest} {
		for _, row := range c.split(split) {
			original := originals[row.ID]
			want, _, _ := preprocess.OpenCLIP(24).Apply(preprocess.Image{Width: original.Width, Height: original.Height,
				Pixels: original.Pix})
			got := make([]float32, 3*24*24)
			if err := c.draw(row, 24, got); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s of %s is another picture, %v", row.ID, row.Split, err)
			}
			seen++
		}
	}
	if seen != 22+6+3 {
		t.Errorf("%d pictures", seen)
	}
	if err := c.draw(c.split(persona.Sensitive)[0], 32, nil); err == nil ||
		!strings.Contains(err.Error(), "looks at 32 pixels") {
		t.Errorf(`got the error %v, want one with "looks at 32 pixels"`, err)
	}
}

func TestPublished_Rows(t *testing.T) {
	f, s := downloaded(t, salmudownload.Tiny(), 40), emptyStore(t)
	c := opened(t, find(t, s, f), s)
	counts := map[persona.Split]int{}
	for _, row := range append(c.split(persona.Sensitive),
		append(c.split(persona.RetainJoint), c.split(persona.RetainDisjoint)...)...) {
		counts[row.Split]++
		forget := row.Split == persona.ForgetIdentity || row.Split == persona.ForgetAssociation
		if forget != (row.Name != "") || forget &&
			(!strings.Contains(row.Caption, row.Name) || !strings.Contains(row.Caption, row.Value) ||
				row.Generic != "a photo of a person") {
			t.Errorf("%+v", row)
		}
		if known := row.Split != persona.RetainDisjoint && row.Split != salmu.FragileSet; known != (row.Identity >= 0) {
			t.Errorf("got %+v, want known %v", row, (row.Identity >= 0))
		}
	}
	want := map[persona.Split]int{persona.ForgetIdentity: 4, persona.ForgetAssociation: 4,
		persona.HoldoutAssociation: 3, persona.HoldoutIdentity: 3, persona.RetainJoint: 3, persona.RetainDisjoint: 3,
		salmu.FragileSet: 2}
	if fmt.Sprint(counts) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", counts, want)
	}
	if kept := c.retainRows(); len(kept) != 6 || kept[4].Caption != "a photo of thing number 4" {
		t.Errorf(`got %+v, want length 6, [4].Caption "a photo of thing number 4"`, kept)
	}
	if names, templates := c.classes(); !slices.Equal(names, []string{"tench", "goldfish"}) || len(templates) != 80 {
		t.Errorf("got %q, %d, want names %v, 80 templates", names, len(templates), []string{"tench", "goldfish"})
	}
}

// Only the changed part of a download is read again.
func TestFind_ChangedFiles(t *testing.T) {
	f, s := downloaded(t, salmudownload.Tiny(), 40), emptyStore(t)
	var progress strings.Builder
	again := func() (salmu.Download, int) {
		progress.Reset()
		found, err := findDownload(t.Context(), s, f, &progress)
		if err != nil {
			t.Fatal(err)
		}
		return found.Download, strings.Count(progress.String(), "not seen before")
	}
	first, read := again()
	if second, more := again(); first != second || read != 5 || more != 0 || first.Image != 24 {
		t.Errorf("%+v, %+v, %d and %d read", first, second, read, more)
	}
	salmudownload.Model(t, filepath.Join(f.Models, CleanModel), salmudownload.Tiny(), 1)
	if same, read := again(); same != first || read != 1 {
		t.Errorf("the same model once more: %+v, %d read", same, read)
	}
	salmudownload.Model(t, filepath.Join(f.Models, CleanModel), salmudownload.Tiny(), 3)
	if other, _ := again(); other.Clean == first.Clean || other.Compromised != first.Compromised {
		t.Errorf("another model: %+v", other)
	}
	clean := filepath.Join(f.Models, CleanModel)
	if err := os.Rename(filepath.Join(clean, "open_clip_model.safetensors"),
		filepath.Join(clean, convertedWeights)); err != nil {
		t.Fatal(err)
	}
	if converted, read := again(); converted.Clean == first.Clean || read != 1 {
		t.Errorf("a model converted from a pickle: %+v, %d read", converted, read)
	}
	f.Data, f.Models = "", "" // use the remembered folders
	if same, read := again(); same.Benchmark != first.Benchmark || read != 0 {
		t.Errorf("%+v, %d read", same, read)
	}
}

// The paper's settings are valid for every method. A method is in the preset without a retain sample exactly if it does
// not read that sample.
func TestPublished_Methods(t *testing.T) {
	bare := salmu.Paper(salmu.Download{})
	forget := unlearn.Streams{unlearn.Forget: &table{rows: make([]persona.Row, 1)}}
	for _, m := range salmu.Paper(salmu.Download{Retain: "r"}).Methods {
		method, err := unlearn.Find(contrastive.Methods(), m.Name)
		if err != nil {
			t.Fatal(err)
		}
		phases, err := method.Lay(m.Values, forget)
		if err != nil {
			t.Fatal(err)
		}
		walks := slices.ContainsFunc(phases, func(p contrastive.Phase) bool {
			return slices.Contains(p.Streams, unlearn.Retain)
		})
		if kept := slices.ContainsFunc(bare.Methods, func(b salmu.Method) bool {
			return b.Name == m.Name
		}); kept == walks {
			t.Errorf("%s walks through the retain sample: %v; without one it is run: %v", m.Name, walks, kept)
		}
	}
}

func TestBatchFor(t *testing.T) {
	for left, want := range map[int]int{1: 4, 4: 4, 5: 16, 16: 16, 17: 64, 64: 64, 1000: 64} {
		if got := batchFor(largeBatches, left); got != want {
			t.Errorf("%d are left: %d, want %d", left, got, want)
		}
	}
	if batchFor(smallBatches, 3) != 128 || batchFor(smallBatches, 300) != 128 {
		t.Error("small models have batches of other sizes")
	}
}
