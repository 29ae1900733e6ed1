package launcher

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/preset"
)

// magicWord begins a line that the kernel handles itself, before gonb.
const magicWord = "%unlearn"

// A verb is a word that may follow %unlearn.
type verb struct {
	name, usage, summary string

	// answer handles a verb that runs no program. It is nil for a verb of the unlearnlab command.
	answer func(n *notebook, args []string) answer

	// complete returns the completions for the argument after args. It may be nil.
	complete func(o Offers, args []string) []string
}

// verbs returns the verbs in the order of the help text.
func verbs() []verb {
	return []verb{
		{name: "help", usage: "help", summary: "this list", answer: (*notebook).help},
		{name: "status", usage: "status", summary: "versions, folders and the preset of this kernel",
			answer: (*notebook).status},
		{name: "preset", usage: "preset [NAME]",
			summary:  "show or set the size of the experiments: " + strings.Join(preset.Names, ", "),
			answer:   (*notebook).setPreset,
			complete: onlyFirst(func(Offers) []string { return preset.Names })},
		{name: "stat", usage: "stat TEST FILE… [--x COLUMN] [--y COLUMN]",
			summary:  "a statistical test on columns of CSV, Parquet or npy files",
			complete: onlyFirst(func(o Offers) []string { return o.Tests })},
		{name: "audit", usage: "audit [PAPER]",
			summary:  "which printed numbers agree with each other, and which do not",
			complete: onlyFirst(func(o Offers) []string { return o.Audited })},
		{name: "table", usage: "table PAPER N", summary: "a table of a paper", complete: completeTable},
		{name: "figures", usage: "figures [PAPER [FIGURE]]", summary: "list the figures, or draw one",
			complete: completeFigure},
		{name: "run", usage: "run PAPER [--method NAME] [--dry-run]", summary: "run the missing stages of a study",
			complete: onlyFirst(func(o Offers) []string { return o.Studies })},
		{name: "claims", usage: "claims [PAPER]", summary: "a paper's claims, and which hold in the re-run",
			complete: onlyFirst(func(o Offers) []string { return o.Studies })},
		{name: "evaluate", usage: "evaluate PAPER --name NAME --models DIR",
			summary:  "a model of your own, judged as the paper's methods are",
			complete: onlyFirst(func(o Offers) []string { return o.Studies })},
		{name: "compare", usage: "compare FILE FILE… [--against FILE]",
			summary: "logs of other evaluators compared on the questions that they share"},
		{name: "trace", usage: "trace PAPER N --row ROW --column COLUMN",
			summary:  "the origin of a table's cell: its runs, their files, their rows",
			complete: completeMade},
		{name: "attack", usage: "attack mia --members FILE --non-members FILE [--column NAME], or " +
			"attack partial-diffusion --original DIR --unlearned DIR [--gold DIR] --prompt TEXT",
			summary:  "infer a model's training data, or recover erased knowledge",
			complete: onlyFirst(func(o Offers) []string { return o.Attacks })},
		{name: "exposure", usage: "exposure --model DIR --prefix TEXT --candidates FILE [--truth TEXT] [--image FILE]",
			summary: "candidates for a secret ranked by how likely a language model finds them"},
		{name: "causal-trace", usage: "causal-trace --model DIR --prompt TEXT --subject TEXT --answer TEXT",
			summary: "in which layers and at which tokens a language model keeps an answer"},
		{name: "verify", usage: "verify KEY", summary: "compute a result again and compare it byte by byte"},
		{name: "kept", usage: "kept [drop NAME|drop all]", summary: "list or drop the values that kx.Keep has stored",
			answer: (*notebook).keptValues, complete: completeKept},
		{name: "model", usage: "model inspect DIR",
			summary:  "any model's folder: its architecture, and whether its tensors fit",
			complete: onlyFirst(func(Offers) []string { return []string{"inspect", "forward"} })},
		{name: "judge", usage: "judge FILE", summary: "a table of outputs scored by rules, or by a language model"},
		{name: "data", usage: "data list|check|import|export PAPER DIR",
			summary:  "the corpora, readers of the published data sets, and a study's data and models for PyTorch",
			complete: completeData},
		{name: "device", usage: "device list|install cpu|install cuda", summary: "devices of this machine and their speed",
			complete: completeDevice},
		{name: "doctor", usage: "doctor", summary: "hardware of this machine, the chosen device, and problems"},
	}
}

// completeData completes the subcommand of data, then a paper to export.
func completeData(o Offers, args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"check", "export", "import", "list"}
	case len(args) == 1 && args[0] == "export":
		return o.Exported
	}
	return nil
}

// completeDevice completes the subcommand of device, then a plugin to install.
func completeDevice(_ Offers, args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"install", "list"}
	case len(args) == 1 && args[0] == "install":
		return []string{"cpu", "cuda"}
	}
	return nil
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

// splitWords splits a line as gonb does. Double quotes preserve spaces, and a backslash within them escapes a
// character. A # at the start of a word begins a comment, as in a shell.
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
		case c == '#' && !quoted && !started:
			return words, nil
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
