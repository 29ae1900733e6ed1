package launcher

import (
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
)

// Offers are names that completion offers after a verb. The command knows them from its registries and hands them over.
type Offers struct {
	Tests   []string      // of the verb stat
	Attacks []string      // of the verb attack
	Studies []string      // papers whose experiments can be run
	Tables  []papers.Item // that studies have and their papers have not
	Made    []papers.Item // tables of papers that studies make again
	Figures []papers.Item
}

// first completes the first argument alone.
func first(names func(o Offers) []string) func(Offers, []string) []string {
	return func(o Offers, args []string) []string {
		if len(args) > 0 {
			return nil
		}
		return names(o)
	}
}

// completeTable completes a paper, then its items: tables by their numbers, others by their names, and what a study has
// beside them.
func completeTable(o Offers, args []string) []string {
	switch len(args) {
	case 0:
		return papers.Names
	case 1:
		items := papers.ItemsOf(args[0])
		for i := range items {
			items[i] = strings.TrimPrefix(items[i], "table")
		}
		return append(items, of(args[0], o.Tables)...)
	}
	return nil
}

// completeFigure completes a paper that has figures, then a figure.
func completeFigure(o Offers, args []string) []string { return completeItem(o.Figures, args) }

// completeMade completes a paper that has tables which are made again, then one of these.
func completeMade(o Offers, args []string) []string { return completeItem(o.Made, args) }

// completeItem completes a paper of some items, then an item.
func completeItem(items []papers.Item, args []string) []string {
	switch len(args) {
	case 0:
		var names []string
		for _, item := range items {
			if !slices.Contains(names, item.Paper) {
				names = append(names, item.Paper)
			}
		}
		return names
	case 1:
		return of(args[0], items)
	}
	return nil
}

// of are the names of a paper's items.
func of(paper string, items []papers.Item) []string {
	var names []string
	for _, item := range items {
		if item.Paper == paper {
			names = append(names, item.Name)
		}
	}
	return names
}
