package compute

import (
	"slices"
	"time"
)

// clock times the steps of a training. Building a graph for a device takes longer than many steps and is done once, by
// whoever comes first: a step in which that happens counts as those around it do.
type clock struct {
	last  time.Time
	steps []float64 // seconds
	past  int       // steps of an earlier process, which were not timed
}

func newClock() *clock { return &clock{last: time.Now()} }

// progress is told after each step how many are done, and passes it on.
func (c *clock) progress(on func(done, of int)) func(done, of int) {
	return func(done, of int) {
		now := time.Now()
		if len(c.steps) == 0 {
			c.past = done - 1
		}
		c.steps = append(c.steps, now.Sub(c.last).Seconds())
		if on != nil {
			on(done, of)
		}
		c.last = time.Now()
	}
}

// pause leaves out what has passed since the last step: what was done between is not training.
func (c *clock) pause() { c.last = time.Now() }

const (
	neighbours = 5 // on either side of a step
	tooSlow    = 4 // times the median of its neighbours: no step, but the building of a graph
)

// seconds are those of all steps.
func (c *clock) seconds() float64 {
	if len(c.steps) == 0 {
		return 0
	}
	sum := 0.0
	for i, step := range c.steps {
		around := slices.Clone(c.steps[max(0, i-neighbours):min(len(c.steps), i+neighbours+1)])
		slices.Sort(around)
		median := around[len(around)/2]
		if step > tooSlow*median {
			step = median
		}
		sum += step
	}
	return sum * float64(len(c.steps)+c.past) / float64(len(c.steps))
}
