package partialdiffusion

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
)

// Keep is a folder in which an attack keeps what it has drawn, so that an interrupted one goes on there. A folder is of
// one attack: the caller names it by all that determines the pictures.
type Keep struct {
	Dir   string
	Every time.Duration // how often what is under way is kept, a minute if zero; an interrupt keeps it, too
}

// kept is a drawing in a file.
type kept struct {
	Done   bool
	Result diffusion.Result // its samples are in its state
}

// sample draws as [diffusion.Sample] does, and goes on where the file of that name has the state of an earlier call.
// Progress hears of the calls that were made then, too.
func (k *Keep) sample(ctx context.Context, name string, n *diffusion.Denoiser, o diffusion.SampleOptions) (
	diffusion.Result, error) {
	if k == nil {
		return diffusion.Sample(ctx, n, o)
	}
	before := 0
	if o.State != nil {
		before = o.State.Next
	}
	found, err := k.read(name)
	if err != nil {
		return diffusion.Result{}, err
	}
	if found != nil {
		for made := before; o.Progress != nil && made < found.Result.State.Next; made++ {
			o.Progress(made+1, 0)
		}
		if found.Done {
			return found.Result, nil
		}
		o.State = &found.Result.State
	}
	for {
		result, due, err := k.stretch(ctx, n, o)
		if err == nil || result.State.Next > 0 {
			if failed := k.write(name, kept{err == nil, result}); failed != nil {
				return result, failed
			}
		}
		if !due || ctx.Err() != nil {
			return result, err
		}
		o.State = &result.State
	}
}

// stretch draws until what is under way is due to be kept.
func (k *Keep) stretch(ctx context.Context, n *diffusion.Denoiser, o diffusion.SampleOptions) (r diffusion.Result,
	due bool, err error) {
	every, began := k.Every, time.Now()
	if every == 0 {
		every = time.Minute
	}
	within, stop := context.WithCancel(ctx)
	defer stop()
	told := o.Progress
	o.Progress = func(calls, of int) {
		if told != nil {
			told(calls, of)
		}
		if calls < of && time.Since(began) >= every {
			due = true
			stop() // between two calls, so that none is lost
		}
	}
	r, err = diffusion.Sample(within, n, o)
	return r, due && errors.Is(err, context.Canceled), err
}

// once is what a file of that name has, or is made and put there.
func (k *Keep) once(name string, make func() (diffusion.Result, error)) (diffusion.Result, error) {
	if k == nil {
		return make()
	}
	if found, err := k.read(name); found != nil || err != nil {
		if err != nil {
			return diffusion.Result{}, err
		}
		return found.Result, nil
	}
	result, err := make()
	if err == nil {
		err = k.write(name, kept{true, result})
	}
	return result, err
}

func (k *Keep) path(name string) string { return filepath.Join(k.Dir, name+".state") }

// read is nil where there is no such file.
func (k *Keep) read(name string) (*kept, error) {
	file, err := os.Open(k.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var found kept
	if err := gob.NewDecoder(file).Decode(&found); err != nil {
		return nil, fmt.Errorf("read %s: %w; without the file its part is drawn again", file.Name(), err)
	}
	if found.Result.Samples == nil {
		found.Result.Samples = found.Result.State.Sample
	}
	return &found, nil
}

func (k *Keep) write(name string, what kept) error {
	if err := safefile.MakeFolder(k.Dir); err != nil {
		return err
	}
	if state := what.Result.State.Sample; len(state) > 0 && len(what.Result.Samples) == len(state) &&
		&state[0] == &what.Result.Samples[0] {
		what.Result.Samples = nil
	}
	return safefile.WriteFile(k.path(name), func(w io.Writer) error { return gob.NewEncoder(w).Encode(what) })
}
