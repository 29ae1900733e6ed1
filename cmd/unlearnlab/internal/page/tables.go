package page

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/printed"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// item is a table with what belongs to it.
type item struct {
	ID, Title string
	Lacks     string // why the preset has none
	Here      *grid  // what the study has found
	Printed   *grid
	Judged    bool // its cells have verdicts
	Within    bool // what is printed stands in the table that is here, too
	Certified *grid
	Sources   *grid // the runs of each row
	Trace     string
	Command   string

	plain *report.Table // that is here
}

// shelf hands out what there is of a paper, and knows what of the printed has been shown.
type shelf struct {
	Paper
	name  string
	taken []string
}

func newShelf(p Paper) *shelf { return &shelf{Paper: p, name: p.Study.Paper} }

// command is a command line about the paper at the preset.
func (s *shelf) command(verb, what string, more ...string) string {
	return strings.Join(append([]string{"unlearnlab", verb, s.name, what, "--preset", s.Preset}, more...), " ")
}

// nothing says why there are no results.
func (s *shelf) nothing() string {
	return fmt.Sprintf("no results at the preset %s: unlearnlab run %s --preset %[1]s makes them", s.Preset, s.name)
}

// printed is an item as printed, once; nil where nothing is.
func (s *shelf) printed(name, within string) (*grid, error) {
	if !slices.Contains(papers.ItemsOf(s.name), name) {
		return nil, nil
	}
	s.taken = append(s.taken, name)
	table, err := printed.Table(s.name, name)
	if err != nil {
		return nil, err
	}
	return layOut(within+"-printed", table.Title, table, fmt.Sprintf("unlearnlab table %s %s --printed", s.name, name)),
		nil
}

// tables are those that the study makes, of the paper and besides.
func (s *shelf) tables() (shown []*item, err error) {
	for _, i := range s.Study.Tables {
		one, err := s.table(i)
		if err != nil {
			return nil, err
		}
		if one.Printed, err = s.printed("table"+i.Name, one.ID); err != nil {
			return nil, err
		}
		if err := s.certify(one, i.Name); err != nil {
			return nil, err
		}
		shown = append(shown, one)
	}
	for _, i := range s.Study.Further {
		one, err := s.table(i)
		if err != nil {
			return nil, err
		}
		shown = append(shown, one)
	}
	return shown, nil
}

// table is a table as the study has found it.
func (s *shelf) table(i study.Item) (*item, error) {
	one := &item{ID: s.name + "-table-" + slug(i.Name), Title: titled("Table", i.Name, i.About)}
	if s.Results == nil {
		one.Lacks = s.nothing()
		return one, nil
	}
	one.Command = s.command("table", i.Name)
	table, err := s.Results.Table(i.Name, false)
	if lacks := new(study.Lacks); errors.As(err, &lacks) {
		one.Lacks = lacks.Error()
		return one, nil
	}
	if err != nil {
		return nil, err
	}
	one.plain, one.Here = table, layOut(one.ID+"-here", table.Title, table, one.Command)
	return one, nil
}

// certify adds to a table of the paper the verdicts of its cells, the same with intervals, and where they are from.
func (s *shelf) certify(one *item, number string) error {
	if one.Here == nil {
		return nil
	}
	cells, err := s.Results.Cells(number)
	if errors.As(err, new(*study.Lacks)) {
		return nil
	}
	if len(cells) == 0 || err != nil {
		return err
	}
	one.Judged, one.Within = one.Here.judge(one.plain, cells)
	table, err := s.Results.Table(number, true)
	if err != nil {
		return err
	}
	one.Certified = layOut(one.ID+"-certified", table.Title+", certified", table,
		s.command("table", number, "--certified"))
	one.Sources = s.sources(one.ID+"-sources", cells)
	one.Trace = s.command("trace", number, "--row", fmt.Sprintf("%q", cells[len(cells)-1].Row), "--column",
		fmt.Sprintf("%q", cells[0].Column))
	return nil
}

// sources names the runs of each row of cells.
func (s *shelf) sources(id string, cells []certify.Cell) *grid {
	g := &grid{ID: id, Caption: "The runs that each row is computed from", Corner: "Row",
		Head: [][]head{{{"Runs, by their keys", 1, true}}}}
	known := map[string]bool{}
	for _, r := range s.Runs {
		known[string(r.Manifest.Key)] = true
	}
	for _, c := range cells {
		last := len(g.Rows) - 1
		if last < 0 || g.Rows[last].Own != c.Row {
			g.Rows = append(g.Rows, row{Own: c.Row, Cells: []cell{{Words: true}}})
			last++
		}
		keys := &g.Rows[last].Cells[0]
		for _, run := range c.From {
			if known[run.Key] && !slices.Contains(keys.Links, short(run.Key)) {
				keys.Links = append(keys.Links, short(run.Key))
			}
		}
	}
	return g
}

// rest is what else is printed.
func (s *shelf) rest() (shown []*grid, err error) {
	for _, name := range papers.ItemsOf(s.name) {
		if slices.Contains(s.taken, name) {
			continue
		}
		g, err := s.printed(name, s.name+"-"+slug(name))
		if err != nil {
			return nil, err
		}
		shown = append(shown, g)
	}
	return shown, nil
}
