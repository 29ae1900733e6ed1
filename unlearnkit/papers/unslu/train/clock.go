package train

import (
	"slices"
	"time"
)

// clock measures the time of a training: its steps, and what is computed once ahead of them. Building a graph for a
// device takes longer than many steps, and only the first run that needs the graph builds it. A step that builds a
// graph is therefore counted as long as its neighbours.
type clock struct {
	last  time.Time
	ahead []float64 // seconds of each batch that is computed once
	steps []float64 // seconds of each step
	past  int       // steps of an earlier process, which were not timed
}

func newClock() *clock { return &clock{last: time.Now()} }

// progress returns the function that a training calls after each step. It also calls on.
func (c *clock) progress(on func(done, of int)) func(done, of int) {
	return func(done, of int) {
		if len(c.steps) == 0 {
			c.past = done - 1
		}
		c.steps = append(c.steps, c.elapsed())
		if on != nil {
			on(done, of)
		}
		c.last = time.Now()
	}
}

// computed is called after each batch that is computed ahead of the steps.
func (c *clock) computed(int, int) {
	c.ahead = append(c.ahead, c.elapsed())
	c.last = time.Now()
}

func (c *clock) elapsed() float64 { return time.Since(c.last).Seconds() }

// pause excludes the time since the last step, which was not training.
func (c *clock) pause() { c.last = time.Now() }

const (
	neighbours = 5 // number of steps on either side
	tooSlow    = 4 // multiple of the neighbours' median beyond which a step has built a graph
)

// seconds returns the time of all steps and of the batches that are computed before the first step.
func (c *clock) seconds() float64 {
	if len(c.steps) == 0 {
		return 0
	}
	return c.secondsAhead() + smooth(c.steps)*float64(len(c.steps)+c.past)/float64(len(c.steps))
}

// secondsAhead returns the time of the batches that are computed before the first step.
func (c *clock) secondsAhead() float64 { return smooth(c.ahead) }

// smooth returns the sum of seconds. It replaces values that are too slow by the median of their neighbours.
func smooth(seconds []float64) (sum float64) {
	for i, step := range seconds {
		around := slices.Sorted(slices.Values(seconds[max(0, i-neighbours):min(len(seconds), i+neighbours+1)]))
		if median := around[len(around)/2]; step > tooSlow*median {
			step = median
		}
		sum += step
	}
	return sum
}
