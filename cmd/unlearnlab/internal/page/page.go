// Package page writes one page that shows everything: what holds of each paper and what does not, every table and
// figure beside the printed one, the audit, what it has cost, and where each number is from.
//
// The page is one file. It loads nothing, so that it can be opened from a folder, sent by mail and kept; it follows the
// reader's light or dark theme, and is made for phones, paper, keyboards and screen readers. Without JavaScript it
// lacks its filters and the switch of its theme.
package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/audit"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/printed"
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

// Paper is what there is to show of a paper.
type Paper struct {
	Study   *study.Study
	Results study.Results // nil of none
	Preset  string        // of the results, or the one at which there are none
	Said    []string      // sentences on what is missing, and what makes it
	Figures plots.Drawings
	Runs    []Run
}

// Run is a run of a study that has been made.
type Run struct {
	Title    string
	Manifest store.Manifest
}

// view is what the template shows.
type view struct {
	Style  template.CSS
	Script template.JS
	Papers []*paper
	Claims string // how many hold, and how many do not
	Audit  audit.Count
}

// paper is the view of a paper.
type paper struct {
	Name, Title string
	About       string       // what the paper asks
	Terms       []study.Item // its words
	Preset      string
	Repeated    string // "5 worlds"
	Said        []string
	Claims      *claims
	Tables      []*item // of the paper, and those that the study has besides
	Others      []*grid // what else is printed
	Figures     []*figure
	Audit       *grid
	Count       audit.Count
	Contradict  []string // checks that do not hold, each once
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
	shown = &paper{Name: name, Title: printed.Titles[name], About: p.Study.About(), Terms: p.Study.Terms(),
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
	if shown.Others, err = made.rest(); err != nil {
		return nil, err
	}
	if err := shown.audit(); err != nil {
		return nil, err
	}
	shown.Cost, shown.Ledger = costOf(p), ledgerOf(p)
	return shown, nil
}

// css is the style, with the dark colours in the places where they hold.
func css() string { return strings.ReplaceAll(style, "/*dark*/", dark) }

// slug is a text as part of an identifier and of the link to it.
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

// thousands writes a number with commas.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
