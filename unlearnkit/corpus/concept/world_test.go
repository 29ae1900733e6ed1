package concept

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func newWorld(t testing.TB, spec Spec) *World {
	t.Helper()
	w, err := New(spec)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// few returns the spec of a small test world.
func few() Spec {
	return Spec{Seed: 7, ImageSize: 32, Train: 400, ClassifierTrain: 120, ClassifierTest: 80}
}

func allPictures(w *World) []Picture {
	return slices.Concat(w.Pictures(Train), w.Pictures(ClassifierTrain), w.Pictures(ClassifierTest))
}

func TestWorld_Sizes(t *testing.T) {
	w := newWorld(t, few())
	for split, want := range map[Split]int{Train: 400, ClassifierTrain: 120, ClassifierTest: 80, "nothing": 0} {
		if got := len(w.Pictures(split)); got != want {
			t.Errorf("%s has %d pictures, want %d", split, got, want)
		}
	}
}

func TestWorld_ShowsAll(t *testing.T) {
	w := newWorld(t, Small(0))
	seen, textures := map[Labels]int{}, map[Texture]int{}
	for _, p := range w.Pictures(Train) {
		seen[p.Labels]++
		textures[p.Labels.Texture]++
	}
	if want := Objects * Styles * Colours * Textures; len(seen) != want {
		t.Errorf("%d combinations of labels, want all %d", len(seen), want)
	}
	for texture, want := range []int{8000, 4000, 4000} {
		if got := textures[Texture(texture)]; got < want-300 || got > want+300 {
			t.Errorf("%d pictures are %s, want about %d", got, Texture(texture), want)
		}
	}
}

func TestWorld_SplitsDisjoint(t *testing.T) {
	w := newWorld(t, few())
	seen := map[[32]byte]string{}
	for _, p := range allPictures(w) {
		hash := sha256.Sum256(w.Image(p).Pix)
		if other, twice := seen[hash]; twice {
			t.Errorf("%s and %s are the same picture", other, p.ID())
		}
		seen[hash] = p.ID()
	}
}

// A picture depends only on its index, not on the order of drawing or on the size of the world.
func TestPicture_NumberAlone(t *testing.T) {
	w := newWorld(t, few())
	pictures := allPictures(w)
	inOrder := make([]*image.NRGBA, len(pictures))
	for i, p := range pictures {
		inOrder[i] = w.Image(p)
	}
	larger := few()
	larger.Train, larger.ClassifierTrain, larger.ClassifierTest = 500, 130, 90
	other := newWorld(t, larger)
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			for i := len(pictures) - 1 - worker; i >= 0; i -= 4 {
				if p := other.Pictures(pictures[i].Split)[pictures[i].Number]; p != pictures[i] ||
					!slices.Equal(other.Image(p).Pix, inOrder[i].Pix) ||
					other.Caption(p, 3) != w.Caption(p, 3) {
					t.Errorf("%s is another in a larger world", p.ID())
				}
			}
		})
	}
	group.Wait()
	reseeded := few()
	reseeded.Seed++
	if slices.Equal(newWorld(t, reseeded).Image(pictures[0]).Pix, inOrder[0].Pix) {
		t.Error("another seed gives the same picture")
	}
}

func TestRender_PartOfPicture(t *testing.T) {
	w := newWorld(t, few())
	wall := image.NewNRGBA(image.Rect(0, 0, 100, 50))
	window := wall.SubImage(image.Rect(10, 10, 42, 42)).(*image.NRGBA)
	for _, p := range w.Pictures(Train)[:20] {
		w.Render(p, window)
		alone := w.Image(p)
		for y := range 32 {
			if !slices.Equal(window.Pix[y*window.Stride:y*window.Stride+128],
				alone.Pix[y*alone.Stride:y*alone.Stride+128]) {
				t.Fatalf("%s differs in row %d", p.ID(), y)
			}
		}
	}
	if wall.NRGBAAt(9, 20).A != 0 || wall.NRGBAAt(42, 20).A != 0 || wall.NRGBAAt(20, 42).A != 0 {
		t.Error("something was drawn beside the window")
	}
}

// within reports whether every picture of concept c belongs to the concept other.
func within(c, other Concept) bool {
	agrees := func(word, other string) bool { return other == "" || word == other }
	return agrees(c.Object, other.Object) && agrees(c.Style, other.Style) && agrees(c.Colour, other.Colour) &&
		agrees(c.Texture, other.Texture)
}

func TestWorld_WithoutConcept(t *testing.T) {
	whole := newWorld(t, few())
	concepts := []Concept{{Colour: "green"}, {Object: "dog", Style: "neon", Texture: "banded"}}
	for _, e := range Erasures() {
		concepts = append(concepts, e.Concept)
	}
	for _, concept := range concepts {
		spec := few()
		spec.Without = concept
		w := newWorld(t, spec)
		var kept []Picture
		for _, p := range whole.Pictures(Train) {
			if !concept.Covers(p.Labels) {
				kept = append(kept, p)
			}
		}
		if len(kept) == len(whole.Pictures(Train)) {
			t.Fatalf("%+v: the whole world has no picture of it, so nothing is tested", concept)
		}
		if diff := cmp.Diff(kept, w.Pictures(Train)); diff != "" {
			t.Errorf("%+v: not the other pictures of the whole world: %s", concept, diff)
		}
		for i, p := range w.Pictures(Train) {
			if i%40 == 0 && !slices.Equal(w.Image(p).Pix, whole.Image(p).Pix) {
				t.Errorf("%+v: %s is drawn otherwise", concept, p.ID())
			}
			for showing := range 5 {
				if text := w.Caption(p, showing); within(mustShow(text), concept) {
					t.Errorf("%+v: the caption %q is of it", concept, text)
				}
			}
		}
		for _, split := range []Split{ClassifierTrain, ClassifierTest} {
			if diff := cmp.Diff(whole.Pictures(split), w.Pictures(split)); diff != "" {
				t.Errorf("%+v: %s is not that of the whole world", concept, split)
			}
		}
	}
}

