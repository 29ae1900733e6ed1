package lab

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// digestStage stores digests of files. A digest is valid while the sizes and times of the files stay the same.
// Published data are too large to be hashed by every command.
var digestStage = store.Stage{Name: "lab/digest", Version: 1}

// digestFile is the name of the file with the digest.
const digestFile = "sha256.txt"

// Digests identifies folders of downloaded files by their content.
type Digests struct {
	Store    *store.Store
	Progress io.Writer // receives the names of folders while they are read

	folders map[string]string
}

// Of returns the SHA-256 of the names and contents of some files in a folder. The folder's path does not matter. If the
// files are new or have changed, it first calls check, which may be nil.
func (d *Digests) Of(ctx context.Context, folder string, files []string, check func() error) (string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	listing, size := sha256.New(), int64(0)
	for _, name := range files {
		info, err := os.Stat(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			return "", fmt.Errorf("read %s: the file is missing", filepath.Join(folder, name))
		}
		fmt.Fprintf(listing, "%s\x00%d\x00%d\n", name, info.Size(), info.ModTime().UnixNano())
		size += info.Size()
	}
	spec := struct {
		Folder  string `json:"folder"`
		Listing string `json:"listing"` // digest of names, sizes and times
	}{folder, hex.EncodeToString(listing.Sum(nil))}
	artifact, err := d.Store.Do(ctx, digestStage, spec, nil, func(ctx context.Context, w *store.Work) error {
		fmt.Fprintf(d.Progress, "reading %s, %.2f GB, which was not seen before\n", folder, float64(size)/1e9)
		if check != nil {
			if err := check(); err != nil {
				return err
			}
		}
		sum, err := digestOf(ctx, folder, files)
		if err != nil {
			return err
		}
		return os.WriteFile(w.Path(digestFile), []byte(sum), 0o644)
	})
	if err != nil {
		return "", err
	}
	sum, err := artifact.ReadFile(digestFile)
	if err != nil {
		return "", err
	}
	if d.folders == nil {
		d.folders = map[string]string{}
	}
	d.folders[string(sum)] = folder
	return string(sum), nil
}

// Folder returns the folder whose digest Of computed earlier in this process.
func (d *Digests) Folder(digest string) (string, error) {
	if d != nil && d.folders[digest] != "" {
		return d.folders[digest], nil
	}
	return "", fmt.Errorf("the published files with the digest %.12s are not at hand", digest)
}

func digestOf(ctx context.Context, folder string, files []string) (string, error) {
	all := sha256.New()
	for _, name := range files {
		if ctx.Err() != nil {
			return "", context.Cause(ctx)
		}
		file, err := os.Open(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			return "", err
		}
		one := sha256.New()
		_, err = io.Copy(one, file)
		file.Close()
		if err != nil {
			return "", err
		}
		fmt.Fprintf(all, "%s\x00%x\n", name, one.Sum(nil))
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

// Remember stores the folders of downloads in the store's settings, by the names of their data sets.
func Remember(s *store.Store, folders map[string]string) error {
	known, err := s.Data()
	if err != nil {
		return err
	}
	for name, folder := range folders {
		absolute, err := filepath.Abs(folder)
		if err == nil && known[name] != absolute {
			err = s.SetData(name, folder)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
