package train

import (
	"math"
	"slices"
	"testing"
	"testing/synctest"
	"time"
)

func TestClock_Seconds(t *testing.T) {
	even := slices.Repeat([]float64{.25}, 8)
	building := slices.Clone(even)
	building[0] = 9 // the first step compiles the graph
	for name, test := range map[string]struct {
		clock clock
		want  float64
	}{
		"no step":                        {clock{}, 0},
		"steps":                          {clock{steps: even}, 2},
		"a graph is built":               {clock{steps: building}, 2},
		"an earlier process":             {clock{steps: even, past: 4}, 3},
		"batches ahead":                  {clock{steps: even, ahead: even}, 4},
		"batches ahead build a graph":    {clock{steps: building, ahead: building}, 4},
		"batches ahead, earlier process": {clock{steps: even, ahead: even, past: 4}, 5},
	} {
		if got := test.clock.seconds(); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%s: got %v seconds, want %v", name, got, test.want)
		}
	}
}

// The first step begins after the batches that are computed ahead. Otherwise their time would count as building a
// graph, which is left out.
func TestClock_Computed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClock()
		step := c.progress(nil)
		for batch := range 3 {
			time.Sleep(20 * time.Millisecond)
			c.computed(batch+1, 3)
		}
		for done := range 12 {
			time.Sleep(time.Millisecond)
			step(done+1, 12)
		}
		if c.steps[0] != .001 {
			t.Errorf("the first step took %v s, want .001 s", c.steps[0])
		}
		if ahead := c.secondsAhead(); math.Abs(ahead-.06) > 1e-12 || math.Abs(c.seconds()-ahead-.012) > 1e-12 {
			t.Errorf("got %v s ahead of %v s, want .06 s of .072 s", ahead, c.seconds())
		}
	})
}
