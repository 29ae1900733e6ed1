package studies

import (
	"errors"
	"io"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// Richest calls do with the requested preset. If there is none, it calls do with the richest preset whose results exist
// locally or shipped and that shows all guests, and with the next richest if do returns a [study.Lacks]. If nothing
// exists, it uses [preset.Default].
func (f Flags) Richest(paper string, stderr io.Writer, do func(Flags) error) error {
	if err := CheckPaper(paper); err != nil {
		return err
	}
	if f.Preset != "" {
		return do(f)
	}
	var lacks error
	for _, size := range papers.Of(paper).Reading() {
		f.Preset = size
		o, err := Open(paper, f, stderr)
		if err != nil {
			return err
		}
		shown, err := o.Shown(o.Store)
		if err != nil {
			return err
		}
		if missing, err := shown.Missing(o.Store); err != nil {
			return err
		} else if len(missing) > 0 {
			continue
		}
		if hides, err := o.Study.HidesGuests(o.Store, size); err != nil {
			return err
		} else if hides {
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
