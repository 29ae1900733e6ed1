package attack

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

// promptsReport is the JSON report of an attack with many prompts.
type promptsReport struct {
	OK      bool            `json:"ok"`
	Prompts []*attackReport `json:"prompts"`
	Means   []promptsMean   `json:"means"`
	// Judgements is null without a gold model or a classifier.
	Judgements []attack.Judgement `json:"judgements"`
	Files      []string           `json:"files"`
	Lacks      []string           `json:"lacks"`
}

// promptsMean is a score's mean over prompts with its 95 % interval.
type promptsMean struct {
	Model string `json:"model"`
	Score string `json:"score"`
	attack.Interval
	N int `json:"n"` // number of prompts with a finite score
}

// scoresFile is the file with a row for each prompt and model.
const scoresFile = "scores.csv"

// runAll runs the attack for each unfinished prompt and reports on all prompts.
func (a *attackRun) runAll(stdout, stderr io.Writer) error {
	all := promptsReport{OK: true, Files: []string{}}
	for i, one := range a.asked {
		done, err := a.earlierReport(one)
		if err != nil {
			return err
		}
		if done == nil {
			fmt.Fprintf(stderr, "prompt %d of %d: %.60s\n", i+1, len(a.asked), one.prompt)
			if done, err = a.carryOut(one, stderr); err != nil {
				return err
			}
			done.figures = nil
			for _, warning := range done.Warnings {
				fmt.Fprintf(stderr, "warning: %s: %s\n", one.out, warning)
			}
		}
		all.Prompts, all.Lacks = append(all.Prompts, done), done.Lacks
	}
	if a.pictures {
		var pictures []completed
		for i, one := range all.Prompts {
			pictures = append(pictures, one.completions(filepath.Base(a.asked[i].out))...)
		}
		path, err := listPictures(a.out, pictures)
		if err != nil {
			return err
		}
		all.Files = append(all.Files, path)
	}
	return all.show(a.out, a.column(), a.asJSON, stdout, stderr)
}

// show averages over the prompts, writes each prompt's scores to a file, and prints the report for people or machines.
func (r promptsReport) show(out, column string, asJSON bool, stdout, stderr io.Writer) error {
	rows := rowsOf(r.Prompts, column)
	r.Means, r.Judgements = rows.means(), overPrompts(r.Prompts)
	path := filepath.Join(out, scoresFile)
	if err := safefile.WriteCSV(path, rows.columns()); err != nil {
		return err
	}
	r.Files = append(r.Files, path)
	if asJSON {
		return cli.WriteJSON(stdout, r)
	}
	if err := showTables(stdout, r.table(), verdictTable(r.Judgements, "prompts")); err != nil {
		return err
	}
	for _, path := range r.Files {
		fmt.Fprintln(stdout, path)
	}
	for _, lack := range r.Lacks {
		fmt.Fprintf(stderr, "note: %s\n", lack)
	}
	return nil
}

// earlierReport returns a prompt's report from an earlier run, or nil if there is none or the settings have changed.
func (a *attackRun) earlierReport(one promptAttack) (*attackReport, error) {
	key, err := a.key(one)
	if err != nil {
		return nil, err
	}
	r, err := readAttack(filepath.Join(one.out, curvesFile))
	if err != nil {
		return nil, fmt.Errorf("%w; remove the file to draw the prompt again", err)
	}
	if r == nil || r.Key != key {
		return nil, nil
	}
	return r, nil
}

// promptTable holds scores by prompt and model.
type promptTable struct {
	prompts, models []string
	names           []string // names of the scores
	values          [][]*float64
}

// rowsOf returns the scores of all prompts and models: the area under the column's curve, and the paper's scores.
func rowsOf(all []*attackReport, column string) promptTable {
	t := promptTable{names: []string{column + "_area"}}
	if len(all[0].Scores) > 0 {
		t.names = append(t.names, "ccs", "crs_forget", "crs_printed_retain", "crs_printed_forget", "crs_contrast",
			"kid_original", "kid_unlearned", "validation_accuracy")
	}
	for _, r := range all {
		for _, c := range r.Curves {
			if c.Column != column {
				continue
			}
			row := []*float64{c.Area.Estimate}
			for _, s := range r.Scores {
				if s.Model == c.Model {
					row = append(row, s.CCS.Estimate, s.CRSForget.Estimate, s.Printed7.Estimate, s.Printed8.Estimate,
						s.Contrast.Estimate, s.KIDO, s.KIDU, &s.Validation)
				}
			}
			t.prompts, t.models, t.values = append(t.prompts, r.Prompt), append(t.models, c.Model),
				append(t.values, row)
		}
	}
	return t
}

// columns returns the table's columns for a file.
func (t promptTable) columns() []safefile.Column {
	columns := []safefile.Column{{Name: "prompt", Texts: t.prompts}, {Name: "model", Texts: t.models}}
	for i, name := range t.names {
		c := safefile.Column{Name: name, Values: []float64{}}
		for _, row := range t.values {
			c.Values = append(c.Values, orNaN(row[i]))
		}
		columns = append(columns, c)
	}
	return columns
}

// means returns the means over prompts by model and score.
func (t promptTable) means() (all []promptsMean) {
	met := map[string]bool{}
	for _, model := range t.models {
		if met[model] {
			continue
		}
		met[model] = true
		for i, name := range t.names {
			var values []*float64
			for row, of := range t.models {
				if of == model {
					values = append(values, t.values[row][i])
				}
			}
			known := finite(values)
			b := stat.BootstrapMean(known)
			all = append(all, promptsMean{model, name, attack.Interval{Estimate: report.Defined(b.Estimate),
				Lo: report.Defined(b.Lo), Hi: report.Defined(b.Hi)}, len(known)})
		}
	}
	return all
}

// table returns the table of the means.
func (r promptsReport) table() *report.Table {
	t := &report.Table{Title: fmt.Sprintf("Partial diffusion of %d prompts", len(r.Prompts)),
		Corners: []string{"Score", "Model"},
		Columns: []report.Column{{Name: "Mean"}, {Name: "Prompts"}}}
	for _, m := range r.Means {
		t.Rows = append(t.Rows, report.Named(m.Score, m.Model).With(
			report.Word(m.Interval.String()), report.Word(fmt.Sprint(m.N))))
	}
	t.Note = "Means over the prompts with 95 % intervals. An area is the area under the curve over all ψ; the " +
		"other scores are the paper's, over the requested ψ."
	return t
}
