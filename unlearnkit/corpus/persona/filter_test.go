package persona

import (
	"testing"
)

func TestFilterReport_AddsUp(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		for _, r := range []FilterReport{w.Report, w.Others} {
			if r.Distorted+r.Crowded+r.OffVote+r.Passed != r.Pictures || r.Kept+r.TooFew != r.Personas {
				t.Errorf("%+v does not add up", r)
			}
			for name, cells := range map[string][]int{
				"distorted": flat(r.DistortedConfusion[:]), "crowded": flat(r.CrowdedConfusion[:]),
				"gender": flat(r.GenderConfusion[:]), "group": flatGroups(r.GroupConfusion),
			} {
				sum := 0
				for _, cell := range cells {
					sum += cell
				}
				if sum != r.Pictures {
					t.Errorf("%s confuses %d of %d pictures", name, sum, r.Pictures)
				}
			}
		}
		if got, want := w.Report.Pictures, w.Report.Personas*w.Spec.Candidates; got != want {
			t.Errorf("%d pictures, want %d", got, want)
		}
		if w.Report.Kept != w.Spec.Identities {
			t.Errorf("%d people kept", w.Report.Kept)
		}
	})
}

func flat(rows [][2]int) (cells []int) {
	for _, row := range rows {
		cells = append(cells, row[:]...)
	}
	return cells
}

func flatGroups(rows [MaxGroups][MaxGroups]int) (cells []int) {
	for _, row := range rows {
		cells = append(cells, row[:]...)
	}
	return cells
}

// The generator's error rates are those of the spec, and the filter removes most errors but not all, as in the paper.
func TestFilter_Rates(t *testing.T) {
	r := quickWorld().Report
	pictures := float64(r.Pictures)
	faults := quickWorld().Spec.Faults
	mean := 1 + faults.Weak*(faults.WeakFactor-1)
	for name, c := range map[string]struct {
		confusion [2][2]int
		rate      float64
	}{"distorted": {r.DistortedConfusion, faults.Distorted}, "crowded": {r.CrowdedConfusion, faults.Crowded}} {
		wrong := float64(c.confusion[1][0] + c.confusion[1][1])
		// The number of weak personas is random, so the rate may differ by a third.
		if share := wrong / pictures; share < c.rate*mean*2/3 || share > c.rate*mean*4/3 {
			t.Errorf("%s: %.3f of all pictures, expected about %.3f", name, share, c.rate*mean)
		}
		if caught := float64(c.confusion[1][1]) / wrong; caught < .85 || caught == 1 {
			t.Errorf("%s: %.3f are caught", name, caught)
		}
		if alarms := float64(c.confusion[0][1]) / float64(c.confusion[0][0]); alarms > .03 {
			t.Errorf("%s: false alarms %.3f", name, alarms)
		}
	}
	if left := float64(r.FaultyAfter) / float64(r.Passed); left <= 0 || left > .03 {
		t.Errorf("%.3f of what passes is faulty", left)
	}
	// The paper kept 774 of 1,000 personas.
	if kept := float64(r.Kept) / float64(r.Personas); kept < .6 || kept > .95 {
		t.Errorf("%.2f of the personas are kept", kept)
	}
}

func TestFilter_WithoutFaults(t *testing.T) {
	w := smallWorlds()[len(smallWorlds())-1]
	r := w.Report
	if w.Spec.Faults != (Faults{}) || r.FaultyAfter != 0 {
		t.Fatalf("%d faulty pictures", r.FaultyAfter)
	}
	if faulty := r.DistortedConfusion[1][0] + r.DistortedConfusion[1][1] + r.CrowdedConfusion[1][0] +
		r.CrowdedConfusion[1][1]; faulty != 0 {
		t.Errorf("%d pictures are distorted or crowded", faulty)
	}
}

// The filter passes every sensitive row's picture when it is asked again.
func TestFilter_OnlyPassingPictures(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		for _, row := range w.Sensitive {
			guess := theFilter().answer(w.Picture(row), w.Spec.Groups)
			p := w.People[row.Identity]
			if guess != [questions]int{0, 0, int(p.Gender), p.Group} {
				t.Errorf("%s: the filter sees %v, the person is a %v of group %d", row.ID, guess, p.Gender, p.Group)
			}
		}
	})
}

func TestPeople_GroupsAndGenders(t *testing.T) {
	cells := map[[2]int]int{}
	for _, p := range quickWorld().People {
		cells[[2]int{p.Group, int(p.Gender)}]++
	}
	for cell, count := range cells {
		if count < 5 || count > 11 {
			t.Errorf("group %d, %v: %d people", cell[0], Gender(cell[1]), count)
		}
	}
	if len(cells) != 8 {
		t.Errorf("%d of 8 kinds of people", len(cells))
	}
}

// Two people in a world differ at least in the head's outline, the skin, the hair or the clothes, or in four smaller
// features.
func TestPeople_Distinct(t *testing.T) {
	w := quickWorld()
	kept := map[int]bool{}
	for _, row := range w.Sensitive {
		kept[w.recipes[row.Image].subject] = true
	}
	if len(kept) != len(w.People) {
		t.Fatalf("%d personas for %d people", len(kept), len(w.People))
	}
	closest := 1 << 30
	for a := range kept {
		for b := range kept {
			if a < b {
				closest = min(closest, w.personas[a].look.distance(&w.personas[b].look))
			}
		}
	}
	t.Logf("closest pair at %d", closest)
	if closest < 4 {
		t.Errorf("two people differ by %d", closest)
	}
}
