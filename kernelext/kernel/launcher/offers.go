package launcher

import (
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
)

// Offers holds the names that completion offers after a verb. The command fills it.
type Offers struct {
	Tests    []string      // tests of the verb stat
	Attacks  []string      // attacks of the verb attack
	Studies  []string      // papers with studies that can be run
	Audited  []string      // papers whose printed numbers are checked
	Exported []string      // papers whose data and models can be exported
	Tables   []papers.Item // tables of studies that are not in their papers
	Made     []papers.Item // tables of papers that studies reproduce
	Figures  []papers.Item
}

// onlyFirst returns a completion function for verbs whose first argument is one of names.
func onlyFirst(names func(o Offers) []string) func(Offers, []string) []string {
	return func(o Offers, args []string) []string {
		if len(args) > 0 {
			return nil
		}
		return names(o)
	}
}

// completeTable completes a paper, then its items: tables by number, other items by name, tables that the study makes
// without a printed one, and the study's additional tables.
func completeTable(o Offers, args []string) []string {
	switch len(args) {
	case 0:
		return o.Studies
	case 1:
		items := papers.ItemsOf(args[0])
		for i := range items {
			items[i] = strings.TrimPrefix(items[i], "table")
		}
		for _, name := range append(itemNames(args[0], o.Made), itemNames(args[0], o.Tables)...) {
			if !slices.Contains(items, name) {
				items = append(items, name)
			}
		}
		return items
	}
	return nil
}

// completeFigure offers the papers that have figures for the first argument, and the figures of that paper for the
// second.
func completeFigure(o Offers, args []string) []string { return completeItem(o.Figures, args) }

// completeMade completes a paper with reproduced tables, then one of these tables.
func completeMade(o Offers, args []string) []string { return completeItem(o.Made, args) }

// completeItem completes a paper that occurs in items, then one of its items.
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
		return itemNames(args[0], items)
	}
	return nil
}

func itemNames(paper string, items []papers.Item) []string {
	var names []string
	for _, item := range items {
		if item.Paper == paper {
			names = append(names, item.Name)
		}
	}
	return names
}
