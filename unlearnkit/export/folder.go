package export

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Check returns an error if dir is a file or a folder that is not empty, so that nothing can be exported to it.
func Check(dir string) error {
	info, err := os.Stat(dir)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", dir, safefile.WithoutPath(err))
	}
	if !info.IsDir() {
		return fmt.Errorf("write %s: it is a file, name a new folder", dir)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("write %s: %w", dir, safefile.WithoutPath(err))
	}
	if len(entries) > 0 {
		return fmt.Errorf("write %s: the folder is not empty, name a new one", dir)
	}
	return nil
}

// Folder creates dir with the content that fill writes. fill writes into a temporary folder, which is then renamed to
// dir, or removed after an error. Folder returns an error if dir is not empty.
func Folder(dir string, fill func(temporary string) error) (err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return err
	}
	if err := Check(dir); err != nil {
		return err
	}
	parent := filepath.Dir(dir)
	if err := safefile.MakeFolder(parent); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(parent, "."+filepath.Base(dir)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", dir, safefile.WithoutPath(err))
	}
	defer func() {
		if err != nil {
			os.RemoveAll(temporary)
		}
	}()
	if err := fill(temporary); err != nil {
		return err
	}
	if err := os.Chmod(temporary, 0o755); err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil && !os.IsNotExist(err) { // removes dir if it is an empty folder
		return fmt.Errorf("write %s: %w", dir, safefile.WithoutPath(err))
	}
	if err := os.Rename(temporary, dir); err != nil {
		return fmt.Errorf("write %s: %w", dir, safefile.WithoutPath(err))
	}
	return safefile.SyncFolder(parent)
}
