package concept

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"
)

// example is a picture and its features.
type example struct {
	labels Labels
	grey   [256]float64 // brightness of 16 × 16 areas, minus the mean
	colour [64]float64  // histogram of 64 colours
}

func newExample(l Labels, m *image.NRGBA) *example {
	e := &example{labels: l}
	mean := 0.
	for y := range grid {
		for x := range grid {
			c := m.NRGBAAt(x, y)
			light := float64(c.R) + float64(c.G) + float64(c.B)
			e.grey[y/2*16+x/2] += light
			mean += light / 256
			e.colour[c.R>>6<<4|c.G>>6<<2|c.B>>6]++
		}
	}
	for i := range e.grey {
		e.grey[i] -= mean
	}
	return e
}

// examples returns count pictures of every object in every style, without textures.
func examples(from uint64, count int) []*example {
	source := rand.New(rand.NewPCG(from, 0))
	m := image.NewNRGBA(image.Rect(0, 0, grid, grid))
	var all []*example
	for range count {
		for object := range Objects {
			for style := range Styles {
				l := Labels{Object(object), Style(style), Colour(source.IntN(Colours)), Bare}
				s := compose(source, l)
				s.draw(m, grid)
				all = append(all, newExample(l, m))
			}
		}
	}
	return all
}

// nearest returns the labels of the known example whose features are closest to asked.
func nearest(known []*example, features func(*example) []float64, asked []float64) Labels {
	best, least := 0, math.Inf(1)
	for i, e := range known {
		sum := 0.
		for j, v := range features(e) {
			if sum += (v - asked[j]) * (v - asked[j]); sum > least {
				break
			}
		}
		if sum < least {
			best, least = i, sum
		}
	}
	return known[best].labels
}

// If nearest neighbours recognise objects by brightness and styles by colours, so can people and networks.
func TestDistinct_NearestPicture(t *testing.T) {
	const each = 6
	known, asked := examples(1, 30), examples(2, each)
	grey := func(e *example) []float64 { return e.grey[:] }
	colour := func(e *example) []float64 { return e.colour[:] }
	var objects [Objects]int
	var styles [Styles]int
	for _, e := range asked {
		if nearest(known, grey, grey(e)).Object == e.labels.Object {
			objects[e.labels.Object]++
		}
		if nearest(known, colour, colour(e)).Style == e.labels.Style {
			styles[e.labels.Style]++
		}
	}
	for object, right := range objects {
		if all := each * Styles; right < all*85/100 {
			t.Errorf("of %d pictures of a %s, %d are found nearest to one", all, Object(object), right)
		}
	}
	for style, right := range styles {
		if all := each * Objects; right < all*95/100 {
			t.Errorf("of %d pictures in %s, %d are found nearest to one", all, Style(style), right)
		}
	}
	t.Logf("objects %v of %d, styles %v of %d", objects, each*Styles, styles, each*Objects)
}
