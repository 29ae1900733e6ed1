package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// shared is a store's view of the artifacts that it shares with other machines. Its objects are:
//
//	store.json             type and format
//	runs/3f2a….json        manifest of an artifact, written once, after its files
//	files/8c/8c41…         content of a file, named by its SHA-256
//	claims/3f2a….0000      a machine is making the artifact
//	damaged/3f2a….1.json   manifest that RepairShared moved aside
type shared struct {
	Objects

	mu      sync.Mutex
	checked bool         // the format is known
	once    bool         // WriteNew is known not to replace objects
	known   map[Key]bool // artifacts that are there
	listed  time.Time    // end of the last listing
	took    time.Duration
	seen    map[Key]sighting // claims of other machines
}

// lookPause is the shortest pause between two listings of the artifacts. A listing that takes long is repeated less
// often, so that looking takes a tenth of the time at most.
const lookPause = 2 * time.Second

// Shared makes the store share its artifacts with other machines through objects. The store's folder keeps copies:
// [Store.Get] fetches an artifact that the folder lacks. [Store.Do] makes an artifact only if no machine has it, and
// then sends it.
func Shared(objects Objects) Option {
	return func(s *Store) {
		s.shared = &shared{Objects: objects, known: map[Key]bool{}, seen: map[Key]sighting{}}
	}
}

// SharedName returns the URL of the objects that the store is shared through, or "".
func (s *Store) SharedName() string {
	if s.shared == nil {
		return ""
	}
	return s.shared.Name()
}

// Has reports whether an artifact exists. It verifies an artifact in the store's folder as [Store.Get] does. It does
// not fetch an artifact of other machines, so that a caller can ask for thousands.
func (s *Store) Has(key Key) (bool, error) {
	_, err := s.Kept(key)
	if errors.Is(err, ErrAbsent) {
		if s.shared == nil {
			return false, nil
		}
		return s.shared.has(context.Background(), key)
	}
	return err == nil, err
}

// Share sends artifacts that are in the store's folder and that other machines lack.
func (s *Store) Share(ctx context.Context, keys ...Key) error {
	if s.shared == nil {
		return nil
	}
	for _, key := range keys {
		artifact, err := foldersBelow(s.artifacts()).Get(key)
		if errors.Is(err, ErrAbsent) {
			continue
		}
		there := false
		if err == nil {
			there, err = s.shared.has(ctx, key)
		}
		if err == nil && !there {
			err = artifact.verify()
		}
		if err == nil && !there {
			err = s.shared.send(ctx, artifact.Manifest, artifact.Dir)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("send %s to %s: %w", key.short(), s.shared.Name(), err)
		}
	}
	return nil
}

// has reports whether an artifact was there when the artifacts were listed last. It lists them again after a pause.
func (r *shared) has(ctx context.Context, key Key) (bool, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.known[key] || !r.listed.IsZero() && time.Since(r.listed) < max(lookPause, 10*r.took) {
		return r.known[key], nil
	}
	err := r.list(ctx)
	return r.known[key], err
}

// list lists the artifacts that are there. The caller holds the lock.
func (r *shared) list(ctx context.Context) error {
	if err := r.checkFormat(ctx); err != nil {
		return err
	}
	began := time.Now()
	objects, err := r.List(ctx, "runs/")
	if err != nil {
		return err
	}
	r.listed = time.Now()
	r.took = r.listed.Sub(began)
	clear(r.known)
	for _, o := range objects {
		if key := Key(strings.TrimSuffix(strings.TrimPrefix(o.Name, "runs/"), ".json")); key.check() == nil {
			r.known[key] = true
		}
	}
	return nil
}

// note records whether an artifact is there.
func (r *shared) note(key Key, there bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.known[key] = there
}

