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

// A spill is the file with all that a cell has printed, when the notebook shows only the beginning.
type outputFile struct {
	path string
	file *os.File
	err  error // reason why the file is missing or incomplete

	bytes, lines int // not shown in the notebook
	written      int // bytes written to the file
	tail         string
}

const (
	outputFileLimit = 256 << 20 // bytes per file
	outputFiles     = 20        // number of files kept
	tailLines       = 20        // lines shown at the end
	tailBytes       = 4_000
)

var errOutputFileFull = errors.New("the file has reached its size limit")

// outputs returns the folder for spilled output. It remains after the kernel ends, because the user may open the
// files later.
func outputs() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "unlearnlab", "outputs"), nil
}

// newOutputFile creates the file for a cell and writes head, which was printed so far.
func newOutputFile(cell int, head string) *outputFile {
	s := &outputFile{}
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

// prune removes the oldest files to make room for a new one. It ignores errors.
func prune(folder string) {
	files, _ := filepath.Glob(filepath.Join(folder, "*-cell-*.txt"))
	slices.Sort(files) // file names begin with the time
	for _, old := range files[:max(0, len(files)+1-outputFiles)] {
		os.Remove(old)
	}
}

func (s *outputFile) append(text string) {
	if s.err != nil {
		return
	}
	if s.written+len(text) > outputFileLimit {
		s.err = errOutputFileFull
		return
	}
	n, err := s.file.WriteString(text)
	s.written += n
	s.err = err
}

// write appends text that the notebook does not show.
func (s *outputFile) write(text string) {
	s.bytes += len(text)
	s.lines += strings.Count(text, "\n")
	s.append(text)
	s.tail += text
	if len(s.tail) > 2*tailBytes {
		s.tail = s.tail[len(s.tail)-tailBytes:]
	}
}

func (s *outputFile) close() {
	if s.file == nil {
		return
	}
	if err := s.file.Close(); s.err == nil {
		s.err = err
	}
}

// describe describes how much output is not shown and where it is stored. If last is set, it also quotes the last
// lines.
func (s *outputFile) describe(last bool) string {
	verb := "so far"
	if last {
		verb = "are not shown"
	}
	text := fmt.Sprintf("… %d more lines (%.1f MB) %s; ", s.lines, float64(s.bytes)/1e6, verb)
	switch {
	case s.path == "":
		text += "they are lost, because no file could be created:  " + s.err.Error()
	case s.err != nil:
		text += fmt.Sprintf("the first %d MB of the whole output are in %s: %v", s.written/1e6, s.path, s.err)
	default:
		text += "the whole output is in " + s.path
	}
	if last {
		text += "\nThe last lines:\n" + s.end()
	}
	return text
}

// end returns the last lines of the output.
func (s *outputFile) end() string {
	tail := strings.TrimSuffix(s.tail, "\n")
	tail = strings.ToValidUTF8(tail[max(0, len(tail)-tailBytes):], "")
	lines := strings.Split(tail, "\n")
	return strings.Join(lines[max(0, len(lines)-tailLines):], "\n")
}
