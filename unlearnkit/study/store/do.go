package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Do returns the artifact that a stage makes from a spec, and makes it if it is absent. If another process is making
// the artifact, Do waits.
//
// The maker writes the artifact's files through [Work]. If it returns an error, nothing is stored except the files in
// [Work.Resume]. A damaged artifact is a [Damaged] error until [Store.Repair] has moved it aside.
//
// inputs are the artifacts that the maker reads. They are recorded, but only the spec determines the key: a spec must
// contain the keys of its inputs, or determine them in another way. If the store has the artifact made from other
// inputs, Do returns an error.
func (s *Store) Do(ctx context.Context, stage Stage, spec any, inputs []Key,
	maker func(ctx context.Context, w *Work) error) (*Artifact, error) {
	return s.do(ctx, stage, spec, inputs, maker, true)
}

// TryDo works like [Store.Do], but returns [ErrBusy] instead of waiting.
func (s *Store) TryDo(ctx context.Context, stage Stage, spec any, inputs []Key,
	maker func(ctx context.Context, w *Work) error) (*Artifact, error) {
	return s.do(ctx, stage, spec, inputs, maker, false)
}

func (s *Store) do(ctx context.Context, stage Stage, spec any, inputs []Key, maker func(context.Context, *Work) error,
	wait bool) (*Artifact, error) {
	id, key, err := identify(stage, spec)
	if err != nil {
		return nil, err
	}
	inputs = slices.Compact(slices.Sorted(slices.Values(inputs)))
	for _, input := range inputs {
		if err := input.check(); err != nil {
			return nil, fmt.Errorf("inputs of %s: %w", stage.Name, err)
		}
	}
	if artifact, err := s.getMadeFrom(key, inputs); !errors.Is(err, ErrAbsent) {
		return artifact, err
	}
	held, err := s.lock(ctx, key, wait)
	if err != nil {
		return nil, err
	}
	defer held.release()
	if artifact, err := s.getMadeFrom(key, inputs); !errors.Is(err, ErrAbsent) {
		return artifact, err
	}
	if s.shared != nil {
		claimed, err := s.claim(ctx, key, wait)
		if err != nil {
			return nil, err
		}
		defer claimed.release()
		if artifact, err := s.fetch(ctx, key); !errors.Is(err, ErrAbsent) {
			return artifact, checkInputs(artifact, inputs, err)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("make %s: %w", stage.Name, context.Cause(ctx))
	}
	return s.make(ctx, Manifest{Key: key, Stage: id.Stage, Version: id.Version, Spec: id.Spec,
		Inputs: append([]Key{}, inputs...)}, maker)
}

// claim keeps other machines from making an artifact. If wait is true, it waits until no other machine does.
func (s *Store) claim(ctx context.Context, key Key, wait bool) (*claim, error) {
	for {
		claimed, err := s.shared.claim(ctx, key)
		if !wait || !errors.Is(err, ErrBusy) {
			return claimed, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for another machine to make the artifact %s: %w", key.short(), context.Cause(ctx))
		case <-time.After(claimPause):
		}
	}
}

// getMadeFrom works like Kept, but returns an error if the artifact was made from other inputs.
func (s *Store) getMadeFrom(key Key, inputs []Key) (*Artifact, error) {
	artifact, err := s.Kept(key)
	return artifact, checkInputs(artifact, inputs, err)
}

// checkInputs returns err, or an error if an artifact was made from other inputs.
func checkInputs(artifact *Artifact, inputs []Key, err error) error {
	if err != nil || slices.Equal(artifact.Manifest.Inputs, inputs) {
		return err
	}
	return fmt.Errorf("the artifact %s of %s was made from other inputs than the present ones: its spec must determine "+
		"its inputs", artifact.place(), artifact.Manifest.Stage)
}

// make runs a stage's maker. The caller must hold the key's lock.
func (s *Store) make(ctx context.Context, m Manifest, maker func(context.Context, *Work) error) (*Artifact, error) {
	w, err := s.begin(m.Key)
	if err != nil {
		return nil, s.unwritable(err)
	}
	complete := false
	defer func() {
		w.end() //nolint:errcheck // its error was checked before, or the stage has failed anyway
		os.RemoveAll(w.dir)
		if complete {
			os.RemoveAll(s.workFolder(m.Key))
		}
		os.Remove(w.resume) // os.Remove removes only empty folders, so checkpoints survive
		os.Remove(s.workFolder(m.Key))
	}()
	meter := startMeter()
	if err := maker(ctx, w); err != nil {
		return nil, fmt.Errorf("make %s (%s): %w", m.Stage, m.Key.short(), err)
	}
	if err := w.end(); err != nil {
		return nil, fmt.Errorf("make %s (%s): %w", m.Stage, m.Key.short(), err)
	}
	m.Notes, m.Build, m.Run = w.notes, thisBuild(w.madeBy), meter.run(w.measured)
	artifact, err := s.keep(ctx, w, m)
	if err != nil {
		return nil, fmt.Errorf("store %s (%s) in %s: %w", m.Stage, m.Key.short(), s.place(), err)
	}
	complete = true
	return artifact, nil
}

// keep publishes what a stage has made. If another machine has published the artifact meanwhile, keep returns that one.
// If the new artifact cannot be sent to other machines, it stays in the store's folder, and [Store.Share] sends it
// later.
func (s *Store) keep(ctx context.Context, w *Work, m Manifest) (*Artifact, error) {
	var err error
	if m.Files, err = seal(w.dir); err != nil {
		return nil, err
	}
	content, err := m.encode()
	if err != nil {
		return nil, err
	}
	if err := writeContent(filepath.Join(w.dir, manifestName), content); err != nil {
		return nil, err
	}
	var unsent error
	if s.shared != nil {
		if unsent = s.shared.send(ctx, m, w.dir); errors.Is(unsent, fs.ErrExist) {
			return s.fetch(ctx, m.Key)
		}
	}
	place := placeOf(s.artifacts(), m.Key)
	if err := errors.Join(publish(w.dir, place), unsent); err != nil {
		return nil, err
	}
	k := s.knownOf(m.Key)
	k.Lock()
	defer k.Unlock()
	k.artifact = folderArtifact(place, m)
	return k.artifact, nil
}
