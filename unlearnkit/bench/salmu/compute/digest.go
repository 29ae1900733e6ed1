package compute

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/store"
)

// digestStage keeps digests of files for as long as their sizes and times stay what they were: the published data are
// too large to be read by every command.
var digestStage = store.Stage{Name: "salmu/digest", Version: 1}

// digestFile is the file of a digest's artifact.
const digestFile = "sha256.txt"

// digest is the SHA-256 of some files of a folder with their names, wherever the folder lies. Before files are read
// that were not seen as they are, check looks at them; it may be nil.
func (s *digests) digest(folder string, files []string, check func() error) (string, error) {
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
		Listing string `json:"listing"` // of names, sizes and times
	}{folder, hex.EncodeToString(listing.Sum(nil))}
	artifact, err := s.store.Do(s.ctx, digestStage, spec, nil, func(ctx context.Context, w *store.Work) error {
		fmt.Fprintf(s.progress, "reading %s, %.2f GB, which was not seen before\n", folder, float64(size)/1e9)
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
	s.folders[string(sum)] = folder
	return string(sum), err
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