// digest returns a hash of all labels, and of the captions and pixels of every step-th picture.
func digest(w *World, step int) string {
	hash := sha256.New()
	if err := json.NewEncoder(hash).Encode([]any{w.Spec(), allPictures(w)}); err != nil {
		panic(err)
	}
	for i, p := range allPictures(w) {
		if i%step == 0 {
			hash.Write(w.Image(p).Pix)
			fmt.Fprintln(hash, w.Caption(p, 0), w.Caption(p, 1))
		}
	}
	return fmt.Sprintf("%x", hash.Sum(nil)[:8])
}

// A changed world would invalidate shipped weights and committed results. Processors with fused multiply-add may round
// differently.
func TestWorld_Unchanged(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("needs amd64: the hashes are made on it")
	}
	large := few()
	large.ImageSize = 64
	for _, test := range []struct {
		spec Spec
		step int
		want string
	}{
		{Small(0), 50, "2fc58c00af78e4b0"},
		{large, 5, "029cdd03268b57bb"},
	} {
		if got := digest(newWorld(t, test.spec), test.step); got != test.want {
			t.Errorf("the world of %+v has changed: %s, was %s. If that is meant, raise Revision and make what was "+
				"learnt from it anew", test.spec, got, test.want)
		}
	}
}

// Changed prompts or erasures would change results.
func TestPrompts_Unchanged(t *testing.T) {
	hash := sha256.New()
	for _, p := range PaperPrompts() {
		fmt.Fprintf(hash, "%+v\n", p)
	}
	for _, e := range Erasures() {
		forget, retain := e.Tuning()
		fmt.Fprintf(hash, "%+v %q %q\n", e, forget, retain)
	}
	io.WriteString(hash, strings.Join(append(Vocabulary(), GatePrompts()...), ","))
	const want = "16757327fb49b00d"
	if got := fmt.Sprintf("%x", hash.Sum(nil)[:8]); got != want {
		t.Errorf("the prompts have changed: %s, were %s. If that is meant, raise Revision and make what was learnt "+
			"from them anew", got, want)
	}
}

func TestSpec_JSON(t *testing.T) {
	for _, test := range []struct {
		without Concept
		want    string
	}{
		{Concept{}, `{"seed":7,"image_size":32,"train":400,"classifier_train":120,"classifier_test":80}`},
		{Concept{Object: "cat"}, `{"seed":7,"image_size":32,"train":400,"classifier_train":120,"classifier_test":80,` +
			`"without":{"object":"cat"}}`},
	} {
		spec := few()
		spec.Without = test.without
		text, err := json.Marshal(spec)
		if err != nil || string(text) != test.want {
			t.Errorf("%s, %v, want %s", text, err, test.want)
		}
		var back Spec
		if err := json.Unmarshal(text, &back); err != nil || back != spec {
			t.Errorf("%+v came back as %+v, %v", spec, back, err)
		}
	}
}

func TestSpec_Refused(t *testing.T) {
	tests := []struct {
		change func(*Spec)
		want   string
	}{
		{func(s *Spec) { s.ImageSize = 31 }, "image_size is 31; choose 32 to 128"},
		{func(s *Spec) { s.ImageSize = 129 }, "image_size is 129"},
		{func(s *Spec) { s.Train = 0 }, "train is 0"},
		{func(s *Spec) { s.Train = 1<<20 + 1 }, "train is 1048577"},
		{func(s *Spec) { s.ClassifierTrain = -1 }, "classifier_train is -1"},
		{func(s *Spec) { s.ClassifierTest = -1 }, "classifier_test is -1"},
		{func(s *Spec) { s.Without.Object = "horse" }, `"horse" is not a valid object; choose one of house, star,`},
		{func(s *Spec) { s.Without.Style = "cat" }, `"cat" is not a valid style; choose one of plain,`},
		{func(s *Spec) { s.Without.Colour = "pink" }, `"pink" is not a valid colour`},
		{func(s *Spec) {
			s.Without.Texture = "striped"
		}, `"striped" is not a valid texture; choose one of bare, spotted, banded`},
		{func(s *Spec) {
			s.Train = 1
			s.Without.Object = objectWords[drawLabels((&World{spec: *s}).stream(Train, 0)).Object]
		}, "nothing is left to train on"},
		{func(s *Spec) { s.Said = "nothing" }, `said is "nothing"; choose "anything" or nothing`},
		{func(s *Spec) { s.Said = OfAnything }, "there is no word to say"},
		{func(s *Spec) { s.Without.Colour, s.Said = "red", OfAnything }, "there is no word to say"},
		{func(s *Spec) { s.ClassifierTrain, s.ClassifierTest = 0, 0 }, ""},
	}
	for _, test := range tests {
		spec := few()
		test.change(&spec)
		_, err := New(spec)
		if test.want == "" {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one with %q", err, test.want)
		}
	}
}

func BenchmarkRender(b *testing.B) {
	for _, size := range []int{32, 64} {
		spec := few()
		spec.ImageSize = size
		w := newWorld(b, spec)
		dst := image.NewNRGBA(image.Rect(0, 0, size, size))
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				w.Render(w.Pictures(Train)[i%spec.Train], dst)
			}
		})
	}
}
