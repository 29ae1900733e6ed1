// Package page writes a report of all studies as one HTML page: each paper's claims with verdicts, every table and
// figure next to the printed one, the audit, the cost, and the origin of each number.
//
// The page is one file that loads nothing else, so it can be opened from a folder, sent by mail and archived. It
// follows the reader's light or dark theme, and works on phones, on paper, with keyboards and with screen readers.
// Without JavaScript it lacks the filters and the theme switch.
package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

//go:embed page.html
var source string

//go:embed page.css
var style string

//go:embed dark.css
var dark string

//go:embed page.js
var script string

var pages = template.Must(template.New("page").Funcs(template.FuncMap{
	"thousands": thousands, "legend": cellSigns,
	"total": func(c audit.Count) string {
		return thousands(c.Reproduced + c.Consistent + c.Inconsistent + c.NotDerivable)
	},
}).Parse(source))

// Paper is the input for one paper.
type Paper struct {
	Study   *study.Study
	Results study.Results // nil without results
	Preset  string        // preset of the results, or the preset that lacks results
	Said    []string      // sentences on missing results and how to compute them
	Figures study.Figures
	Runs    []Run
}

// Run is a finished run of a study.
type Run struct {
	Title    string
	Manifest store.Manifest
}

// view is the template's view of the whole page.
type view struct {
	Style  template.CSS
	Script template.JS
	Papers []*paper
	Claims string // how many claims hold, and how many do not
	Audit  audit.Count
}

// paper is the template's view of a paper.
type paper struct {
	Name, Title string
	About       string       // the paper's question
	Terms       []study.Item // glossary
	Preset      string
	Repeated    string // "5 worlds"
	Said        []string
	Claims      *claims
	Tables      []*item // the paper's tables and the study's additional tables
	Others      []*grid // other printed items
	Figures     []*figure
	Audit       *grid
	Count       audit.Count
	Contradict  []string // failed checks, without repetitions
	Cost        *grid
	Ledger      *grid
}

// Write writes the page.
func Write(w io.Writer, papers []Paper) error {
	v := view{Style: template.CSS(css()), Script: template.JS(script)}
	v.Papers = make([]*paper, len(papers))
	var views errgroup.Group
	for i, p := range papers {
		views.Go(func() (err error) {
			if v.Papers[i], err = p.view(); err != nil {
				return fmt.Errorf("%s: %w", p.Study.Paper, err)
			}
			return nil
		})
	}
	if err := views.Wait(); err != nil {
		return err
	}
	var judged []certify.Judged
	for _, shown := range v.Papers {
		if shown.Claims != nil {
			judged = append(judged, shown.Claims.judged...)
		}
		v.Audit.Reproduced += shown.Count.Reproduced
		v.Audit.Consistent += shown.Count.Consistent
		v.Audit.Inconsistent += shown.Count.Inconsistent
		v.Audit.NotDerivable += shown.Count.NotDerivable
	}
	if len(judged) > 0 {
		v.Claims = study.ClaimCounts(judged)
	}
	return pages.Execute(w, v)
}

func (p Paper) view() (shown *paper, err error) {
	name := p.Study.Paper
	shown = &paper{Name: name, Title: p.Study.Printed.Title, About: p.Study.About(), Terms: p.Study.Terms(),
		Preset: p.Preset, Said: p.Said}
	if p.Results != nil {
		shown.Repeated = p.Study.Repetitions.Count(p.Results.Seeds())
		shown.Claims = claimsOf(p)
	}
	made := newShelf(p)
	if shown.Figures, err = made.figures(); err != nil {
		return nil, err
	}
	if shown.Tables, err = made.tables(); err != nil {
		return nil, err
	}
	if shown.Others, err = made.others(); err != nil {
		return nil, err
	}
	if err := shown.audit(p.Study.Audit); err != nil {
		return nil, err
	}
	shown.Cost, shown.Ledger = costOf(p), ledgerOf(p)
	return shown, nil
}

// css returns the style sheet, with the dark colours inserted where they apply.
func css() string { return strings.ReplaceAll(style, "/*dark*/", dark) }

// slug converts a text to a part of an identifier.
func slug(text string) string {
	var out strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			out.WriteRune(r)
		case out.Len() > 0 && !strings.HasSuffix(out.String(), "-"):
			out.WriteByte('-')
		}
	}
	return strings.TrimRight(out.String(), "-")
}

// thousands formats a number with commas.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