// checkFormat returns an error if the objects belong to something else or to another format. The caller holds the lock.
func (r *shared) checkFormat(ctx context.Context) error {
	if r.checked {
		return nil
	}
	content, err := r.content(ctx, markerName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var m marker
	switch {
	case err != nil: // nothing is stored yet
	case json.Unmarshal(content, &m) != nil || m.Format != formatName:
		return fmt.Errorf("%s: its %s does not belong to a store", r.Name(), markerName)
	case m.Version != formatVersion:
		return fmt.Errorf("%s has format %d, this program knows format %d", r.Name(), m.Version, formatVersion)
	}
	r.checked = true
	return nil
}

// tryOnce returns an error if [Objects.WriteNew] replaces an object, as it does on servers without conditional writes.
// Two machines could then replace each other's results.
func (r *shared) tryOnce(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.once {
		return nil
	}
	if err := r.checkFormat(ctx); err != nil {
		return err
	}
	content, err := json.Marshal(marker{formatName, formatVersion})
	if err != nil {
		return err
	}
	if err = r.WriteNew(ctx, markerName, append(content, '\n')); err == nil {
		err = r.WriteNew(ctx, markerName, append(content, '\n'))
	}
	if err == nil {
		err = fmt.Errorf("%s: the server ignores If-None-Match: *, without which two machines could replace each "+
			"other's results; choose another, or a folder that all machines see", r.Name())
	}
	r.once = errors.Is(err, fs.ErrExist)
	if r.once {
		return nil
	}
	return err
}

func manifestObject(key Key) string { return "runs/" + string(key) + ".json" }

func fileObject(f File) string { return "files/" + f.SHA256[:2] + "/" + f.SHA256 }

func (r *shared) content(ctx context.Context, name string) ([]byte, error) {
	object, err := r.Read(ctx, name)
	if err != nil {
		return nil, err
	}
	defer object.Close()
	return io.ReadAll(object)
}

// send writes the files of an artifact and then its manifest. It returns [fs.ErrExist] if another machine was faster.
func (r *shared) send(ctx context.Context, m Manifest, dir string) error {
	if err := r.tryOnce(ctx); err != nil {
		return err
	}
	for name, stored := range m.Files {
		if err := r.sendFile(ctx, fileObject(stored), folder(dir).path(name)); err != nil {
			return err
		}
	}
	content, err := m.encode()
	if err != nil {
		return err
	}
	err = r.WriteNew(ctx, manifestObject(m.Key), content)
	if err == nil || errors.Is(err, fs.ErrExist) {
		r.note(m.Key, true)
	}
	return err
}

func (r *shared) sendFile(ctx context.Context, name, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return r.Write(ctx, name, file)
}

// manifest reads the manifest of an artifact. It returns [ErrAbsent] or [Damaged].
func (r *shared) manifest(ctx context.Context, key Key) (m Manifest, err error) {
	content, err := r.content(ctx, manifestObject(key))
	if errors.Is(err, fs.ErrNotExist) {
		r.note(key, false)
		return m, fmt.Errorf("%w: %s in %s", ErrAbsent, key.short(), r.Name())
	}
	if err != nil {
		return m, err
	}
	if m, err = decodeManifest(content, key); err != nil {
		return m, r.damaged(key, manifestName, err.Error())
	}
	r.note(key, true)
	return m, nil
}

func (r *shared) damaged(key Key, file, reason string) *Damaged {
	return &Damaged{key, r.Name() + "/" + manifestObject(key), file, reason}
}

// fetch copies an artifact of another machine into the store's folder. It returns [ErrAbsent] or [Damaged].
func (s *Store) fetch(ctx context.Context, key Key) (*Artifact, error) {
	m, err := s.shared.manifest(ctx, key)
	if err != nil {
		return nil, err
	}
	held, err := s.lock(ctx, "fetch-"+key, true)
	if err != nil {
		return nil, err
	}
	defer held.release()
	place := placeOf(s.artifacts(), key)
	if artifact, err := foldersBelow(s.artifacts()).Get(key); !errors.Is(err, ErrAbsent) {
		return artifact, err // another process of this machine was faster
	}
	dir := filepath.Join(s.folder, "fetch", string(key))
	defer os.RemoveAll(dir)
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return nil, s.unwritable(err)
	}
	for _, name := range folderArtifact(dir, m).Names() {
		if err := s.shared.fetchFile(ctx, m, name, folder(dir).path(name)); err != nil {
			return nil, err
		}
	}
	content, err := m.encode()
	if err == nil {
		err = writeContent(filepath.Join(dir, manifestName), content)
	}
	if err == nil {
		err = publish(dir, place)
	}
	if err != nil {
		return nil, s.unwritable(err)
	}
	return folderArtifact(place, m), nil
}

// fetchFile copies a file of an artifact to a path and compares it with its SHA-256.
func (r *shared) fetchFile(ctx context.Context, m Manifest, name, path string) error {
	if err := CheckName(name); err != nil {
		return err
	}
	if err := safefile.MakeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	var reason string
	err := safefile.WriteFile(path, func(target io.Writer) (err error) {
		reason, err = r.compare(ctx, m.Files[name], target)
		return err
	})
	switch {
	case err != nil:
		return err
	case reason != "":
		return r.damaged(m.Key, name, reason) // fetch removes the file
	}
	return os.Chmod(path, 0o444)
}

// compare reads a file, copies it to target, and describes how it differs from what was stored.
func (r *shared) compare(ctx context.Context, stored File, target io.Writer) (difference string, err error) {
	object, err := r.Read(ctx, fileObject(stored))
	if errors.Is(err, fs.ErrNotExist) {
		return "it is missing", nil
	}
	if err != nil {
		return "", err
	}
	defer object.Close()
	return stored.Compare(io.TeeReader(object, target))
}

// VerifyShared reads every file of every artifact of [Shared] and compares it with its SHA-256.
func (s *Store) VerifyShared(ctx context.Context) (artifacts int, damaged []*Damaged, err error) {
	r := s.shared
	if r == nil {
		return 0, nil, nil
	}
	objects, err := r.List(ctx, "runs/")
	for _, o := range objects {
		key := Key(strings.TrimSuffix(strings.TrimPrefix(o.Name, "runs/"), ".json"))
		if key.check() != nil {
			continue
		}
		var wrong *Damaged
		switch err := r.verify(ctx, key); {
		case errors.As(err, &wrong):
			damaged = append(damaged, wrong)
		case err != nil && !errors.Is(err, ErrAbsent):
			return artifacts, damaged, err
		}
		artifacts++
	}
	return artifacts, damaged, err
}

func (r *shared) verify(ctx context.Context, key Key) error {
	m, err := r.manifest(ctx, key)
	if err != nil {
		return err
	}
	for name, stored := range m.Files {
		reason, err := r.compare(ctx, stored, io.Discard)
		if err != nil {
			return err
		}
		if reason != "" {
			return r.damaged(key, name, reason)
		}
	}
	return nil
}

// RepairShared moves the manifest of a damaged artifact aside, so that the artifact is sent or made again. It returns
// the manifest's new address.
func (s *Store) RepairShared(ctx context.Context, key Key) (aside string, err error) {
	r := s.shared
	content, err := r.content(ctx, manifestObject(key))
	if err != nil {
		return "", err
	}
	for n := 1; ; n++ {
		aside = fmt.Sprintf("damaged/%s.%d.json", key, n)
		if err = r.WriteNew(ctx, aside, content); !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err == nil {
		err = r.Delete(ctx, manifestObject(key))
	}
	r.note(key, false)
	return r.Name() + "/" + aside, err
}
