package printed

import (
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Layout describes how to format a table of a paper.
type Layout struct {
	Corners    []string
	References []string // rows that are printed but not ranked
	Target     string   // row that the others should be close to
	Higher     []string // last header levels of columns whose largest value is best
	Lower      []string
	Nearest    []string
	Rename     map[string]string
	Grouped    bool // rows are ranked within the first level of their name
	Note       string
}

func (l Layout) better(column string) report.Better {
	last := column[strings.LastIndex(column, "/")+1:]
	for better, names := range map[report.Better][]string{report.Higher: l.Higher, report.Lower: l.Lower,
		report.Nearest: l.Nearest} {
		for _, name := range names {
			if name == last {
				return better
			}
		}
	}
	return report.Unranked
}

func (l Layout) group(cell papers.Cell) string {
	if l.Grouped {
		return cell.Levels()[0]
	}
	return ""
}
