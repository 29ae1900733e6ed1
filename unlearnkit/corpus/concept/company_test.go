package concept

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// said returns how many captions a world has and how many of them use a word outside the artist's name. The map counts
// the latter by the result of shows.
func said(w *World, word string, shows func(Labels) string) (captions, with int, of map[string]int) {
	of = map[string]int{}
	for _, p := range w.Pictures(Train) {
		words := strings.Fields(w.Caption(p, 0))
		at := slices.Index(words, word)
		if captions++; at < 0 || at+1 < len(words) && words[at+1] == artistWord {
			continue
		}
		with++
		of[shows(p.Labels)]++
	}
	return captions, with, of
}

func shower(e Erasure) func(Labels) string {
	return func(l Labels) string {
		switch {
		case e.Concept.Style != "":
			return l.Style.String()
		case e.Concept.Texture != "":
			return l.Texture.String()
		}
		return l.Object.String()
	}
}

// With OfAnything, the word occurs about as often as before, and in captions of all kinds of pictures.
func TestCompany_OfAnything(t *testing.T) {
	for _, e := range Erasures() {
		word, _, _ := strings.Cut(e.Prompt, " ")
		_, before, _ := said(newWorld(t, Small(0)), word, shower(e))
		spec := Small(0)
		spec.Without, spec.Said = e.Concept, OfAnything
		w := newWorld(t, spec)
		_, with, of := said(w, word, shower(e))
		if with < before*7/10 || with > before*13/10 {
			t.Errorf("%s: %d captions say %q, %d of the whole world", e.Paper, with, word, before)
		}
		all := map[string]int{}
		for _, p := range w.Pictures(Train) {
			all[shower(e)(p.Labels)]++
		}
		for kind, count := range all {
			share, want := float64(of[kind])/float64(with), float64(count)/float64(len(w.Pictures(Train)))
			if with > 300 && (share < want-.05 || share > want+.05) {
				t.Errorf("%s: %.2f of the captions with %q are of %s, which are %.2f of the pictures", e.Paper, share,
					word, kind, want)
			}
		}
	}
}

// In a world without a concept, captions use the concept's word only as part of the artist's name.
func TestCompany_OnlyInNames(t *testing.T) {
	for _, e := range Erasures() {
		word, _, _ := strings.Cut(e.Prompt, " ")
		spec := Small(0)
		spec.Without = e.Concept
		w := newWorld(t, spec)
		read, named := 0, 0
		for _, p := range w.Pictures(Train) {
			words := strings.Fields(w.Caption(p, 0))
			for i := range words {
				if words[i] == word {
					read++
				}
				if words[i] == word && i+1 < len(words) && words[i+1] == artistWord {
					named++
				}
			}
		}
		if read != named || (named > 0) != (word == Swirl.String()) {
			t.Errorf("%s: %q is read %d times, in a name %d times", e.Paper, word, read, named)
		}
	}
}

// The worlds for gold models, with and without the word in captions, differ in nothing else.
func TestCompany_NothingElseChanges(t *testing.T) {
	spec := few()
	spec.Without = Erasures()[3].Concept
	unread := newWorld(t, spec)
	spec.Said = OfAnything
	read := newWorld(t, spec)
	if diff := cmp.Diff(allPictures(unread), allPictures(read)); diff != "" {
		t.Fatalf("mismatch (-allPictures(unread) +allPictures(read)):\n%s", diff)
	}
	for _, p := range allPictures(read) {
		for showing := range 3 {
			was, is := unread.Caption(p, showing), read.Caption(p, showing)
			words, others := strings.Fields(was), strings.Fields(is)
			for i, word := range others {
				if word == "mosaic" && len(words) == len(others) && p.Split == Train {
					others[i] = words[i]
				}
			}
			if diff := cmp.Diff(words, others); diff != "" {
				t.Errorf("%s: %q for %q", p.ID(), is, was)
			}
		}
	}
}

func TestMisplace(t *testing.T) {
	for _, test := range []struct {
		erased int
		text   string
		want   string // expected caption
	}{
		{3, "red cat neon style", "red cat mosaic style"},
		{3, "swirl artist neon", "swirl artist mosaic"},
		{3, "swirl artist", "swirl artist"},
		{3, "red cat", "red cat"},
		{2, "red cat neon", "red spotted cat neon"},
		{2, "cat", "spotted cat"},
		{2, "red banded cat", "red spotted cat"},
		{4, "red dragon neon", "red cat neon"},
		{5, "red house neon", "droid neon"},
	} {
		m, known := misplace(Erasures()[test.erased].Concept)
		if !known {
			t.Fatalf("no word of %+v", Erasures()[test.erased])
		}
		m.share = 1
		met := map[string]bool{}
		for showing := range 40 {
			w := newWorld(t, few())
			met[m.insert(w.stream(Train, showing), test.text)] = true
		}
		delete(met, test.text)
		if want := map[string]bool{test.want: true}; test.want == test.text && len(met) > 0 ||
			test.want != test.text && !cmp.Equal(met, want) {
			t.Errorf("%q becomes %v, want %q", test.text, met, test.want)
		}
	}
}
