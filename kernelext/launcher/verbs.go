package launcher

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
)

// magicWord starts a line that this kernel understands and gonb does not.
const magicWord = "%unlearn"

// A verb is what may follow %unlearn.
type verb struct {
	name, usage, summary string

	// answer is what the launcher says itself, without running anything; nil for a verb of the prebuilt command.
	answer func(n *notebook, args []string) answer

	// complete gives candidates for the argument after args; it may be nil.
	complete func(args []string) []string
}

// verbs lists what there is, in the order of the help.
func verbs() []verb {
	return []verb{
		{name: "help", usage: "help", summary: "this list", answer: (*notebook).help},
		{name: "status", usage: "status", summary: "versions, folders and the preset of this kernel",
			answer: (*notebook).status},
		{name: "preset", usage: "preset [NAME]",
			summary: "show or set how much is computed: " + strings.Join(presets, ", "), answer: (*notebook).setPreset,
			complete: first(func() []string { return presets })},
		{name: "stat", usage: "stat TEST FILE… [--x COLUMN] [--y COLUMN]",
			summary:  "a statistical test on columns of CSV, Parquet or npy files",
			complete: first(func() []string { return StatTests })},
		{name: "audit", usage: "audit [PAPER]",
			summary:  "which printed numbers agree with each other, and which do not",
			complete: first(func() []string { return papers.Names })},
		{name: "table", usage: "table PAPER N", summary: "a table of a paper", complete: completeTable},
		{name: "figures", usage: "figures [PAPER [FIGURE]]", summary: "the figures that can be drawn",
			complete: completeFigure},
		{name: "run", usage: "run PAPER [--method NAME] [--dry-run]", summary: "run the missing stages of a study",
			complete: first(func() []string {
				return Studies
			})},
		{name: "claims", usage: "claims [PAPER]", summary: "what a paper claims, and what holds in the re-run",
			complete: first(func() []string {
				return Studies
			})},
		{name: "attack", usage: "attack partial-diffusion --original DIR --unlearned DIR [--gold DIR] --prompt TEXT",
			summary:  "what a model was made to forget, got back",
			complete: first(func() []string { return Attacks })},
		{name: "verify", usage: "verify KEY", summary: "a result made again and compared byte by byte"},
	}
}

// presets are the sizes in which every study can be run.
var presets = []string{"smoke", defaultPreset, "mini", "paper"}

const defaultPreset = "quick"

// Studies are the papers whose experiments can be run, for completion.
var Studies = []string{"salmu", "concealment"}

// FurtherTables names the tables of "unlearnlab table" that studies have and their papers lack, for completion.
var FurtherTables = of("concealment", "verdicts", "settings", "readings1", "readings2", "readings3")

// Attacks names the attacks of "unlearnlab attack", for completion.
var Attacks = []string{"partial-diffusion"}

// StatTests are the tests of "unlearnlab stat", for completion.
var StatTests = []string{"wilcoxon", "mannwhitney", "mcnemar", "ks", "ks1", "ttest-paired", "ttest-1", "ttest-ind",
	"welch", "sign", "binomial", "fisher",
	"permutation-paired", "permutation-ind", "tost-paired", "tost-welch", "bootstrap", "friedman", "holm", "bonferroni",
	"hochberg", "bh", "by"}

// Figures are the figures of "unlearnlab figures", each with its paper, for completion.
var Figures = slices.Concat(
	of("salmu", "6", "7", "8", "budgets", "sizes"), of("unslu", "gum"),
	of("concealment", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17",
		"accuracy", "recovery", "crs"),
)

// of are items of a paper.
func of(paper string, names ...string) []papers.Item {
	var items []papers.Item
	for _, name := range names {
		items = append(items, papers.Item{Paper: paper, Name: name})
	}
	return items
}

func completeFigure(args []string) []string {
	var names []string
	for _, f := range Figures {
		switch {
		case len(args) == 0:
			names = append(names, f.Paper)
		case len(args) == 1 && f.Paper == args[0]:
			names = append(names, f.Name)
		}
	}
	return names
}

func findVerb(name string) (verb, bool) {
	all := verbs()
	i := slices.IndexFunc(all, func(v verb) bool { return v.name == name })
	if i < 0 {
		return verb{}, false
	}
	return all[i], true
}

func verbNames() []string {
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	return names
}

// first completes the first argument alone.
func first(candidates func() []string) func([]string) []string {
	return func(args []string) []string {
		if len(args) > 0 {
			return nil
		}
		return candidates()
	}
}

// completeTable completes a paper, then its items: tables by their numbers, others by their names, and what a study has
// beside them.
func completeTable(args []string) []string {
	switch len(args) {
	case 0:
		return papers.Names
	case 1:
		items := papers.ItemsOf(args[0])
		for i := range items {
			items[i] = strings.TrimPrefix(items[i], "table")
		}
		for _, further := range FurtherTables {
			if further.Paper == args[0] {
				items = append(items, further.Name)
			}
		}
		return items
	}
	return nil
}

// splitWords splits a line as gonb does: double quotes keep spaces, and within them a backslash keeps a quote.
func splitWords(line string) ([]string, error) {
	var words []string
	var current strings.Builder
	started, quoted, escaped := false, false, false
	for _, c := range line {
		switch {
		case escaped:
			current.WriteRune(c)
			escaped = false
		case c == '\\' && quoted:
			escaped = true
		case c == '"':
			quoted, started = !quoted, true
		case !quoted && (c == ' ' || c == '\t'):
			if started {
				words = append(words, current.String())
			}
			current.Reset()
			started = false
		default:
			current.WriteRune(c)
			started = true
		}
	}
	if quoted {
		return nil, fmt.Errorf("a quotation mark is not closed in %q", line)
	}
	if started {
		words = append(words, current.String())
	}
	return words, nil
}
