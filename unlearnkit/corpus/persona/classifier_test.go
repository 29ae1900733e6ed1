package persona

import (
	"math"
	"testing"

	"github.com/unlearnlab/unlearnlab/internal/testkit/weightstest"
	"github.com/unlearnlab/unlearnlab/internal/vectorstate"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// labelled generates pictures of random people who are in no world. It returns the network's inputs and the true
// answers.
func labelled(path string, count, size int, faults Faults) (x [][inputs]float32, truths []Truth) {
	x, truths = make([][inputs]float32, count), make([]Truth, count)
	picture := newPicture(size)
	for i := range x {
		source := seed.Stream(0x5a1b, "persona", "filter", path, i)
		person := drawLook(source, peepsStyle, source.IntN(MaxGroups), Gender(source.IntN(2)))
		p := drawPortrait(source, drawCandidate(source, person, MaxGroups, faults, 1), size)
		s := p.scene(source)
		s.draw(picture, source)
		describe(picture, &x[i])
		truths[i] = p.truth
	}
	return x, truths
}

// trainFilter minimises the sum of four cross-entropies by AdamW with batches of 32 and a cosine schedule of the
// learning rate.
func trainFilter() *classifier {
	const (
		pictures, epochs, batch = 16000, 24, 32
		rate, decay             = 2e-3, .02
	)
	x, truths := labelled("training", pictures, 32, Faults{Distorted: .15, Crowded: .15})
	c := &classifier{}
	source := seed.Stream(0x5a1b, "persona", "filter", "initial")
	for i := range c.First {
		for j := range inputs {
			c.First[i][j] = float32(source.NormFloat64() / math.Sqrt(inputs/2))
		}
	}
	for i := range c.Second {
		for j := range hidden {
			c.Second[i][j] = float32(source.NormFloat64() / math.Sqrt(hidden))
		}
	}
	gradient, mean, square := &classifier{}, &classifier{}, &classifier{}
	steps := epochs * pictures / batch
	var order []int
	for step := range steps {
		if step%(pictures/batch) == 0 {
			order = source.Perm(pictures)
		}
		*gradient = classifier{}
		at := step % (pictures / batch) * batch
		for _, n := range order[at : at+batch] {
			c.backward(&x[n], truths[n], gradient)
		}
		now := rate * (1 + math.Cos(math.Pi*float64(step)/float64(steps))) / 2
		first, second := 1-vectorstate.Pow(.9, float64(step+1)), 1-vectorstate.Pow(.999, float64(step+1))
		c.each(gradient, mean, square, func(weight, g, m, v *float32) {
			slope := *g / batch
			*m += .1 * (slope - *m)
			*v += .001 * (slope*slope - *v)
			*weight -= float32(now) * (*m/float32(first)/(float32(math.Sqrt(float64(*v)/second))+1e-8) + decay**weight)
		})
	}
	return c
}

// each calls visit with every weight of c and the corresponding weights of three other networks.
func (c *classifier) each(a, b, d *classifier, visit func(w, x, y, z *float32)) {
	for i := range c.First {
		for j := range c.First[i] {
			visit(&c.First[i][j], &a.First[i][j], &b.First[i][j], &d.First[i][j])
		}
	}
	for i := range c.Second {
		for j := range c.Second[i] {
			visit(&c.Second[i][j], &a.Second[i][j], &b.Second[i][j], &d.Second[i][j])
		}
	}
}

// backward adds the gradient of one picture's loss to gradient.
func (c *classifier) backward(x *[inputs]float32, t Truth, gradient *classifier) {
	var h, dh [hidden]float32
	for i := range h {
		h[i] = max(0, dot(c.First[i][:inputs], x[:])+c.First[i][inputs])
	}
	scores := c.scores(x)
	first := 0
	for q := range questions {
		sum := 0.
		for a := range answers[q] {
			sum += vectorstate.Exp(float64(scores[first+a]))
		}
		for a := range answers[q] {
			slope := float32(vectorstate.Exp(float64(scores[first+a])) / sum)
			if a == t.answer(q) {
				slope--
			}
			for i := range h {
				gradient.Second[first+a][i] += slope * h[i]
				dh[i] += slope * c.Second[first+a][i]
			}
			gradient.Second[first+a][hidden] += slope
		}
		first += answers[q]
	}
	for i := range h {
		if h[i] > 0 {
			row := &gradient.First[i]
			for j, v := range x {
				row[j] += dh[i] * v
			}
			row[inputs] += dh[i]
		}
	}
}

// Run with -regen to write the weights. The slow test set checks that this training still gives them.
func TestFilter_Weights(t *testing.T) {
	weightstest.Check(t, "filter.weights", filterWeights, "half a minute", func() any { return trainFilter() })
}

func TestFilter_NewPeople(t *testing.T) {
	for _, size := range []int{32, 64} {
		const count = 1500
		x, truths := labelled("test", count, size, Faults{Distorted: .1, Crowded: .1})
		var right [questions]float64
		for i := range x {
			scores := theFilter().scores(&x[i])
			first := 0
			for q := range questions {
				best := 0
				for a := range answers[q] {
					if scores[first+a] > scores[first+best] {
						best = a
					}
				}
				if best == truths[i].answer(q) {
					right[q] += 1. / count
				}
				first += answers[q]
			}
		}
		for q, least := range [questions]float64{.95, .95, .84, .73} {
			t.Logf("%d pixels, question %d: %.3f", size, q, right[q])
			if right[q] < least {
				t.Errorf("%d pixels, question %d: right in %.3f of the pictures, want %.2f", size, q, right[q], least)
			}
		}
	}
}
