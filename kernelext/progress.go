package kernelext

import (
	"fmt"
	"html"
	"io"
	"math"
	"os"
	"sync"
	"time"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/progress"
)

const (
	barInterval  = 100 * time.Millisecond // a server drops outputs that arrive too fast
	lineInterval = 10 * time.Second       // between lines in a file or a pipe
)

// A Bar shows the progress of a loop. Its methods may be called from any goroutine.
type Bar struct {
	mu       sync.Mutex
	title    string
	total    int
	count    int
	finished bool
	began    time.Time
	strip
}

// A strip is a line of output that is updated in place, with a bar in a notebook.
type strip struct {
	id       string // display ID in a notebook
	lastDraw time.Time
	now      func() time.Time
	out      io.Writer
	terminal bool
}

func newStrip() strip {
	s := strip{now: time.Now, out: os.Stderr, terminal: isTerminal(os.Stderr)}
	if gonbui.IsNotebook {
		s.id = gonbui.UniqueId()
	}
	return s
}

// Progress shows a bar for total steps. If total is not positive, the number of steps is unknown and the bar only
// counts them. In a notebook the bar moves in place, and on a terminal it stays on one line; elsewhere it prints a line
// every ten seconds. The last output is a summary.
func Progress(total int, title string) *Bar {
	b := &Bar{title: title, total: total, strip: newStrip()}
	b.start()
	return b
}

func (b *Bar) start() {
	b.began = b.now()
	b.lastDraw = b.began
	if gonbui.IsNotebook || b.terminal {
		b.draw()
	}
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Step records that n more steps are done.
func (b *Bar) Step(n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count += n
	if b.finished {
		return
	}
	if b.due() {
		b.draw()
	}
}

// due reports whether it is time to draw again. If so, it starts the next interval.
func (s *strip) due() bool {
	interval := barInterval
	if !gonbui.IsNotebook && !s.terminal {
		interval = lineInterval
	}
	now := s.now()
	if now.Sub(s.lastDraw) < interval {
		return false
	}
	s.lastDraw = now
	return true
}

// Done replaces the bar by a summary with the number of steps, their time and their rate. A second call does nothing.
func (b *Bar) Done() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.finished {
		return
	}
	b.finished = true
	b.draw()
	flush()
}

// draw shows the current state. The caller must hold the lock or be the only user.
func (b *Bar) draw() { b.show(b.state(), min(b.count, b.total), b.total, b.finished) }

// show draws a line, and in a notebook a bar for done of total steps. total is unknown if it is not positive.
func (s *strip) show(text string, done, total int, finished bool) {
	switch {
	case gonbui.IsNotebook:
		s.display(text, done, total, finished).send()
	case s.terminal:
		end := ""
		if finished {
			end = "\n"
		}
		fmt.Fprintf(s.out, "\r\x1b[K%s%s", text, end)
	default:
		fmt.Fprintln(s.out, text)
	}
}

func (s *strip) display(text string, done, total int, finished bool) display {
	bar := ""
	switch {
	case finished:
	case total > 0:
		bar = fmt.Sprintf(`<progress value="%d" max="%d" style="width:20em;vertical-align:middle"></progress> `, done,
			total)
	default:
		bar = `<progress style="width:20em;vertical-align:middle"></progress> `
	}
	const style = "font:13px/1.5 system-ui,sans-serif;white-space:nowrap;overflow:hidden;text-overflow:ellipsis"
	return display{html: fmt.Sprintf(`<div style="%s">%s%s</div>`, style, bar, html.EscapeString(text)), text: text,
		id: s.id, volatile: true}
}

// state describes the bar in words. If the total is unknown and no step has been counted, it returns the title, finally
// with the time.
func (b *Bar) state() string {
	elapsed := b.now().Sub(b.began)
	if b.total <= 0 && b.count == 0 {
		if !b.finished {
			return b.title
		}
		return b.title + ": " + progress.Brief(elapsed)
	}
	count := fmt.Sprint(b.count)
	if b.total > 0 && (!b.finished || b.count != b.total) {
		count = fmt.Sprintf("%d of %d", b.count, b.total)
	}
	text := fmt.Sprintf("%s: %s", b.title, count)
	if b.finished {
		text += " in " + progress.Brief(elapsed)
	} else if left, known := b.left(elapsed); known {
		text += ", " + progress.Brief(left) + " left"
	}
	if rate := float64(b.count) / elapsed.Seconds(); b.count > 0 && elapsed > 0 {
		text += fmt.Sprintf(" (%.3g/s)", rate)
	}
	return text
}

func (b *Bar) left(elapsed time.Duration) (time.Duration, bool) {
	if b.count <= 0 || b.total <= b.count {
		return 0, false
	}
	left := float64(elapsed) * float64(b.total-b.count) / float64(b.count)
	return time.Duration(left), left < math.MaxInt64
}
