package unslu

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// TableNumbers lists the tables of the paper that the study reproduces.
var TableNumbers = []string{"1", "2", "3", metricsTable, epochsTable}

var titles = map[string]string{
	"1":          "Unlearning on FSC",
	"2":          "Unlearning on SLURP* and ITALIC",
	"3":          "Unlearning on SpeechMASSIVE",
	metricsTable: "Metrics of unlearning on SLURP*, wav2vec 2.0",
	epochsTable:  "Unlearning after so many epochs of training, SLURP*, wav2vec 2.0",
}

// Names of the rows of models that unlearn nothing, as in the paper.
const (
	originalRow = "Orig."
	goldRow     = "Gold"
)

// Cells returns the certified cells of a table, row by row. The name of a row is, for example, "SLURP*/HuBERT/NG".
func (r *Results) Cells(number string) ([]certify.Cell, error) {
	parts, err := r.parts(number)
	if err != nil {
		return nil, err
	}
	var cells []certify.Cell
	for _, p := range parts {
		cells = append(cells, table.Cells(p.Rows, p.Columns)...)
	}
	certify.Adjust(cells) // correct over all cells of the table
	if err := printedIn(cells, number); err != nil {
		return nil, err
	}
	return r.withGuests(parts, cells), nil
}

// printedIn sets the printed values of cells. In the paper's tables, the benchmarks are next to each other.
func printedIn(cells []certify.Cell, number string) error {
	there, err := papers.Open("unslu", "table"+number)
	if err != nil {
		return err
	}
	known := map[[2]string]string{}
	for _, p := range there {
		known[[2]string{p.Row, p.Column}] = p.Value
	}
	for i, cell := range cells {
		benchmark, row := apart(cell.Levels)
		cells[i].Printed = known[[2]string{row, benchmark + cell.Column}]
	}
	return nil
}

// apart splits the levels of a row's name into the benchmark and the model. The benchmark ends with a slash. It is ""
// if the table has only one benchmark.
func apart(levels []string) (benchmark, model string) {
	last := len(levels) - 1
	return strings.Join(append(slices.Clone(levels[:last]), ""), "/"), levels[last]
}

// part holds rows of a table that are compared with the same gold model.
type part = study.Part

// parts returns the parts of a table, from top to bottom.
func (r *Results) parts(number string) (parts []part, err error) {
	switch number {
	case metricsTable:
		parts = r.metricsParts()
	case epochsTable:
		parts = r.epochsParts()
	case "1", "2", "3":
		for i, b := range r.Preset.Benchmarks {
			if b.Table == number {
				parts = append(parts, r.part(i, b.levels(), mainColumns(), r.allRows(i)...))
			}
		}
	default:
		return nil, fmt.Errorf("the study has no table %q; it has %s", number, strings.Join(TableNumbers, ", "))
	}
	if len(parts) == 0 {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has nothing of table " + number + " of unslu" +
			r.Preset.why(number)}
	}
	return parts, nil
}

// line identifies a row of a table: a name, and a function that returns the row's model in a world.
type line struct {
	name string
	of   func(b *BenchmarkScores) *Model
}

// Rows of the models that unlearn nothing.
var (
	original = line{originalRow, func(b *BenchmarkScores) *Model { return b.Original }}
	gold     = line{goldRow, func(b *BenchmarkScores) *Model { return b.Gold }}
)

// allRows returns the rows of a benchmark: the models that unlearn nothing, and the methods at their chosen rates.
func (r *Results) allRows(benchmark int) []line {
	lines := []line{original, gold}
	chosen := r.Chosen(benchmark, Validation, metric.GUMOnAccuracy)
	for m, method := range r.Preset.Benchmarks[benchmark].Methods {
		lines = append(lines, line{method.Title, func(b *BenchmarkScores) *Model { return b.Methods[m][chosen[m]] }})
	}
	return lines
}

// methodRows returns the rows of the methods on a benchmark, at their chosen rates.
func (r *Results) methodRows(benchmark int) []line { return r.allRows(benchmark)[2:] }

// part collects the scores of some rows of a benchmark.
func (r *Results) part(benchmark int, prefix []string, metrics []study.Metric, lines ...line) part {
	return r.partOf(prefix, metrics, lines, func(world int) *BenchmarkScores {
		return &r.Worlds[world].Benchmarks[benchmark]
	})
}

// partOf collects the scores of some rows. Its callback returns the models of a world, including the models that
// columns compare with.
func (r *Results) partOf(prefix []string, metrics []study.Metric, lines []line,
	beside func(world int) *BenchmarkScores) (p part) {
	var refs []study.References
	for world := range r.Worlds {
		refs = append(refs, beside(world).references())
	}
	for _, l := range lines {
		var models []*study.Evaluation
		for world := range r.Worlds {
			models = append(models, l.of(beside(world)).Evaluation)
		}
		p.Rows = append(p.Rows, study.RowOf(append(slices.Clone(prefix), l.name), l.name == goldRow, models...))
	}
	p.Columns = study.Columns(metrics, refs)
	return p
}

// metricsRows names the rows on which the paper compares metrics.
var metricsRows = []string{originalRow, goldRow, "NG", "UNSIR", "SCRUB"}

func (r *Results) metricsParts() []part {
	at := r.Preset.place(epochsBenchmark)
	if at < 0 {
		return nil
	}
	lines := slices.DeleteFunc(r.allRows(at), func(l line) bool { return !slices.Contains(metricsRows, l.name) })
	return []part{r.part(at, nil, metricsColumns(), lines...)}
}

