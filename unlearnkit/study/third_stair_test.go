package study_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/internal/testkit/third"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/chart"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/publish"
)

// The examples in this file add one capability each to the study of package third, from the least work to the most.

// thirdWith returns a copy of the study of package third with one more capability.
func thirdWith(add func(s *study.Study)) *study.Study {
	s := *third.Study
	add(&s)
	return &s
}

// resultsOf computes a study in a new folder and returns its results and the folder. It panics if that fails.
func resultsOf(s *study.Study) (r study.Results, folder string) {
	folder, err := os.MkdirTemp("", "third")
	must(err)
	plan, err := s.Plan(study.Request{Preset: "smoke"})
	must(err)
	in, err := s.OpenStore(folder)
	must(err)
	must(plan.Execute(context.Background(), in, third.Makers, study.Options{}))
	r, err = s.Open(folder, "smoke")
	must(err)
	return r, folder
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Step 1: a second table, computed from the cells of the first. It needs one function.
func ExampleStudy_withTable() {
	s := thirdWith(func(s *study.Study) {
		s.Further = []study.Extra[study.Results]{{Name: "gaps", About: "how far each model is from gold",
			Of: func(r study.Results) (*report.Table, error) {
				cells, err := r.Cells("1")
				t := &report.Table{Title: "Distance to gold", Corner: "Model", Columns: []report.Column{{Name: "Gap"}}}
				for _, c := range cells {
					gap := c.Estimate - c.Target
					t.Rows = append(t.Rows, report.Named(c.Row).With(report.Number(fmt.Sprintf("%.2f", gap), gap)))
				}
				return t, err
			}}}
	})
	r, folder := resultsOf(s)
	defer os.RemoveAll(folder)
	t, err := r.Table("gaps", false)
	must(err)
	for _, row := range t.Rows {
		fmt.Println(row.Name, row.Cells[0].Text)
	}
	// Output:
	// Gold 0.00
	// Original 0.64
	// finetuning/1x 0.53
	// finetuning/5x 0.12
	// ascent/1x 0.54
	// ascent/5x 0.13
}

// Step 2: claims in two families. P-values are corrected within a family: what the abstract says, and each section.
func ExampleStudy_withClaims() {
	s := thirdWith(func(s *study.Study) {
		s.Claims = append(certify.InFamily(certify.Headline, []certify.Claim{
			certify.Says("Longer ascent forgets more", "abstract", "“five passes forget more”", "Accuracy",
				certify.Greater("ascent/1x", "ascent/5x")),
		}), certify.InFamily("§3", []certify.Claim{
			certify.Says("The original knows more than gold", "§3", "", "Accuracy",
				certify.Greater("Original", "Gold")).Checks("only the original was trained on the forget set"),
			certify.Says("Ascent forgets more than finetuning", "Table 1", "", "Accuracy",
				certify.Greater("finetuning/5x", "ascent/5x")).Ours(),
		})...)
	})
	r, folder := resultsOf(s)
	defer os.RemoveAll(folder)
	for _, j := range r.Claims() {
		fmt.Printf("%s, %s: %s\n", j.Family, j.Claim, study.VerdictOf(j))
	}
	// Output:
	// headline, Longer ascent forgets more: holds
	// §3, The original knows more than gold: sanity check holds
	// §3, Ascent forgets more than finetuning: unresolved
}

// Step 3: a figure, drawn from the cells.
func ExampleStudy_withFigure() {
	s := thirdWith(func(s *study.Study) {
		s.Figures = study.Figures{{Name: "passes", About: "accuracy after each number of passes",
			Draw: func(r study.Results) (*chart.Figure, error) {
				cells, err := r.Cells("1")
				if err != nil {
					return nil, err
				}
				series := chart.Series{Name: "ascent"}
				for _, c := range cells {
					if c.Levels[0] == "ascent" {
						series.X, series.Y = append(series.X, float64(len(series.X)+1)), append(series.Y, c.Estimate)
						series.Lo, series.Hi = append(series.Lo, c.Lo), append(series.Hi, c.Hi)
					}
				}
				return chart.Lines{Title: "Forgetting speakers", Caption: "Means of three seeds with 95 % intervals",
					X: chart.Axis{Label: "budget"}, Y: chart.Axis{Label: "accuracy"}, Series: []chart.Series{series},
					Targets: []chart.Target{{Name: "gold", Value: cells[0].Estimate}}}.Figure()
			}}}
	})
	r, folder := resultsOf(s)
	defer os.RemoveAll(folder)
	f, err := s.Figures.Figure("passes", r)
	must(err)
	fmt.Println(f.Kind, "of", f.Title)
	// Output: Line chart of Forgetting speakers
}

// Step 4: published results, which others read without computing anything. The folder can be embedded in the program.
func ExampleStudy_withShelf() {
	_, folder := resultsOf(third.Study)
	defer os.RemoveAll(folder)
	plan, err := third.Study.Plan(study.Request{Preset: "smoke"})
	must(err)
	in, err := third.Study.OpenStore(folder)
	must(err)
	published := filepath.Join(folder, "published")
	must(plan.Publish(in, filepath.Join(published, "smoke")))
	files, err := filepath.Glob(filepath.Join(published, "smoke", "*"))
	must(err)
	for _, path := range files {
		fmt.Println(filepath.Base(path))
	}

	s := thirdWith(func(s *study.Study) {
		shelf := publish.Open(os.DirFS(published), "third")
		s.Shelf = func() *publish.Shelf { return shelf }
	})
	r, err := s.Open(filepath.Join(folder, "empty"), "smoke")
	must(err)
	fmt.Println(r.Seeds(), "seeds")
	// Output:
	// builds.csv
	// files.csv.gz
	// runs.csv.gz
	// scores.parquet
	// 3 seeds
}

// Step 5: limits for the scores of models from elsewhere. Without Bounds, they follow from the metrics. Models
// themselves need a Host, as in package salmu.
func ExampleStudy_withBounds() {
	s := thirdWith(func(s *study.Study) {
		s.Layout.Bounds = map[string]study.Bound{"clip": {About: "number of the recording"},
			"right": {Hi: 1, Whole: true, About: "1 if the model names the speaker"}}
	})
	plan, err := s.Plan(study.Request{Preset: "smoke"})
	must(err)
	must(plan.Host.Schema().Write(os.Stdout, "csv"))
	// Output:
	// Column,Type,Meaning
	// seed,whole number,"number of the seed, from 0; or leave out the column and give --world N"
	// clip,number,number of the recording
	// right,"whole number, from 0 to 1",1 if the model names the speaker
}
