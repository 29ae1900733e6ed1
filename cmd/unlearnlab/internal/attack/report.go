package attack

import (
	"fmt"
	"image"
	"io"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

type attackReport struct {
	OK bool `json:"ok"` // the attack was carried out
	attack.Summary
	Key       string                   `json:"key"` // digest of everything that determines the results
	Prompt    string                   `json:"prompt"`
	Finish    string                   `json:"finish_prompt"` // prompt of the completing models
	Negative  string                   `json:"negative_prompt"`
	Seeds     []uint64                 `json:"seeds"`
	HandOvers []handOver               `json:"hand_overs"`
	Calls     partialdiffusion.Calls   `json:"calls_of_the_original"` // network calls of the original for each picture
	Completed []partialdiffusion.Calls `json:"calls_of_the_models"`
	Guidance  float64                  `json:"guidance"`
	Precision string                   `json:"precision"`
	Scores    []paperScores            `json:"scores,omitempty"`
	Files     []string                 `json:"files"`
	Warnings  []string                 `json:"warnings"`

	figures []namedFigure // figures not yet shown
}

// handOver is the point at which the original model stops.
type handOver struct {
	Psi         string  `json:"psi"`
	Steps       int     `json:"steps"`    // steps of the original
	Timestep    int     `json:"timestep"` // first timestep of the other model, or -1 if no step is left
	SignalShare float64 `json:"signal_share"`
}

// The files next to the pictures: the curves and summaries, and the raw scores.
const (
	curvesFile = "curves.json"
	rowsFile   = "rows.parquet"
)

// report assembles the report of an attack and writes its files.
func (a *attackRun) report(one promptAttack, key string, d *partialdiffusion.Drawing, result *attack.Result,
	told []partialdiffusion.SetScores) (*attackReport, error) {
	r := &attackReport{OK: true, Key: key, Prompt: one.prompt, Finish: one.finish, Negative: a.negative, Seeds: d.Seeds,
		Calls: d.Calls, Guidance: one.settings.Guidance, Precision: a.precision, Files: []string{},
		Warnings: append([]string{}, d.Warnings...)}
	var err error
	if r.Summary, err = result.Summary(); err != nil {
		return nil, err
	}
	for _, hand := range d.HandOvers {
		r.HandOvers = append(r.HandOvers, handOver{hand.Psi.String(), hand.Steps, hand.Timestep, hand.SignalShare})
	}
	for _, strip := range d.Strips {
		r.Completed = append(r.Completed, strip.Completions.Calls)
	}
	for _, t := range told {
		scores, err := a.scores(t, result)
		if err != nil {
			return nil, err
		}
		r.Scores = append(r.Scores, scores)
		if t.Validation < partialdiffusion.WeakClassifier {
			r.Warnings = append(r.Warnings, fmt.Sprintf("the classifier of %s against the original is right for only "+
				"%.2f of held-out pictures, so CCS and CRS mean little", t.Model, t.Validation))
		}
	}
	if r.figures, err = a.figures(one, d, result); err != nil {
		return nil, err
	}
	if a.pictures {
		if err := writePictures(one.out, d); err != nil {
			return nil, err
		}
		list, err := listPictures(one.out, r.completions("."))
		if err != nil {
			return nil, err
		}
		r.Files = append(r.Files, filepath.Join(one.out, picturesFolder), list)
	}
	return r, r.write(one.out, result)
}

// show prints the results for people or machines: a column, and the paper's scores if there are any.
func (r *attackReport) show(column string, scores *report.Table, asJSON bool, stdout, stderr io.Writer) error {
	for _, warning := range r.Warnings {
		fmt.Fprintf(stderr, "warning: %s\n", warning)
	}
	if asJSON {
		return cli.WriteJSON(stdout, r)
	}
	tables := []*report.Table{r.table(column), verdictTable(r.Judgements, "seeds of one prompt"), scores}
	for _, figure := range r.figures {
		if kernelext.InNotebook() {
			kernelext.Figure(figure.Figure)
		}
	}
	if err := showTables(stdout, tables...); err != nil {
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

// showTables shows tables in the cell, or prints them one below the other. It skips nil tables.
func showTables(stdout io.Writer, tables ...*report.Table) error {
	for i, t := range tables {
		switch {
		case t == nil:
			continue
		case kernelext.InNotebook():
			kernelext.Table(t)
			continue
		case i > 0:
			fmt.Fprintln(stdout)
		}
		view := cli.ViewOf(stdout)
		view.Numbers = true
		if err := t.Show(stdout, view); err != nil {
			return err
		}
	}
	return nil
}

type namedFigure struct {
	file string
	*plots.Figure
}

// column returns the column that is shown: Recovered with a classifier, Nearness without.
func (f partialFlags) column() string {
	if f.classifier != "" {
		return partialdiffusion.Recovered
	}
	return partialdiffusion.Nearness
}

// recoveryFigure draws the recovery curves of all models for a column.
func recoveryFigure(result *attack.Result, column string) (namedFigure, error) {
	var curves []attack.Curve
	for _, m := range result.Models {
		curve, err := result.Curve(m.Name, column)
		if err != nil {
			return namedFigure{}, err
		}
		curves = append(curves, curve)
	}
	figure, err := plots.Draw(attack.Recovery(curves))
	return namedFigure{"recovery.png", figure}, err
}

// figures returns the recovery curves and a strip for each seed.
func (f partialFlags) figures(one promptAttack, d *partialdiffusion.Drawing, result *attack.Result) ([]namedFigure,
	error) {
	recovery, err := recoveryFigure(result, f.column())
	if err != nil {
		return nil, err
	}
	figures := []namedFigure{recovery}
	for i, seed := range d.Seeds {
		strip, err := plots.Draw(attack.Strip(fmt.Sprintf("%.40s, seed %d", one.prompt, seed), result.Axis,
			result.Budgets, stripRows(d, i)))
		if err != nil {
			return nil, err
		}
		figures = append(figures, namedFigure{fmt.Sprintf("strip-%d.png", seed), strip})
	}
	return figures, nil
}

// stripRows returns the rows of one seed's strip: the original's predictions, then each model's pictures. seed is an
// index.
func stripRows(d *partialdiffusion.Drawing, seed int) []attack.StripRow {
	rows := []attack.StripRow{{Name: "x0 seen by the original"}}
	for _, picture := range d.Predicted {
		rows[0].Images = append(rows[0].Images, partialdiffusion.Picture(picture, seed))
	}
	for _, strip := range d.Strips {
		var images []image.Image
		for _, picture := range strip.Pictures {
			images = append(images, partialdiffusion.Picture(picture, seed))
		}
		rows = append(rows, attack.StripRow{Name: "completed by " + strip.Model.Name, Images: images})
	}
	return rows
}

// write writes the report's files and adds their paths to Files.
func (r *attackReport) write(out string, result *attack.Result) error {
	if err := safefile.MakeFolder(out); err != nil {
		return err
	}
	for _, figure := range r.figures {
		path := filepath.Join(out, figure.file)
		if err := cli.WritePath(io.Discard, path, func(w io.Writer) error {
			return cli.Formats["png"](figure.Figure, w)
		}); err != nil {
			return err
		}
		r.Files = append(r.Files, path)
	}
	rows, curves := filepath.Join(out, rowsFile), filepath.Join(out, curvesFile)
	if err := result.WriteParquet(rows); err != nil {
		return err
	}
	r.Files = append(r.Files, rows, curves)
	return cli.WritePath(io.Discard, curves, func(w io.Writer) error { return cli.WriteJSON(w, r) })
}

// notes holds the note below the table for each column.
var notes = map[string]string{
	partialdiffusion.Nearness: "Nearness is 0 for the model's own picture and 1 for the original's picture from the " +
		"same noise; 95 % intervals over the seeds.",
	partialdiffusion.Recovered: "Recovered is the share of pictures recognised as the concept; 95 % intervals by " +
		"Wilson.",
}

// table returns the table of the hand-overs and of each model's recovery.
func (r *attackReport) table(column string) *report.Table {
	t := &report.Table{
		Title: fmt.Sprintf("Partial diffusion of %.60q, %d seeds", r.Prompt, len(r.Seeds)), Corner: "ψ",
		Note:    notes[column],
		Columns: []report.Column{{Name: "steps of the original"}, {Name: "then from"}, {Name: "signal share"}},
	}
	var shown []attack.CurveSummary
	for _, c := range r.Curves {
		if c.Column == column {
			shown, t.Columns = append(shown, c), append(t.Columns, report.Column{Name: column + ", " + c.Model})
		}
	}
	for i, hand := range r.HandOvers {
		from := "the end"
		if hand.Timestep >= 0 {
			from = fmt.Sprint(hand.Timestep)
		}
		row := report.Row{Name: hand.Psi,
			Cells: []report.Cell{report.Word(fmt.Sprint(hand.Steps)), report.Word(from),
				report.Word(fmt.Sprintf("%.4f", hand.SignalShare))}}
		for _, c := range shown {
			row.Cells = append(row.Cells, report.Word(c.Points[i].Interval.String()))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
