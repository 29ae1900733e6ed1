package profile

import "testing"

// A question without a name identifies the person by the picture, so nearly all pictures must be nearest to the anchors
// of their own person.
func TestPictures_NearestPerson(t *testing.T) {
	c := standard().Private
	wanted := make([]embedding, len(c.People))
	for i := range wanted {
		for which := range anchorCount {
			wanted[i].add(embed(c.Anchor(i, which)))
		}
	}
	right, all := map[Split]int{}, map[Split]int{}
	for i := range c.People {
		for picture := 72; picture < 128; picture++ {
			split := Train
			if picture >= 100 {
				split = Test
			}
			seen, nearest := embed(c.Picture(i, picture)), 0
			for j := range wanted {
				if wanted[j].cosine(seen) > wanted[nearest].cosine(seen) {
					nearest = j
				}
			}
			all[split]++
			right[split] += count(nearest == i)
		}
	}
	for split, n := range all {
		rate := float64(right[split]) / float64(n)
		t.Logf("%s: %.3f of %d pictures", split, rate, n)
		if rate < .95 {
			t.Errorf("%s: only %.3f of the pictures are nearest to their own person", split, rate)
		}
	}
}

func TestWorld_LargerPictures(t *testing.T) {
	spec := small(0)
	spec.ImageSize, spec.Identities, spec.Public, spec.Crowd = 64, 4, 0, 0
	w := mustGenerate(spec)
	if got := w.Private.Picture(3, 1).Bounds().Dx(); got != 64 || w.Private.Filter.Rate() < .5 {
		t.Errorf("pictures of %d pixels, of which %.2f pass", got, w.Private.Filter.Rate())
	}
}
