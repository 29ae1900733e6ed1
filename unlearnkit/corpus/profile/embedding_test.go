package profile

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/unlearnlab/unlearnlab/internal/testkit/weightstest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// somebody returns a person who is in no world.
func somebody(path string, i int) persona.Sitter {
	return persona.DrawSitter(seed.Stream(0x1dea, "profile", path, i), i%persona.MaxGroups,
		persona.Gender(i/persona.MaxGroups%2))
}

// described draws a picture of a person and returns its description.
func described(s persona.Sitter, split Split, path string, i, k int) []float32 {
	source := seed.Stream(0x1dea, "profile", path, i, "picture", k)
	sitting := layouts[split].drawSitting(source)
	if k < anchorCount && split == Train {
		sitting = anchors()[k]
	}
	picture := newPicture(32)
	s.Portray(picture, 32, sitting, source)
	return persona.Describe(picture)
}

// scatter returns the covariance of descriptions within people, the covariance of people's means, and the overall mean.
func scatter(people, each int) (within, between *mat.SymDense, mean []float64) {
	deviations := mat.NewDense(people*each, persona.Description, nil)
	means := mat.NewDense(people, persona.Description, nil)
	mean = make([]float64, persona.Description)
	for i := range people {
		s, own := somebody("learning", i), means.RawRowView(i)
		for k := range each {
			row := deviations.RawRowView(i*each + k)
			for j, v := range described(s, Train, "learning", i, k) {
				row[j] = float64(v)
				own[j] += row[j] / float64(each)
				mean[j] += row[j] / float64(people*each)
			}
		}
		for k := range each {
			row := deviations.RawRowView(i*each + k)
			for j := range row {
				row[j] -= own[j]
			}
		}
	}
	for i := range people {
		own := means.RawRowView(i)
		for j := range own {
			own[j] -= mean[j]
		}
	}
	within, between = &mat.SymDense{}, &mat.SymDense{}
	within.SymOuterK(1/float64(people*each), deviations.T())
	between.SymOuterK(1/float64(people), means.T())
	return within, between, mean
}

// findRecogniser solves between·v = λ·within·v for the largest λ by whitening: within = L·Lᵀ.
func findRecogniser(t *testing.T) *recogniser {
	within, between, mean := scatter(400, 40)
	size := persona.Description
	ridge := .01 * mat.Trace(within) / float64(size)
	for j := range size {
		within.SetSym(j, j, within.At(j, j)+ridge)
	}
	var cholesky mat.Cholesky
	if !cholesky.Factorize(within) {
		t.Fatal("the covariance within people is not positive definite")
	}
	var lower, inverse mat.TriDense
	cholesky.LTo(&lower)
	if err := inverse.InverseTri(&lower); err != nil {
		t.Fatal(err)
	}
	var half, whitened mat.Dense
	half.Mul(&inverse, between)
	whitened.Mul(&half, inverse.T())
	symmetric := mat.NewSymDense(size, nil)
	for i := range size {
		for j := range i + 1 {
			symmetric.SetSym(i, j, whitened.At(i, j))
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(symmetric, true) {
		t.Fatal("no eigenvectors")
	}
	var vectors, directions mat.Dense
	eigen.VectorsTo(&vectors)
	directions.Mul(inverse.T(), vectors.Slice(0, size, size-dimensions, size))
	r := &recogniser{}
	for i := range dimensions {
		sum := 0.
		for j := range size {
			r.Directions[i][j] = float32(directions.At(j, i))
			sum += directions.At(j, i) * mean[j]
		}
		r.Mean[i] = float32(sum)
	}
	return r
}

// Run with -regen to write the weights. The slow test set checks that the computation still gives them.
func TestRecogniser_Weights(t *testing.T) {
	weightstest.Check(t, "recogniser.weights", recogniserWeights, "some seconds",
		func() any { return findRecogniser(t) })
}

// Impostors have the same group and gender, which is harder than with arbitrary people.
func TestRecogniser_NewPeople(t *testing.T) {
	const people, each = 40, 20
	for _, split := range []Split{Train, Test} {
		var wanted [people]embedding
		for i := range wanted {
			for k := range anchorCount {
				wanted[i].add(theRecogniser().embed(described(somebody("test", i), Train, "test", i, k)))
			}
		}
		own, others, ownKept, othersKept := 0, 0, 0, 0
		for i := range people {
			for k := range each {
				seen := theRecogniser().embed(described(somebody("test", i), split, "test", i, anchorCount+k))
				for j := i % 8; j < people; j += 8 {
					kept := wanted[j].cosine(seen) >= similarityThreshold
					switch {
					case i == j:
						own++
						ownKept += count(kept)
					case somebody("test", i).Distance(somebody("test", j)) >= minDistance:
						others++
						othersKept += count(kept)
					}
				}
			}
		}
		ownRate, otherRate := float64(ownKept)/float64(own), float64(othersKept)/float64(others)
		t.Logf("%s: %.3f of own pictures and %.3f of others' pass", split, ownRate, otherRate)
		if ownRate < .85 || otherRate > .12 || math.IsNaN(otherRate) {
			t.Errorf("%s: %.3f of own pictures and %.3f of others' pass", split, ownRate, otherRate)
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
