package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// sentence is an error in one sentence. A disk that is full fails every run that goes on, and several failures have one
// cause more often than several.
func sentence(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("the disk is full%s: free some space, or give another folder by --home or $%s; what is made "+
			"is kept, and the same command goes on from there", where(err), store.HomeVariable)
	case errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) && written(err):
		return fmt.Errorf("%w; give a folder that can be written to by --home or $%s", first(err), store.HomeVariable)
	}
	return first(err)
}

// where is the folder that could not be written to.
func where(err error) string {
	var path *fs.PathError
	if !errors.As(err, &path) {
		return ""
	}
	return " where " + filepath.Dir(path.Path) + " is"
}

// written tells whether a file was to be made or written.
func written(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && (path.Op == "mkdir" || path.Op == "write" || path.Op == "create")
}

// first is the first of several joined errors, with how many there are more.
func first(err error) error {
	joined, several := err.(interface{ Unwrap() []error })
	if !several {
		return err
	}
	all := joined.Unwrap()
	const told = 3
	if len(all) <= told {
		return err
	}
	return fmt.Errorf("%w; and %d errors more", all[0], len(all)-1)
}
