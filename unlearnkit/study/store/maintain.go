package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// List returns the manifests of all artifacts, including those on shelves, sorted by stage and then by time. It checks
// only the manifests; [Store.Get] and [Store.Verify] check the files. Artifacts with damaged manifests are returned
// separately.
func (s *Store) List() (manifests []Manifest, damaged []*Damaged, err error) {
	seen := map[Key]bool{}
	for _, shelf := range s.Shelves() {
		keys, err := shelf.Keys()
		if err != nil {
			return nil, nil, fmt.Errorf("list the store %s: %w", s.folder, err)
		}
		for _, key := range keys {
			if seen[key] {
				continue
			}
			seen[key] = true
			artifact, err := shelf.Get(key)
			var wrong *Damaged
			switch {
			case err == nil:
				manifests = append(manifests, artifact.Manifest)
			case errors.As(err, &wrong):
				damaged = append(damaged, wrong)
			case !errors.Is(err, ErrAbsent): // another process may have removed it meanwhile
				return nil, nil, fmt.Errorf("list the store %s: %w", s.folder, err)
			}
		}
	}
	slices.SortFunc(manifests, func(a, b Manifest) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), a.Started.Compare(b.Started), cmp.Compare(a.Key, b.Key))
	})
	return manifests, damaged, nil
}

// Verify reads every file of an artifact and recomputes its key, even if [Store.Get] has verified it.
func (s *Store) Verify(key Key) error {
	if err := key.check(); err != nil {
		return err
	}
	s.known.Delete(key)
	err := s.verify(key)
	var damaged *Damaged
	if errors.As(err, &damaged) {
		return s.verify(key) // for the reason given in Get
	}
	return err
}

func (s *Store) verify(key Key) error {
	artifact, err := s.findKept(key)
	if err != nil {
		return err
	}
	m := artifact.Manifest
	if computed, err := KeyOf(Stage{m.Stage, m.Version}, m.Spec); err != nil || computed != key {
		return &Damaged{key, artifact.place(), manifestName, "its key is not the key of its spec"}
	}
	return artifact.verify()
}

// Repair moves an artifact aside if it is damaged, so that the next request makes the artifact again. It returns the
// new path, or "" if the artifact is intact.
func (s *Store) Repair(key Key) (aside string, err error) {
	held, err := s.hold(key)
	if err != nil {
		return "", err
	}
	defer held.release()
	err = s.Verify(key)
	var damaged *Damaged
	if !errors.As(err, &damaged) {
		return "", err
	}
	if damaged.Dir != placeOf(s.artifacts(), key) {
		return "", fmt.Errorf("%w; it is shipped with the program, install that again", err)
	}
	return s.moveAside(key)
}

// hold waits for the key's lock, so that no process can make the artifact.
func (s *Store) hold(key Key) (*lock, error) {
	if err := key.check(); err != nil {
		return nil, err
	}
	return s.lock(context.Background(), key, true)
}

// moveAside moves an artifact into the folder of damaged artifacts, under an unused name.
func (s *Store) moveAside(key Key) (string, error) {
	folder := filepath.Join(s.folder, "damaged")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", s.unwritable(err)
	}
	for n := 1; ; n++ {
		aside := filepath.Join(folder, fmt.Sprintf("%s.%d", key, n))
		if _, err := os.Lstat(aside); err == nil {
			continue
		}
		if err := os.Rename(placeOf(s.artifacts(), key), aside); err != nil {
			return "", s.unwritable(err)
		}
		s.known.Delete(key)
		return aside, nil
	}
}

// Remove removes an artifact and the files of unfinished attempts. It returns [ErrAbsent] if neither exists. It does
// not change shelves.
func (s *Store) Remove(key Key) error {
	held, err := s.hold(key)
	if err != nil {
		return err
	}
	defer held.release()
	place, work := placeOf(s.artifacts(), key), s.workFolder(key)
	_, noArtifact := os.Lstat(place)
	_, noWork := os.Lstat(work)
	if noArtifact != nil && noWork != nil {
		return fmt.Errorf("%w: %s in %s", ErrAbsent, key.short(), s.folder)
	}
	if noArtifact == nil {
		s.known.Delete(key)
		err = s.unpublish(place, work)
	}
	if err == nil {
		err = os.RemoveAll(work)
	}
	if err != nil {
		return s.unwritable(err)
	}
	return nil
}

// unpublish renames an artifact's folder into the unfinished attempts, so that no process finds a part of it.
func (s *Store) unpublish(place, work string) error {
	unfinished := filepath.Join(work, "new")
	if err := os.RemoveAll(unfinished); err != nil {
		return err
	}
	if err := os.MkdirAll(work, 0o755); err != nil {
		return err
	}
	return os.Rename(place, unfinished)
}

// Sweep removes useless files of killed attempts and returns how many attempts it cleaned. It keeps checkpoints unless
// the artifact exists.
func (s *Store) Sweep() (removed int, err error) {
	if !s.made() {
		return 0, nil
	}
	if err := s.sweepFetched(); err != nil {
		return 0, err
	}
	entries, err := os.ReadDir(filepath.Join(s.folder, "work"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("sweep the store %s: %w", s.folder, err)
	}
	for _, entry := range entries {
		key := Key(entry.Name())
		if key.check() != nil {
			continue
		}
		held, err := s.lock(context.Background(), key, false)
		if errors.Is(err, ErrBusy) {
			continue
		}
		if err != nil {
			return removed, err
		}
		left := filepath.Join(s.workFolder(key), "new")
		if _, err := os.Lstat(placeOf(s.artifacts(), key)); err == nil {
			left = s.workFolder(key)
		}
		if _, err := os.Lstat(left); err == nil {
			removed++
		}
		err = os.RemoveAll(left)
		held.release()
		if err != nil {
			return removed, err
		}
	}
	return removed, nil
}

// sweepFetched removes the parts of artifacts that killed processes were fetching.
func (s *Store) sweepFetched() error {
	parts, err := filepath.Glob(filepath.Join(s.folder, "fetch", "*"))
	for _, part := range parts {
		held, problem := s.lock(context.Background(), "fetch-"+Key(filepath.Base(part)), false)
		if errors.Is(problem, ErrBusy) {
			continue
		}
		if problem == nil {
			problem = os.RemoveAll(part)
			held.release()
		}
		err = errors.Join(err, problem)
	}
	return err
}