// epochsParts returns the parts of Table 5. Each row has its own original and gold models.
func (r *Results) epochsParts() (parts []part) {
	for i, budget := range r.Preset.Epochs.Budgets {
		unlearned := line{strconv.Itoa(budget), func(b *BenchmarkScores) *Model { return b.Methods[0][0] }}
		parts = append(parts, r.partOf(nil, epochsColumns(), []line{unlearned}, func(world int) *BenchmarkScores {
			return &r.Worlds[world].Epochs[i]
		}))
	}
	return parts
}

// Table returns a table of results. If certified is false, it has only values, with the best and the second best marked
// as in the paper.
func (r *Results) Table(number string, certified bool) (*report.Table, error) {
	return r.Below(r.table(number, certified))
}

func (r *Results) table(number string, certified bool) (*report.Table, error) {
	if t, err := study.ExtraTable(furtherTables(), r, number); t != nil || err != nil {
		return t, err
	}
	cells, err := r.Cells(number)
	if err != nil {
		return nil, err
	}
	columns := columnsOf(number)
	t := &report.Table{Title: fmt.Sprintf("Table %s. %s (%s)", number, titles[number], r.Preset.Name), Corner: "Method"}
	if number == epochsTable {
		t.Corner = "Epochs"
	}
	for _, c := range columns {
		t.Columns = append(t.Columns, report.Column{Name: c.Name, Better: c.Better, Targets: map[string]float64{}})
	}
	for at := 0; at < len(cells); at += len(columns) {
		group, name := apart(cells[at].Levels)
		line := report.Row{Name: cells[at].Row, Levels: cells[at].Levels, Group: group,
			Reference: name == goldRow || name == originalRow, Guest: cells[at].Guest}
		if line.Guest {
			line.Group = "guest/" + group // keeps an imported model from changing other rows' marks
		}
		for i, cell := range cells[at : at+len(columns)] {
			judged := certified && name != goldRow
			line.Cells = append(line.Cells, study.Cell(cell, study.Text(cell, judged), judged))
			t.Columns[i].Targets[line.Group] = cell.Target
		}
		t.Rows = append(t.Rows, line)
	}
	if !certified && number != epochsTable {
		t.Rank()
	}
	t.Note = r.note(number, certified, cells) + r.seconds(number) + r.Preset.lacks(number) + study.Warnings(cells) +
		r.doubts.Below(cells)
	return t, nil
}

func columnsOf(number string) []study.Metric {
	switch number {
	case metricsTable:
		return metricsColumns()
	case epochsTable:
		return epochsColumns()
	}
	return mainColumns()
}

// note returns the note below a table: the numbers of worlds and clips, and how the values are computed.
func (r *Results) note(number string, certified bool, cells []certify.Cell) string {
	text := fmt.Sprintf("n: %s; %s. ", Worlds.Count(len(r.Worlds)), r.counts(number))
	if number != epochsTable {
		text += "Rates are chosen on validation clips (table rates). "
	}
	clock := "seconds by the clock on the wall. "
	if r.Preset.ByPasses {
		clock = "seconds." + r.passesNote() + " "
	}
	text += "GUM uses test accuracy for utility, as the printed values do, and " + clock
	if !certified {
		if number == epochsTable {
			return text + "The last column uses the longest budget's retraining time for all, as the printed " +
				"GUM does."
		}
		return text + "Best and second are nearest to gold for F1, accuracy and MIA, largest for GUM, NoMUS " +
			"and speed-up."
	}
	bases, _ := study.Bases(cells)
	return text + fmt.Sprintf("Intervals: 95 %%, by Student's t over worlds, one number per world. Verdicts by "+
		"the interval of the difference from gold: matched within %.2f, MIA within %.2f; not corrected for "+
		"their number. A star: the value differs from gold's after the correction.%s%s", knownMargin, attackMargin,
		r.differing(cells), r.basis(bases))
}

// differing returns a sentence that counts significant differences from the gold model, before and after the
// correction. With a single world there are no tests, and it returns "".
func (r *Results) differing(cells []certify.Cell) string {
	before, after, tested := 0, 0, 0
	for _, c := range cells {
		if math.IsNaN(c.DifferenceP) {
			continue
		}
		tested++
		if c.DifferenceP < .05 {
			before++
		}
		if c.Differs() {
			after++
		}
	}
	if tested == 0 {
		return ""
	}
	return fmt.Sprintf(" Of %d differences %d have p < .05 before the correction and %d after.", tested, before, after)
}

// seconds returns a note on the seconds that were added to rows of a table, or "".
func (r *Results) seconds(number string) string {
	if number == metricsTable || number == epochsTable { // these tables lack CF-k
		return ""
	}
	return r.aheadNote()
}

// basis describes the tests of a table. A single world allows no tests.
func (r *Results) basis(of []certify.Basis) string {
	if len(r.Worlds) == 1 {
		return " One world says nothing of others."
	}
	return " " + certify.Describe(of) + "."
}

// counts describes the number of clips in each world, for the benchmarks of a table.
func (r *Results) counts(number string) string {
	var texts []string
	utterances := ""
	for i, b := range r.Preset.Benchmarks {
		if b.Table != number && !(b.Name() == epochsBenchmark && (number == epochsTable || number == metricsTable)) {
			continue
		}
		models := r.Worlds[0].Benchmarks[i]
		if number == epochsTable {
			models = r.Worlds[0].Epochs[0]
		}
		scores := models.Gold.Scores
		text := fmt.Sprintf("%d clips to be forgotten and %d test clips", len(scores.ofSplit(Forget)),
			len(scores.ofSplit(Test)))
		if !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
		if b.Corpus.World.FarField {
			utterances = fmt.Sprintf("; on %s these are half as many utterances, each recorded by two "+
				"microphones",
				b.Set)
		}
	}
	return strings.Join(texts, " or ") + " in each world" + utterances
}
