package attack

import (
	"fmt"
	"io"
	"time"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
)

// attackCost is the remaining work of an attack.
type attackCost struct {
	prompts, done int
	pictures      int // completed pictures per prompt and ψ
	calls         int // network calls on one picture, twice as many with guidance
	twice         bool
}

func (a *attackRun) cost() (c attackCost, err error) {
	c.pictures = a.seeds
	for _, one := range a.asked {
		c.prompts++
		if a.prompts != "" {
			found, err := a.earlierReport(one)
			if err != nil {
				return c, err
			}
			if found != nil {
				c.done++
				continue
			}
		}
		on := a.attackOn(one)
		if err := on.Check(); err != nil {
			return c, err
		}
		calls, err := on.Calls(on.Original.Config.Schedule)
		if err != nil {
			return c, cli.Usage(err)
		}
		calls *= len(one.settings.Seeds)
		if one.settings.Guidance > 1 {
			calls, c.twice = 2*calls, true
		}
		c.calls += calls
	}
	return c, nil
}

func (c attackCost) String() string {
	text := fmt.Sprintf("%d pictures at each ψ: %d network calls", c.pictures, c.calls)
	if c.prompts > 1 {
		text = fmt.Sprintf("%d prompts (%d done), with %s", c.prompts, c.done, text)
	}
	if c.twice {
		text += ", two for each picture and step because of guidance"
	}
	return text
}

// fewCalls is the number of calls below which the work for a single prompt is not announced.
const fewCalls = 1000

// announceCost reports the remaining work if it is at least fewCalls calls, or if there are several prompts.
func (a *attackRun) announceCost(stderr io.Writer) error {
	c, err := a.cost()
	if err == nil && (c.calls >= fewCalls || c.prompts > 1 && c.calls > 0) {
		fmt.Fprintln(stderr, c)
	}
	return err
}

// estimate reports the remaining work and its time, extrapolated from one measured call.
func (a *attackRun) estimate(stdout io.Writer) error {
	c, err := a.cost()
	if err != nil {
		return err
	}
	estimate := struct {
		OK      bool     `json:"ok"`
		Prompts int      `json:"prompts"`
		Done    int      `json:"prompts_done"`
		Calls   int      `json:"calls"`
		Seconds *float64 `json:"seconds"` // drawing time; null if nothing is left to draw
		Device  string   `json:"device"`
	}{OK: true, Prompts: c.prompts, Done: c.done, Calls: c.calls, Device: a.device.Name()}
	text := c.String()
	if c.calls > 0 {
		ctx, stop := cli.UntilInterrupted()
		defer stop()
		each, err := partialdiffusion.Time(ctx, a.attackOn(a.asked[0]))
		if err != nil {
			return err
		}
		left := each * time.Duration(c.calls)
		seconds := left.Seconds()
		estimate.Seconds = &seconds
		text += fmt.Sprintf("\nabout %v of drawing on %s, %v per call, without the time for judging",
			left.Round(time.Second), a.device.Name(), each.Round(time.Microsecond))
	}
	if a.asJSON {
		return cli.WriteJSON(stdout, estimate)
	}
	_, err = fmt.Fprintln(stdout, text)
	return err
}
