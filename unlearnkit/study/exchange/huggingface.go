package exchange

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// WriteHuggingFace writes, for each model, a file of results in Hugging Face's format, and returns the paths. Each file
// belongs in the model's repository.
func (t Table) WriteHuggingFace(folder string) (paths []string, err error) {
	models := t.models()
	for i, name := range folders(models) {
		file := filepath.Join(folder, name, ".eval_results", slug("unlearnlab "+t.Study.Paper+" table "+t.Number)+".yaml")
		if err := safefile.MakeFolder(filepath.Dir(file)); err != nil {
			return nil, err
		}
		err := safefile.WriteFile(file, func(w io.Writer) error {
			_, err := io.WriteString(w, t.yaml(models[i]))
			return err
		})
		if err != nil {
			return nil, err
		}
		paths = append(paths, file)
	}
	return paths, nil
}

// yaml returns the results of a model. Strings in double quotes are the same in YAML and JSON.
func (t Table) yaml(m model) string {
	var out strings.Builder
	for _, c := range m.cells {
		fmt.Fprintf(&out, "- dataset:\n    id: %s\n    task_id: %s\n", strconv.Quote(t.Dataset),
			strconv.Quote(slug(t.Study.Paper+" table "+t.Number+" "+c.Column)))
		fmt.Fprintf(&out, "  value: %s\n  date: %s\n", strconv.FormatFloat(c.Estimate, 'f', -1, 64),
			strconv.Quote(t.Time.UTC().Format("2006-01-02")))
		if t.Page != "" {
			fmt.Fprintf(&out, "  source:\n    url: %s\n    name: \"unlearnlab\"\n", strconv.Quote(t.Page))
		}
		fmt.Fprintf(&out, "  notes: %s\n", strconv.Quote(t.notes(c)))
	}
	return out.String()
}

// notes returns, as text, the facts that the format has no fields for.
func (t Table) notes(c certify.Cell) string {
	parts := []string{fmt.Sprintf("%s of %s", c.Column, t.title()), t.Study.Repetitions.Count(c.Seeds)}
	if !math.IsNaN(c.Lo) {
		parts = append(parts, fmt.Sprintf("95 %% interval [%.4g, %.4g]", c.Lo, c.Hi))
	}
	if c.Verdict != "" {
		parts = append(parts, fmt.Sprintf("target %.4g: %s", c.Target, c.Verdict))
		if c.DifferenceAdjusted < .05 {
			parts = append(parts, "differs from the target, p "+certify.PText(c.DifferenceAdjusted)+" (Holm)")
		}
	}
	return strings.Join(parts, "; ")
}
