package studies

import (
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// IsReproduced reports whether a study reproduces a table of the paper.
func IsReproduced(paper, number string) bool {
	s := papers.Of(paper)
	return s != nil && among(s.Tables, number)
}

// IsFurther reports whether a study has a table that is not in the paper.
func IsFurther(paper, name string) bool {
	s := papers.Of(paper)
	return s != nil && among(FurtherTables(s), name)
}

// FurtherTables returns a study's tables that are not in its paper. Every study has the table of costs.
func FurtherTables(s *study.Study) []study.Item {
	return append(s.FurtherTables(), study.Item{Name: study.CostTable,
		About: "hours and memory of each preset"})
}

func among(items []study.Item, name string) bool {
	return slices.ContainsFunc(items, func(i study.Item) bool { return i.Name == name })
}

// ListReproduced describes the reproduced tables of all studies.
func ListReproduced() string {
	var all []string
	for _, s := range papers.All {
		var names []string
		for _, t := range s.Tables {
			names = append(names, t.Name)
		}
		all = append(all, s.Paper+" "+strings.Join(names, ", "))
	}
	return strings.Join(all, "; ")
}
