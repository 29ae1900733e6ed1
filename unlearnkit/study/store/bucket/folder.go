package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// folder stores every object as a file.
type folder struct{ root, name string }

func openFolder(u *url.URL) (store.Objects, error) {
	root := filepath.FromSlash(u.Path)
	if runtime.GOOS == "windows" { // file:///C:/shared
		root = strings.TrimPrefix(root, `\`)
	}
	if _, err := os.Stat(root); err != nil {
		return nil, fmt.Errorf("the folder of %s=%s: %w; make it first", Variable, u, safefile.WithoutPath(err))
	}
	return folder{root, strings.TrimSuffix(u.String(), "/")}, nil
}

func (f folder) path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

// Name implements [store.Objects].
func (f folder) Name() string { return f.name }

// Read implements [store.Objects].
func (f folder) Read(_ context.Context, name string) (io.ReadCloser, error) {
	return os.Open(f.path(name))
}

// Write implements [store.Objects].
func (f folder) Write(_ context.Context, name string, content io.ReadSeeker) error {
	if err := safefile.MakeFolder(filepath.Dir(f.path(name))); err != nil {
		return err
	}
	return safefile.WriteFile(f.path(name), func(target io.Writer) error {
		_, err := io.Copy(target, content)
		return err
	})
}

// WriteNew implements [store.Objects]. It writes a hidden file and links it to its name, which fails if there is one.
func (f folder) WriteNew(_ context.Context, name string, content []byte) error {
	target := f.path(name)
	parent := filepath.Dir(target)
	if err := safefile.MakeFolder(parent); err != nil {
		return err
	}
	file, err := os.CreateTemp(parent, ".new.*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(content)
	if err = errors.Join(err, file.Chmod(0o644), file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := os.Link(file.Name(), target); err != nil {
		return err
	}
	return safefile.SyncFolder(parent)
}

// Delete implements [store.Objects].
func (f folder) Delete(_ context.Context, name string) error {
	if err := os.Remove(f.path(name)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// List implements [store.Objects].
func (f folder) List(_ context.Context, prefix string) (objects []store.Object, err error) {
	dir := path.Dir(prefix)
	entries, err := os.ReadDir(f.path(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		name := path.Join(dir, entry.Name())
		if !strings.HasPrefix(name, prefix) || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		info, err := entry.Info()
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		objects = append(objects, store.Object{Name: name, Modified: info.ModTime()})
	}
	return objects, err
}
