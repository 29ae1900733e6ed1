// Package page writes a report on all studies as static HTML: a first page with the main result of each paper, a page
// with all details of each paper, and a page to search all claims, tables and figures.
//
// The pages load nothing from other servers, so the folder can be opened from a disk, mailed and archived. They can
// also be written as one file. They follow the reader's light or dark theme, and work on phones, on paper, with
// keyboards and with screen readers. Without JavaScript they lack filters, sorting and the theme switch.
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
	"thousands": thousands, "legend": cellSigns, "repository": func() string { return repository }}).Parse(source))

// repository is the address of the project, as in CITATION.cff.
const repository = "https://github.com/unlearnlab/unlearnlab"

// Paper is the input for one paper.
type Paper struct {
	Study   *study.Study
	Results study.Results // results of the study; nil if there are none
	Preset  string        // preset of Results, or the one without results
	// Smaller holds results at another preset, for tables and figures that Results lacks. It may be nil.
	Smaller       study.Results
	SmallerPreset string
	Said          []string // sentences on missing results and how to compute them
	Figures       study.Figures
	Runs          []Run
}

// Run is a finished run of a study.
type Run struct {
	Title    string
	Manifest store.Manifest
}

// site is the data that the templates of all pages share.
type site struct {
	Style  template.CSS
	Script template.JS
	Single bool // whether everything is in one file
	Papers []*paper
	Tally  study.Tally // claims of all papers
	Audit  audit.Count
}

// view is the data for the template of one page.
type view struct {
	*site
	Name  string // "index", "find" or the name of a paper
	Paper *paper // the page's paper; nil for other pages
}

// paper is the data for the template of a paper's page.
type paper struct {
	*site
	Name, Title string
	Story       *story
	Terms       []study.Item // glossary
	Preset      string
	Repeated    string // repetitions, such as "5 worlds"
	Said        []string
	Claims      *claims
	Board       *board
	Tables      []*item // the paper's tables and the study's additional tables
	Others      []*grid // other printed items
	Figures     []*figure
	Audit       *grid
	Count       audit.Count
	Findings    []audit.Group
	Cost        *grid
	Ledger      *grid
}

// Link returns the address of a part of the paper's page.
func (p *paper) Link(id string) string {
	if p.Single {
		return "#" + id
	}
	return p.Name + ".html#" + id
}

// Find returns the address of the search page, with or without a state such as "verdict=holds".
func (s *site) Find(state string) template.URL {
	address := "#find"
	if !s.Single {
		address = "find.html" + address
	}
	if state != "" {
		address += "?" + state
	}
	return template.URL(address)
}

// Printed returns the number of checked printed numbers.
func (s *site) Printed() int { return total(s.Audit) }

// Count returns the number of claims with a verdict.
func (s *site) Count(verdict string) int { return s.Tally.Of[verdict] }

// Open returns the number of claims that the data do not decide.
func (s *site) Open() int {
	return s.Count(string(certify.Unresolved)) + s.Count(string(certify.Untestable))
}

// Others returns the number of claims that hold by selection, fail, or are contradicted in print.
func (s *site) Others() int {
	return s.Tally.Claims - s.Open() - s.Count(string(certify.Holds)) - s.Count(study.SanityHolds) -
		s.Count(study.NotSeen)
}

// Write writes the pages as files. The function put stores a file under a name such as "index.html".
func Write(put func(name string, write func(io.Writer) error) error, papers []Paper) error {
	s, err := newSite(papers, false)
	if err != nil {
		return err
	}
	for _, v := range s.views() {
		if v.Paper != nil {
			for _, f := range v.Paper.Figures {
				if err := f.put(put); err != nil {
					return err
				}
			}
			for _, t := range v.Paper.Tables {
				if err := t.Records.put(put); err != nil {
					return err
				}
			}
		}
		err := put(v.Name+".html", func(w io.Writer) error { return pages.ExecuteTemplate(w, "page", v) })
		if err != nil {
			return err
		}
	}
	return nil
}

// WriteSingle writes all pages as one file.
func WriteSingle(w io.Writer, papers []Paper) error {
	s, err := newSite(papers, true)
	if err != nil {
		return err
	}
	return pages.ExecuteTemplate(w, "page", view{site: s, Name: "index"})
}

// views returns a view for each HTML file in the folder.
func (s *site) views() []view {
	all := []view{{site: s, Name: "index"}, {site: s, Name: "find"}}
	for _, p := range s.Papers {
		all = append(all, view{site: s, Name: p.Name, Paper: p})
	}
	return all
}

func newSite(papers []Paper, single bool) (*site, error) {
	s := &site{Style: template.CSS(css()), Script: template.JS(script), Single: single,
		Papers: make([]*paper, len(papers))}
	var views errgroup.Group
	for i, p := range papers {
		views.Go(func() (err error) {
			if s.Papers[i], err = s.paper(p); err != nil {
				return fmt.Errorf("%s: %w", p.Study.Paper, err)
			}
			return nil
		})
	}
	if err := views.Wait(); err != nil {
		return nil, err
	}
	var judged []certify.Judged
	for _, shown := range s.Papers {
		if shown.Claims != nil {
			judged = append(judged, shown.Claims.judged...)
		}
		s.Audit.Reproduced += shown.Count.Reproduced
		s.Audit.Consistent += shown.Count.Consistent
		s.Audit.Inconsistent += shown.Count.Inconsistent
		s.Audit.NotDerivable += shown.Count.NotDerivable
	}
	s.Tally = study.TallyOf(judged)
	return s, nil
}

func (s *site) paper(p Paper) (shown *paper, err error) {
	name := p.Study.Paper
	shown = &paper{site: s, Name: name, Title: p.Study.Title(), Terms: p.Study.Terms(), Preset: p.Preset,
		Said: p.Said}
	if err := shown.audit(p.Study.Audit); err != nil {
		return nil, err
	}
	var judged []certify.Judged
	if p.Results != nil {
		shown.Repeated = p.Study.Repetitions.Count(p.Results.Seeds())
		shown.Claims = claimsOf(p)
		judged = shown.Claims.judged
	}
	shown.Story = shown.fillStory(p, judged)
	made := newShelf(p)
	made.single = s.Single
	if shown.Figures, err = made.figures(); err != nil {
		return nil, err
	}
	if shown.Tables, err = made.tables(); err != nil {
		return nil, err
	}
	if shown.Others, err = made.others(); err != nil {
		return nil, err
	}
	shown.Board = made.board()
	shown.Cost, shown.Ledger = costOf(p), ledgerOf(p)
	return shown, nil
}

// css returns the style sheet with the dark colours inserted.
func css() string { return strings.ReplaceAll(style, "/*dark*/", dark) }

// slug converts a text to lowercase letters and digits with hyphens between them, for use in an identifier.
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

// thousands formats a number with commas between groups of three digits.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
