package launcher

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A spill is the file with all that a cell has printed, of which the notebook shows the beginning.
type spill struct {
	path string
	file *os.File
	err  error // why the file has not everything

	bytes, lines int // that are not shown
	written      int // bytes in the file
	tail         string
}

const (
	spillLimit = 256 << 20 // bytes of a file
	spillKept  = 20        // files, the newest
	tailLines  = 20        // that are shown again in the end
	tailBytes  = 4_000
)

var errSpillFull = errors.New("it is as large as such files may be")

// outputs is the folder of spills: it outlives the kernel, whose reader may look for them later.
func outputs() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "unlearnlab", "outputs"), nil
}

// newSpill begins the file of the cell with a number, with what was printed so far.
func newSpill(cell int, head string) *spill {
	s := &spill{}
	folder, err := outputs()
	if err == nil {
		err = os.MkdirAll(folder, 0o700)
	}
	if err == nil {
		prune(folder)
		name := fmt.Sprintf("%s-cell-%d-*.txt", time.Now().Format("20060102-150405"), cell)
		s.file, err = os.CreateTemp(folder, name)
	}
	if s.err = err; err != nil {
		return s
	}
	s.path = s.file.Name()
	s.append(head)
	return s
}

// prune removes the oldest files; one that cannot be removed stays.
func prune(folder string) {
	files, _ := filepath.Glob(filepath.Join(folder, "*-cell-*.txt"))
	slices.Sort(files) // their names begin with the time
	for _, old := range files[:max(0, len(files)+1-spillKept)] {
		os.Remove(old)
	}
}

func (s *spill) append(text string) {
	if s.err != nil {
		return
	}
	if s.written+len(text) > spillLimit {
		s.err = errSpillFull
		return
	}
	n, err := s.file.WriteString(text)
	s.written += n
	s.err = err
}

// write takes what is not shown.
func (s *spill) write(text string) {
	s.bytes += len(text)
	s.lines += strings.Count(text, "\n")
	s.append(text)
	s.tail += text
	if len(s.tail) > 2*tailBytes {
		s.tail = s.tail[len(s.tail)-tailBytes:]
	}
}

func (s *spill) close() {
	if s.file == nil {
		return
	}
	if err := s.file.Close(); s.err == nil {
		s.err = err
	}
}

// describe says how much is not shown, where it is, and in the end how it ends.
func (s *spill) describe(last bool) string {
	verb := "come"
	if last {
		verb = "are not shown"
	}
	text := fmt.Sprintf("… %d lines more (%.1f MB) %s; ", s.lines, float64(s.bytes)/1e6, verb)
	switch {
	case s.path == "":
		text += "they are lost, because no file could be made: " + s.err.Error()
	case s.err != nil:
		text += fmt.Sprintf("the first %d MB of everything are in %s: %v", s.written/1e6, s.path, s.err)
	default:
		text += "everything is in " + s.path
	}
	if last {
		text += "\nThe last lines:\n" + s.end()
	}
	return text
}

// end is the last lines of all.
func (s *spill) end() string {
	tail := strings.TrimSuffix(s.tail, "\n")
	tail = strings.ToValidUTF8(tail[max(0, len(tail)-tailBytes):], "")
	lines := strings.Split(tail, "\n")
	return strings.Join(lines[max(0, len(lines)-tailLines):], "\n")
}
