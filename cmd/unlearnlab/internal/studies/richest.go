package studies

import (
	"errors"
	"io"
	"os"
	"slices"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// readingPreset returns the preset of verbs that read results: that of the environment, the laboratory's default in a
// notebook, where cells use it too, and otherwise none, so that [Flags.Richest] chooses.
func readingPreset() string {
	asked := os.Getenv(kernelext.PresetVariable)
	if asked == "" && kernelext.InNotebook() {
		return preset.Default
	}
	return asked
}

// Richest calls do with the preset that the user asked for. If there is none, it calls do with the richest preset whose
// results exist, here or shipped. If do finds that the preset lacks something, Richest tries the next richest.
func (f Flags) Richest(paper string, stderr io.Writer, do func(Flags) error) error {
	if err := CheckPaper(paper); err != nil {
		return err
	}
	if f.Preset != "" {
		return do(f)
	}
	var lacks error
	for _, size := range bySize(papers.Of(paper)) {
		f.Preset = size
		o, err := Open(paper, f, stderr)
		if err != nil {
			return err
		}
		if missing, err := o.Missing(o.Store); err != nil {
			return err
		} else if len(missing) > 0 {
			continue
		}
		if err := do(f); !errors.As(err, new(*study.Lacks)) {
			return err
		} else if lacks == nil {
			lacks = err
		}
	}
	if lacks != nil {
		return lacks
	}
	f.Preset = preset.Default
	return do(f)
}

// bySize returns the presets that results are read from: the largest first, then those that ask other questions. The
// paper preset needs a download, and the numbers of the preset smoke have no meaning.
func bySize(s *study.Study) []string {
	var sizes []string
	if s.Richest != "" {
		sizes = append(sizes, s.Richest)
	}
	for _, size := range slices.Backward(s.Presets) {
		if size != preset.Paper && size != preset.Smoke {
			sizes = append(sizes, size)
		}
	}
	for _, size := range s.Beside {
		if size != s.Richest {
			sizes = append(sizes, size)
		}
	}
	return sizes
}
