package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// sentence returns an error as one sentence. A full disk and a folder that cannot be written to get advice. Of more
// than three joined errors, only the first is shown, because they often have the same cause. out is the flag and the
// folder that the results are written to, if that is not the store.
func sentence(err error, out *pflag.Flag) error {
	full := errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
	denied := errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) && writing(err)
	switch {
	case (full || denied) && file(err) == os.Stdout.Name():
		return fmt.Errorf("write to the standard output: %w", cause(err))
	case full && isOutput(file(err), out):
		return fmt.Errorf("the disk is full%s: free some space, or give another folder by --%s", unwritablePath(err),
			out.Name)
	case denied && isOutput(file(err), out):
		return fmt.Errorf("%w; give a writable folder by --%s", first(err), out.Name)
	case full:
		return fmt.Errorf("the disk is full%s: free some space, or give another folder by --home or $%s; finished "+
			"results are kept, and the same command continues", unwritablePath(err), store.HomeVariable)
	case denied:
		return fmt.Errorf("%w; give a writable folder by --home or $%s", first(err), store.HomeVariable)
	}
	return first(err)
}

// outFlag returns the flag that names the output of a command, or nil if there is none.
func outFlag(c *cobra.Command) *pflag.Flag {
	for _, name := range []string{"out", "export"} {
		if f := c.Flags().Lookup(name); f != nil && f.Value.String() != "" {
			return f
		}
	}
	return nil
}

// isOutput reports whether a path is the output that a flag names, or below it.
func isOutput(path string, out *pflag.Flag) bool {
	if out == nil || path == "" {
		return false
	}
	inside, err := filepath.Rel(out.Value.String(), path)
	return err == nil && inside != ".." && !strings.HasPrefix(inside, ".."+string(filepath.Separator))
}

// cause returns what the system says about the file that err is about.
func cause(err error) error {
	var path *fs.PathError
	errors.As(err, &path)
	return path.Err
}

// file returns the path of the file that err is about, or "" if it has none.
func file(err error) string {
	var path *fs.PathError
	if !errors.As(err, &path) {
		return ""
	}
	return path.Path
}

// unwritablePath names the folder that could not be written to, or returns "" if err has no path.
func unwritablePath(err error) string {
	if file(err) == "" {
		return ""
	}
	return " at " + filepath.Dir(file(err))
}

// writing reports whether an error occurred while a file was created or written.
func writing(err error) bool {
	var path *fs.PathError
	return errors.As(err, &path) && (path.Op == "mkdir" || path.Op == "write" || path.Op == "create")
}

// Later returns an error, one or several joined, as one sentence that [ErrLater] ends.
func Later(err error) error { return fmt.Errorf("%w; %w", first(err), ErrLater) }

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
