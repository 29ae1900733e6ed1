package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/progress"
)

// Progress shows the progress of a plan: as one line that is redrawn on a terminal, as a bar in a notebook, and
// elsewhere as a line every ten seconds.
type Progress struct {
	out      io.Writer
	terminal bool
	last     time.Time
	shown    bool
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
	if time.Since(p.last) < interval && s.Made+s.Found+len(s.Failed) < s.Runs {
		return
	}
	p.last, p.shown = time.Now(), true
	line := statusLine(s)
	if p.terminal {
		fmt.Fprintf(p.out, "\r\x1b[K%s", cut(line, p.width()))
		return
	}
	fmt.Fprintln(p.out, line)
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
	if p.terminal && p.shown {
		fmt.Fprintln(p.out)
	}
}

func statusLine(s progress.Status) string {
	var now []string
	for _, r := range s.Running {
		if r.Of > 0 {
			now = append(now, fmt.Sprintf("%s %d %%", r.Title, 100*r.Done/r.Of))
		} else {
			now = append(now, r.Title)
		}
	}
	line := fmt.Sprintf("%d of %d runs", s.Made+s.Found, s.Runs)
	if s.Left >= 0 && s.Made+s.Found < s.Runs {
		line += ", " + s.Left.Round(time.Second).String() + " left"
	}
	if len(s.Failed) > 0 {
		line += fmt.Sprintf(", %d failed", len(s.Failed))
	}
	if len(now) > 0 {
		line += ": " + strings.Join(now, "; ")
	}
	return line
}
