package train

import (
	"slices"
	"time"
)

// clock measures the time of a training: its steps, and what is computed once before them. The first run that needs a
// graph compiles it for the device, which takes longer than many steps. A step that compiles a graph therefore counts
// as the median of its neighbours.
type clock struct {
	last  time.Time
	ahead []float64 // seconds of each batch that is computed before the steps
	steps []float64 // seconds of each step
	past  int       // number of steps that an earlier process ran, which were not timed
}

func newClock() *clock { return &clock{last: time.Now()} }

// progress returns a function for a training to call after each step. This function also calls on.
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

// computed records the time of a batch that was computed before the steps. It is called after each such batch.
func (c *clock) computed(int, int) {
	c.ahead = append(c.ahead, c.elapsed())
	c.last = time.Now()
}

func (c *clock) elapsed() float64 { return time.Since(c.last).Seconds() }

// pause excludes the time since the last step from the training time.
func (c *clock) pause() { c.last = time.Now() }

const (
	neighbours = 5 // number of neighbours on each side
	tooSlow    = 4 // a step that takes this many times the median of its neighbours has compiled a graph
)

// seconds returns the seconds of all steps and of the computation before them.
func (c *clock) seconds() float64 {
	if len(c.steps) == 0 {
		return 0
	}
	return c.secondsAhead() + smooth(c.steps)*float64(len(c.steps)+c.past)/float64(len(c.steps))
}

// secondsAhead returns the seconds of the computation before the steps.
func (c *clock) secondsAhead() float64 { return smooth(c.ahead) }

// smooth returns the sum of seconds. It replaces outliers with the median of their neighbours.
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
