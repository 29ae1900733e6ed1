package train

import (
	"context"
	"math"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// judged holds a model with random weights and its scores. Tests recompute the scores with its embedder.
type judged struct {
	e      *examples
	scores salmu.Scores
	embed  *embedder
	reader reader
}

func newJudged(t *testing.T) judged { return newJudgedIn(t, salmu.Smoke().World) }

func newJudgedIn(t *testing.T, spec persona.Spec) judged {
	t.Helper()
	d := devicetest.Open(t)
	world, err := persona.Generate(spec)
	if err != nil {
		t.Fatal(err)
	}
	from := newSmall(world)
	words, err := vocabulary(from.retainRows(), salmu.Smoke().Size.Vocabulary)
	if err != nil {
		t.Fatal(err)
	}
	m := fresh(shape(salmu.Smoke().Size, 32, words.Size()), words, 3)
	t.Cleanup(m.store.Finalize)
	if err := m.trace(d); err != nil {
		t.Fatal(err)
	}
	embed, err := newEmbedder(d, m.config, m.store)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(embed.close)
	e := newExamples(m.reader(from), 10)
	scores, err := e.judge(context.Background(), embed)
	if err != nil {
		t.Fatal(err)
	}
	return judged{e, scores, embed, m.reader(from)}
}

// vectors converts embeddings to float64 and normalises them.
func (j judged) vectors(t *testing.T, matrix metric.Matrix, err error) [][]float64 {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	rows, dim := matrix.Dims()
	vectors := make([][]float64, rows)
	for i := range vectors {
		length := 0.0
		for k := range dim {
			x := float64(matrix.Data[i*dim+k])
			vectors[i] = append(vectors[i], x)
			length += x * x
		}
		for k := range dim {
			vectors[i][k] /= math.Sqrt(length)
		}
	}
	return vectors
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// The four metrics with more than one step are recomputed by plain loops over the rows of the world.
func TestJudge_EqualsPlainLoops(t *testing.T) {
	j, ctx := newJudged(t), context.Background()
	e := j.e
	images, captions, err := j.embed.table(ctx, e.pairs)
	v := j.vectors(t, images, err)
	c := j.vectors(t, captions, err)
	words := func(ids []int32) [][]float64 {
		matrix, err := j.embed.words(ctx, ids)
		return j.vectors(t, matrix, err)
	}
	gallery, names := words(e.gallery), words(e.names)
	nameFirst, valueFirst := words(e.core[0]), words(e.core[1])

	var forget, whole []int
	for i, row := range e.sensitive {
		if row.Split == persona.ForgetIdentity || row.Split == persona.ForgetAssociation {
			forget = append(forget, i)
		}
		if row.Split == persona.ForgetIdentity {
			whole = append(whole, i)
		}
	}
	reciprocal, core := 0.0, 0.0
	for k, i := range forget {
		rank := 1
		for _, g := range gallery {
			if dot(v[i], g) > dot(v[i], c[i]) {
				rank++
			}
		}
		reciprocal += 1 / float64(rank) / float64(len(forget))
		core += math.Max(dot(v[i], nameFirst[k]), dot(v[i], valueFirst[k])) / float64(len(forget))
	}
	right := 0
	for _, i := range whole {
		best := 0
		for k := range names {
			if dot(v[i], names[k]) > dot(v[i], names[best]) {
				best = k
			}
		}
		if name := e.sensitive[i].Name; name == nameOf(e.sensitive, whole, best) {
			right++
		}
	}
	for name, want := range map[string]float64{
		"RetFail": reciprocal, "CoreAssoc": core, "IdZSC": float64(right) / float64(len(whole)),
		"ACS": j.probe(v, c, forget),
	} {
		own := j.scores.Evaluation()
		for _, column := range salmu.Mini().Columns() {
			got := column.Mean(own, study.References{"compromised": own})
			if column.Name == name && !(math.Abs(got-want) < 1e-6) {
				t.Errorf("%s is %v, by plain loops %v", name, got, want)
			}
		}
	}
}

// nameOf returns the name of a person by number. The people who are forgotten entirely are numbered in the order in
// which they first occur.
func nameOf(sensitive []persona.Row, rows []int, number int) string {
	seen := map[string]bool{}
	for _, i := range rows {
		name := sensitive[i].Name
		if seen[name] {
			continue
		}
		if len(seen) == number {
			return name
		}
		seen[name] = true
	}
	return ""
}

// probe fits a logistic regression by gradient descent. It distinguishes true from shuffled captions by their cosines.
// probe returns the accuracy on the other half of the examples.
func (j judged) probe(v, c [][]float64, forget []int) float64 {
	n := len(forget)
	cosine := make([]float64, 2*n)
	for k, i := range forget {
		cosine[k], cosine[n+k] = dot(v[i], c[i]), dot(v[i], c[forget[j.e.probe.Partner[k]]])
	}
	w, b := 0.0, 0.0
	for range 200000 {
		gw, gb := w, 0.0
		for _, example := range j.e.probe.Train {
			y := 0.0
			if example < n {
				y = 1
			}
			p := 1 / (1 + vectorstate.Exp(-w*cosine[example]-b))
			gw, gb = gw+(p-y)*cosine[example], gb+p-y
		}
		w, b = w-0.02*gw, b-0.02*gb
	}
	right := 0
	for _, example := range j.e.probe.Test {
		if (w*cosine[example]+b > 0) == (example < n) {
			right++
		}
	}
	return float64(right) / float64(len(j.e.probe.Test))
}

// The gallery has as many captions from forget rows as from retain rows, and a second drawing gives the same.
func TestGallery_BothSides(t *testing.T) {
	j := newJudged(t)
	again := newExamples(j.reader, 10)
	if got, want := len(again.gallery), 20*40; got != want {
		t.Errorf("%d tokens of gallery captions, want %d", got, want)
	}
	for i := range again.gallery {
		if again.gallery[i] != j.e.gallery[i] {
			t.Fatal("a second drawing gives another gallery")
		}
	}
}

func TestDomainGap_Portraits(t *testing.T) {
	spec := salmu.Smoke().World
	spec.Unseen, spec.ByAttribute = 9, true
	usual, j, ctx := newJudged(t), newJudgedIn(t, spec), context.Background()
	before, err := usual.e.judgeGap(ctx, usual.embed)
	if err != nil {
		t.Fatal(err)
	}
	gap, err := j.e.judgeGap(ctx, j.embed)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for _, s := range gap {
		counts[s.Split]++
	}
	for split, want := range map[string]int{salmu.GapReal: spec.Real, salmu.GapGenerated: 64,
		salmu.GapUnseenReal: 9, salmu.GapUnseenGenerated: 9} {
		if counts[split] != want {
			t.Errorf("%d portraits of %s, want %d", counts[split], split, want)
		}
	}
	for i, s := range before {
		if gap[i].ID != s.ID || gap[i].Split != s.Split || math.Abs(gap[i].Cosine-s.Cosine) > 1e-6 {
			t.Fatalf("%+v is another portrait of the world, or is liked otherwise: %+v", gap[i], s)
		}
	}
	matrix, err := j.embed.words(ctx, j.e.generic)
	captions := j.vectors(t, matrix, err)
	unseen := j.reader.corpus.split(persona.UnseenReal)
	pairs := j.reader.table(unseen)
	matrix, err = j.embed.pictures(ctx, pairs, all(pairs))
	pictures := j.vectors(t, matrix, err)
	for i, row := range unseen {
		mean := 0.0
		for _, caption := range captions {
			mean += dot(pictures[i], caption) / float64(len(captions))
		}
		if s := gap[len(before)+i]; s.ID != row.ID || s.Split != salmu.GapUnseenReal || math.Abs(s.Cosine-mean) > 1e-6 {
			t.Errorf("%+v, by plain loops %s %g", s, row.ID, mean)
		}
	}
}
