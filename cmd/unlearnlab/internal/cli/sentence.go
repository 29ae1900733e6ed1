package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// sentence returns an error as one sentence. A full disk and a folder that cannot be written to get advice. Of more
// than three joined errors, only the first is shown, because they often have the same cause.
func sentence(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("the disk is full%s: free some space, or give another folder by --home or $%s; finished "+
			"results are kept, and the same command continues", where(err), store.HomeVariable)
	case errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) && writing(err):
		return fmt.Errorf("%w; give a writable folder by --home or $%s", first(err), store.HomeVariable)
	}
	return first(err)
}

// where names the folder that could not be written to, or returns "" if err has no path.
func where(err error) string {
	var path *fs.PathError
	if !errors.As(err, &path) {
		return ""
	}
	return " at " + filepath.Dir(path.Path)
}

// writing reports whether an error occurred while a file was created or written.
func writing(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && (path.Op == "mkdir" || path.Op == "write" || path.Op == "create")
}

// first returns the first of more than three joined errors with the number of the others. It returns any other error
// unchanged.
func first(err error) error {
	joined, several := err.(interface{ Unwrap() []error })
	if !several {
		return err
	}
	all := joined.Unwrap()
	const most = 3
	if len(all) <= most {
		return err
	}
	return fmt.Errorf("%w; and %d more errors", all[0], len(all)-1)
}
