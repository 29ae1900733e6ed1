package page

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// item is one of the study's tables with everything that the page shows about it.
type item struct {
	ID, Title string
	Missing   string // reason why the preset lacks the table
	From      string // preset of Here, if it is not the paper's own
	Here      *grid  // the study's table
	Printed   *grid
	Judged    bool // the cells have verdicts
	Within    bool // whether Here also contains the printed values
	Certified *grid
	Sources   *grid // runs of each row
	Trace     string
	Records   *records
	Command   string

	source *report.Table // source of Here
}

// shelf builds a paper's tables and figures, and keeps track of the printed items already shown.
type shelf struct {
	Paper
	name      string
	single    bool // whether pictures are embedded in the page
	taken     []string
	certified []certified
}

// certified holds a table's cells for the leaderboard.
type certified struct {
	title, table string
	cells        []certify.Cell
}

func newShelf(p Paper) *shelf { return &shelf{Paper: p, name: p.Study.Paper} }

// command returns a command line for the paper and the preset.
func (s *shelf) command(verb, what string, more ...string) string {
	return strings.Join(append([]string{"unlearnlab", verb, s.name, what, "--preset", s.Preset}, more...), " ")
}

// noResults explains why there are no results.
func (s *shelf) noResults() string {
	return fmt.Sprintf("no results at the preset %s; compute them by unlearnlab run %s --preset %[1]s", s.Preset,
		s.name)
}

// printed returns an item as printed and marks it as shown. It returns nil if the paper has no such item.
func (s *shelf) printed(name, within string) (*grid, error) {
	if !slices.Contains(papers.ItemsOf(s.name), name) {
		return nil, nil
	}
	s.taken = append(s.taken, name)
	table, err := s.Study.PrintedTable(name)
	if err != nil {
		return nil, err
	}
	whole := fmt.Sprintf("unlearnlab table %s %s --printed", s.name, name)
	return newGrid(within+"-printed", table.Title, table, whole), nil
}

// tables returns the study's tables: the paper's, then additional ones.
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
	for _, i := range s.Study.FurtherTables() {
		one, err := s.table(i)
		if err != nil {
			return nil, err
		}
		shown = append(shown, one)
	}
	return shown, nil
}

// table returns a table of the study's results.
func (s *shelf) table(i study.Item) (*item, error) {
	one := &item{ID: s.name + "-table-" + slug(i.Name), Title: heading("Table", i.Name, i.About)}
	if s.Results == nil {
		one.Missing = s.noResults()
		return one, nil
	}
	one.Command = s.command("table", i.Name)
	table, err := s.Results.Table(i.Name, false)
	if errors.As(err, new(*study.Lacks)) && s.Smaller != nil {
		one.From = s.SmallerPreset
		one.Command = strings.Replace(one.Command, "--preset "+s.Preset, "--preset "+s.SmallerPreset, 1)
		table, err = s.Smaller.Table(i.Name, false)
	}
	if lacks := new(study.Lacks); errors.As(err, &lacks) {
		one.Missing, one.From = lacks.Error(), ""
		return one, nil
	}
	if err != nil {
		return nil, err
	}
	one.source, one.Here = table, newGrid(one.ID+"-here", table.Title, table, one.Command)
	return one, nil
}

// certify adds verdicts, the table with intervals, and the origin of the numbers to one of the paper's tables. It does
// nothing if the table lacks them.
func (s *shelf) certify(one *item, number string) error {
	if one.Here == nil || one.From != "" {
		return nil
	}
	cells, err := s.Results.Cells(number)
	if errors.As(err, new(*study.Lacks)) {
		return nil
	}
	if len(cells) == 0 || err != nil {
		return err
	}
	one.Judged, one.Within = one.Here.judge(one.source, cells)
	s.certified = append(s.certified, certified{one.Title, number, cells})
	table, err := s.Results.Table(number, true)
	if err != nil {
		return err
	}
	one.Certified = newGrid(one.ID+"-certified", table.Title+", certified", table,
		s.command("table", number, "--certified"))
	one.Sources = s.sources(one.ID+"-sources", cells)
	one.Records = s.records(number, cells)
	one.Trace = s.command("trace", number, "--row", fmt.Sprintf("%q", cells[len(cells)-1].Row), "--column",
		fmt.Sprintf("%q", cells[0].Column))
	return nil
}

// listed returns the short keys of the runs that the page lists.
func (s *shelf) listed() map[string]bool {
	listed := map[string]bool{}
	for _, r := range s.Runs {
		listed[short(string(r.Manifest.Key))] = true
	}
	return listed
}

// sources lists the runs behind each row, if the page lists them.
func (s *shelf) sources(id string, cells []certify.Cell) *grid {
	g := &grid{ID: id, Caption: "The runs behind each row", Corner: "Row",
		Head: [][]head{{{"Keys of the runs", 1, true}}}}
	listed := s.listed()
	for _, c := range cells {
		last := len(g.Rows) - 1
		if last < 0 || g.Rows[last].Own != c.Row {
			g.Rows = append(g.Rows, row{Own: c.Row, Cells: []cell{{Words: true}}})
			last++
		}
		keys := &g.Rows[last].Cells[0]
		for _, run := range c.From {
			if listed[short(run.Key)] && !slices.Contains(keys.Links, short(run.Key)) {
				keys.Links = append(keys.Links, short(run.Key))
			}
		}
	}
	return g
}

// others returns the printed items that have not been shown.
func (s *shelf) others() (shown []*grid, err error) {
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
