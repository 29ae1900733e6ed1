package table

import (
	"fmt"
	"strconv"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// judgedBy replaces the scores in r by those in a file that the judge command wrote for the table "answers". If path is
// empty, it returns r unchanged.
func judgedBy(r study.Results, path string) (study.Results, error) {
	if path == "" {
		return r, nil
	}
	judgeable, can := r.(study.Judgeable)
	if !can {
		return nil, cli.Usagef("--judged: this study has no text answers to judge")
	}
	words, err := safefile.ReadWords(path)
	if err != nil {
		return nil, err
	}
	column, err := words.Words("score")
	if err != nil {
		return nil, fmt.Errorf("%w; unlearnlab judge writes this column", err)
	}
	scores := map[string]float64{}
	for row, name := range words.Columns[0].Texts {
		score, err := strconv.ParseFloat(column[row], 64)
		if err != nil || !(score >= 0 && score <= 100) {
			return nil, fmt.Errorf("read %s: row %d: the score %q is not a number from 0 to 100", path, row+1,
				column[row])
		}
		if _, twice := scores[name]; twice {
			return nil, fmt.Errorf("read %s: row %d: %s already has a score", path, row+1, name)
		}
		scores[name] = score
	}
	own, err := judgeable.Judged(scores)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return own, nil
}
