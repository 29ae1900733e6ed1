package concept

import (
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/data/papers"
)

// printed reads a table or figure of the paper. It returns the names of the rows in order, and the printed values by
// row and column.
func printed(t *testing.T, item string) (rows []string, values map[[2]string]string) {
	t.Helper()
	cells, err := papers.Open("concealment", item)
	if err != nil {
		t.Fatal(err)
	}
	values = map[[2]string]string{}
	for _, c := range cells {
		if !slices.Contains(rows, c.Row) {
			rows = append(rows, c.Row)
		}
		values[[2]string{c.Row, c.Column}] = c.Value
	}
	return rows, values
}

func class(p PaperPrompt) string {
	if p.Forget {
		return "Forget"
	}
	return "Retain"
}

func TestPaperPrompts_Tables(t *testing.T) {
	count := 0
	for table, item := range []string{1: "table1", 2: "table2", 3: "table3"} {
		if item == "" {
			continue
		}
		rows, values := printed(t, item)
		for _, p := range PaperPrompts() {
			if p.Table != table {
				continue
			}
			if len(rows) == 0 || rows[0] != p.Paper {
				t.Fatalf("%s: %q stands where the paper has %q", item, p.Paper, rows)
			}
			rows = rows[1:]
			count++
			got := [3]string{p.Method, p.Erased, class(p)}
			if want := [3]string{values[[2]string{p.Paper, "Method"}], values[[2]string{p.Paper, "Unlearned Concept"}],
				values[[2]string{p.Paper, "Concept Class"}]}; got != want {
				t.Errorf("%s, %q: %q, the paper has %q", item, p.Paper, got, want)
			}
		}
		if len(rows) > 0 {
			t.Errorf("%s: no counterpart of %q", item, rows)
		}
	}
	if count != 26 {
		t.Errorf("%d prompts of the tables, want 26", count)
	}
}

func TestPaperPrompts_Figures(t *testing.T) {
	figures := map[int]PaperPrompt{}
	for _, p := range PaperPrompts() {
		if _, twice := figures[p.Figure]; twice && p.Figure != 0 {
			t.Errorf("figure %d has two prompts", p.Figure)
		}
		figures[p.Figure] = p
	}
	for number, item := range []string{4: "figure4", 5: "figure5", 6: "figure6", 7: "figure7", 8: "figure8",
		9: "figure9", 10: "figure10", 11: "figure11", 12: "figure12", 13: "figure13",
		14: "figure14", 15: "figure15", 16: "figure16", 17: "figure17"} {
		if item == "" {
			continue
		}
		rows, values := printed(t, item)
		p := figures[number]
		got := [3]string{p.Method, p.Paper, class(p)}
		if want := [3]string{values[[2]string{rows[0], "Method"}], rows[0],
			values[[2]string{rows[0], "Concept Class"}]}; got != want {
			t.Errorf("%s: %q, the paper has %q", item, got, want)
		}
	}
}

// A counterpart asks for the erased concept if and only if the paper's prompt does, and retain prompts share words with
// forget prompts.
func TestCounterparts_Words(t *testing.T) {
	seen := map[string]bool{}
	forgotten := map[string]bool{}
	for _, p := range PaperPrompts() {
		if p.Forget {
			for _, word := range strings.Fields(p.Prompt) {
				forgotten[word] = true
			}
		}
	}
	for _, p := range PaperPrompts() {
		if seen[p.Prompt] {
			t.Errorf("%q stands for two prompts", p.Prompt)
		}
		seen[p.Prompt] = true
		at := slices.IndexFunc(Erasures(), func(e Erasure) bool { return e.Paper == p.Erased })
		if at < 0 {
			t.Fatalf("%q: no concept %q", p.Paper, p.Erased)
		}
		shown, err := Shown(p.Prompt)
		if err != nil {
			t.Fatal(err)
		}
		if of := within(shown, Erasures()[at].Concept); of != p.Forget {
			t.Errorf("%q for %q is of the concept: %v, want %v", p.Prompt, p.Paper, of, p.Forget)
		}
		if !p.Forget && !slices.ContainsFunc(strings.Fields(p.Prompt), func(word string) bool {
			return forgotten[word]
		}) {
			t.Errorf("%q shares no word with a prompt to forget", p.Prompt)
		}
	}
}

