package printed

import (
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// layout describes how to format a table of a paper.
type layout struct {
	corners    []string
	references []string // rows that are printed but not ranked
	target     string   // row that the others should be close to
	higher     []string // last header levels of columns whose largest value is best
	lower      []string
	nearest    []string
	rename     map[string]string
	grouped    bool // rows are ranked within the first level of their name
	note       string
}

func (l layout) better(column string) report.Better {
	last := column[strings.LastIndex(column, "/")+1:]
	for better, names := range map[report.Better][]string{report.Higher: l.higher, report.Lower: l.lower,
		report.Nearest: l.nearest} {
		for _, name := range names {
			if name == last {
				return better
			}
		}
	}
	return report.Unranked
}

func (l layout) group(cell papers.Cell) string {
	if l.grouped {
		return cell.Levels()[0]
	}
	return ""
}
