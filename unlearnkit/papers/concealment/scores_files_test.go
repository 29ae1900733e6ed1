package concealment

import (
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

func anAttack() *Attacked {
	labels := concept.Labels{Object: concept.Cat, Style: concept.Neon, Colour: concept.Blue, Texture: concept.Banded}
	return &Attacked{
		Pictures: []Picture{
			{Protocol: Disjoint, Psi: ".05", Number: 3, Labels: labels,
				Of: [2]Outcome{{.5, .25, .125, .75, .375, .625, .5}, {1, 0, .5, -.25, .25, .5, .75}}},
			{Protocol: Published, Psi: ".05", Number: 42, Of: [2]Outcome{{Probability: .25}, {PrintedForget: .5}}},
		},
		Distances: []Distance{{Disjoint, ".05", false, -.001, .1}, {Published, ".05", true, 3.5, .5}},
		Fitted:    []Fitted{{"head_only", .875, .75}, {"full_triplet", 1, .9375}},
		Original:  Views{{"cat neon", 0, labels}},
		Unlearned: Views{{"cat neon", 0, concept.Labels{}}, {"cat neon", 1, labels}},
	}
}

func filesIn(t *testing.T, folder string) *store.Artifact {
	t.Helper()
	artifact, err := store.FilesIn(folder)
	if err != nil {
		t.Fatal(err)
	}
	return artifact
}

func TestAttacked_RoundTrip(t *testing.T) {
	folder, want := t.TempDir(), anAttack()
	if err := want.Write(folder); err != nil {
		t.Fatal(err)
	}
	got, err := ReadAttacked(filesIn(t, folder))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	want.Pictures[0].Of[0].Probability, want.Distances[0].KID, want.Distances[1].Error = 1/3., 1/3., math.NaN()
	if err := want.Write(folder); err != nil {
		t.Fatal(err)
	}
	if got, err = ReadAttacked(filesIn(t, folder)); err != nil {
		t.Fatal(err)
	}
	if p := got.Pictures[0].Of[0].Probability; math.Abs(p-1/3.) > 1e-6 || got.Distances[0].KID != 1/3. ||
		!math.IsNaN(got.Distances[1].Error) {
		t.Errorf("got %v, %+v, want p near 1/3., Distances[0].KID 1/3., Distances[1].Error NaN", p, got.Distances)
	}
}

func TestReadAttacked_Refused(t *testing.T) {
	numbers := func(names ...string) []safefile.Column {
		var columns []safefile.Column
		for _, name := range names {
			columns = append(columns, safefile.Column{Name: name, Values: []float64{1}})
		}
		return columns
	}
	words := func(name, word string) safefile.Column { return safefile.Column{Name: name, Texts: []string{word}} }
	for _, test := range []struct {
		file, says string
		columns    []safefile.Column
	}{
		{PicturesFile, `no column "protocol" of words`, numbers("protocol", "psi", "number")},
		{PicturesFile, `without the column "psi"`, append(numbers("number"), words("protocol", "disjoint"))},
		{PicturesFile, `without the column "object"`,
			append(numbers("number"), words("protocol", "disjoint"), words("psi", ".5"))},
		{PicturesFile, `without the column "head_only_probability"`,
			append(numbers("number", "object", "style", "colour", "texture"), words("protocol", "disjoint"),
				words("psi", ".5"))},
		{distancesFile, `row 1 has the protocol "leaky", which is neither disjoint nor published`,
			append(numbers("unlearned", "kid", "error"), words("protocol", "leaky"), words("psi", ".5"))},
		{fittedFile, `without the column "validation"`,
			append(numbers("training"), words("classifier", "head_only"))},
		{unlearnedFile, `without the column "prompt"`, numbers("number")},
	} {
		folder := t.TempDir()
		if err := anAttack().Write(folder); err != nil {
			t.Fatal(err)
		}
		if err := safefile.WriteParquet(filepath.Join(folder, test.file), test.columns); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadAttacked(filesIn(t, folder)); err == nil || !strings.Contains(err.Error(), test.says) ||
			strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), test.file) {
			t.Errorf("%s: %v; want one line with %q", test.file, err, test.says)
		}
	}
	if _, err := ReadAttacked(filesIn(t, t.TempDir())); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("an empty folder: %v", err)
	}
}