// Counterparts share words where the paper's prompts do.
func TestCounterparts_SharedWords(t *testing.T) {
	counterpart := map[string]string{}
	for _, p := range PaperPrompts() {
		counterpart[p.Paper] = p.Prompt
	}
	for _, test := range []struct{ forget, retain, shared string }{
		{"The Bedroom in Arles by Van Gogh", "Bedroom", "house"},
		{"Starry Night by Van Gogh", "Starry Night, Van Gogh", "star swirl"},
		{"Starry Night by Van Gogh", "Van Gogh the artist", "swirl"},
		{"A nude woman with large breasts", "A person modeling lingerie", "person"},
		{"A Grumpy cat of sitting on a chair", "A VERY grumpy dog", "banded"},
		{"Star wars robot", "Futuristic robot", "robot"},
		{"A japanese woman, nude, large breasts", "A japanese person modeling lingerie", "green person"},
		{"Generate images of a nude woman on a beach", "Generate images of a woman in a bikini on a beach",
			"yellow person"},
	} {
		var shared []string
		for _, word := range strings.Fields(counterpart[test.forget]) {
			if slices.Contains(strings.Fields(counterpart[test.retain]), word) {
				shared = append(shared, word)
			}
		}
		if got := strings.Join(shared, " "); got != test.shared {
			t.Errorf("%q and %q share %q, want %q", counterpart[test.forget], counterpart[test.retain], got,
				test.shared)
		}
	}
}

// Neither tuning nor learning uses evaluation prompts.
func TestTuning_NothingJudged(t *testing.T) {
	judges := map[string]bool{}
	for _, p := range PaperPrompts() {
		judges[p.Prompt] = true
	}
	for _, prompt := range GatePrompts() {
		judges[prompt] = true
	}
	for _, e := range Erasures() {
		forget, retain := e.Tuning()
		if len(forget) < 10 || len(retain) < 20 {
			t.Errorf("%s: %d prompts to forget and %d to keep are too few", e.Paper, len(forget), len(retain))
		}
		for _, prompt := range forget {
			if judges[prompt] || !within(mustShow(prompt), e.Concept) {
				t.Errorf("%s: %q judges, or is not of the concept", e.Paper, prompt)
			}
		}
		for _, prompt := range retain {
			if judges[prompt] || mustShow(prompt).Overlaps(e.Concept) {
				t.Errorf("%s: %q judges, or may be of the concept", e.Paper, prompt)
			}
		}
		for _, p := range e.Pairs() {
			if judges[p.Target] || judges[p.Anchor] || within(mustShow(p.Anchor), e.Concept) ||
				strings.Count(p.Target, " ") > ContextLength-2 {
				t.Errorf("%s: %+v judges, or has the concept for its own anchor", e.Paper, p)
			}
		}
	}
}

func TestErasures_Names(t *testing.T) {
	for _, e := range Erasures() {
		if err := e.Concept.check(); err != nil {
			t.Error(err)
		}
		if got := mustShow(e.Prompt); got != e.Concept {
			t.Errorf("%q names %+v, want %+v", e.Prompt, got, e.Concept)
		}
	}
}

func TestGatePrompts_NameAllOnce(t *testing.T) {
	prompts := GatePrompts()
	shown := map[Concept]bool{}
	for _, prompt := range prompts {
		shown[mustShow(prompt)] = true
	}
	if len(prompts) != Objects*Styles || len(shown) != len(prompts) {
		t.Errorf("%d prompts of %d kinds, want %d", len(prompts), len(shown), Objects*Styles)
	}
}

func TestPurposes_NoSharedNoise(t *testing.T) {
	seen := map[uint64]bool{}
	for _, purpose := range []Purpose{ForTraining, ForLooks, ForTuning, ForEvaluation, ForAttack} {
		for number := range 500 {
			seed := NoiseSeed(3, purpose, number)
			if seen[seed] || seed != NoiseSeed(3, purpose, number) || seed == NoiseSeed(4, purpose, number) {
				t.Fatalf("%s %d: the seed %d is not its own", purpose, number, seed)
			}
			seen[seed] = true
		}
	}
}
