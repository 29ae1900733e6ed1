package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/progress"
)

// Progress shows the progress of a plan: as one line that is redrawn on a terminal, as a bar in a notebook, and
// elsewhere as a line every ten seconds if something has changed.
type Progress struct {
	out      io.Writer
	terminal bool
	last     time.Time
	line     string                // the last one; empty before the first
	cell     func(progress.Status) // shows the bar in a notebook's cell; nil elsewhere
}

const (
	redraw   = 200 * time.Millisecond
	NextLine = 10 * time.Second
)

func NewProgress(out io.Writer) *Progress {
	p := &Progress{out: out}
	if kernelext.InNotebook() {
		p.cell = kernelext.Runs("runs")
	}
	if file, ok := out.(*os.File); ok {
		info, err := file.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

func (p *Progress) Report(s progress.Status) {
	if p.cell != nil {
		p.cell(s)
		return
	}
	interval := NextLine
	if p.terminal {
		interval = redraw
	}
	if time.Since(p.last) < interval && !s.Ended() {
		return
	}
	line := s.String()
	if p.terminal {
		fmt.Fprintf(p.out, "\r\x1b[K%s", cut(line, p.width()))
	} else if line != p.line {
		fmt.Fprintln(p.out, line)
	}
	p.last, p.line = time.Now(), line
}

// width returns the terminal's width, or 0 if it is unknown.
func (p *Progress) width() int { return ViewOf(&screen{Writer: p.out}).Width }

// cut truncates a line to leave room for the cursor. A longer line would wrap, and the next one could not replace it.
func cut(line string, width int) string {
	runes := []rune(line)
	if width < 2 || len(runes) < width {
		return line
	}
	return string(runes[:width-2]) + "…"
}

func (p *Progress) Done() {
	if p.terminal && p.line != "" {
		fmt.Fprintln(p.out)
	}
}
