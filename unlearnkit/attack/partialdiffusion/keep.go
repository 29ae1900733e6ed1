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

// Keep is a folder in which an attack stores what it has drawn, so that an interrupted attack can resume. A folder
// belongs to one attack: the caller derives its name from everything that determines the pictures.
type Keep struct {
	Dir   string
	Every time.Duration // interval between writes of unfinished work, a minute if zero; an interrupt also writes
}

type savedDrawing struct {
	Done   bool
	Result diffusion.Result // result without samples, which are in its state
}

// sample draws as [diffusion.Sample] does. It resumes if the file with that name has the state of an earlier call.
// progress also counts the calls of that earlier run.
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
			if failed := k.write(name, savedDrawing{err == nil, result}); failed != nil {
				return result, failed
			}
		}
		if !due || ctx.Err() != nil {
			return result, err
		}
		o.State = &result.State
	}
}

// stretch draws until the next write is due.
func (k *Keep) stretch(ctx context.Context, n *diffusion.Denoiser, o diffusion.SampleOptions) (r diffusion.Result,
	due bool, err error) {
	every, began := k.Every, time.Now()
	if every == 0 {
		every = time.Minute
	}
	within, stop := context.WithCancel(ctx)
	defer stop()
	report := o.Progress
	o.Progress = func(calls, of int) {
		if report != nil {
			report(calls, of)
		}
		if calls < of && time.Since(began) >= every {
			due = true
			stop() // stop between two calls, so that no call is lost
		}
	}
	r, err = diffusion.Sample(within, n, o)
	return r, due && errors.Is(err, context.Canceled), err
}

// loadOrMake returns the result in the file with that name, or makes the result and writes the file.
func (k *Keep) loadOrMake(name string, make func() (diffusion.Result, error)) (diffusion.Result, error) {
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
		err = k.write(name, savedDrawing{true, result})
	}
	return result, err
}

func (k *Keep) path(name string) string { return filepath.Join(k.Dir, name+".state") }

// read returns nil if there is no file with that name.
func (k *Keep) read(name string) (*savedDrawing, error) {
	file, err := os.Open(k.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var found savedDrawing
	if err := gob.NewDecoder(file).Decode(&found); err != nil {
		return nil, fmt.Errorf("read %s: %w; without the file its part is drawn again", file.Name(), err)
	}
	if found.Result.Samples == nil {
		found.Result.Samples = found.Result.State.Sample
	}
	return &found, nil
}

func (k *Keep) write(name string, what savedDrawing) error {
	if err := safefile.MakeFolder(k.Dir); err != nil {
		return err
	}
	if state := what.Result.State.Sample; len(state) > 0 && len(what.Result.Samples) == len(state) &&
		&state[0] == &what.Result.Samples[0] {
		what.Result.Samples = nil
	}
	return safefile.WriteFile(k.path(name), func(w io.Writer) error { return gob.NewEncoder(w).Encode(what) })
}
