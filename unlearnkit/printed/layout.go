package printed

import (
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Layout defines how a table of a paper is formatted.
type Layout struct {
	Corners    []string
	References []string // rows that are not ranked
	Target     string   // row with the target values of the other rows
	Higher     []string // last header level of the columns in which the largest value is best
	Lower      []string
	Nearest    []string
	Rename     map[string]string
	Grouped    bool // rank rows within the first level of their name
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
