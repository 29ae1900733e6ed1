package concealment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Against compares the row called name with every other row of the table, using the training seeds and noises that both
// have. It ignores the case of name. P-values are adjusted over the table's own rows; each imported model is a family
// of its own.
func (r *Results) Against(table, name string) (*study.Comparisons, error) {
	rows := r.rowsOf(table)
	if titles[table] == "" || table == "4" {
		return nil, fmt.Errorf("table %q has no scores to compare; tables 1, 2 and 3 have", table)
	}
	if len(rows) == 0 {
		return nil, r.noTable(table)
	}
	var known []string
	for _, row := range rows {
		known = append(known, row.Prompt.Paper)
	}
	against := spelling.Match(name, known)
	if against < 0 {
		if near := spelling.Nearest(name, known); near != "" {
			return nil, fmt.Errorf("table %s has no prompt %q; do you mean %q?", table, name, near)
		}
		return nil, fmt.Errorf("table %s has no prompt %q; it has %s", table, name, strings.Join(known, ", "))
	}
	var all []certify.Comparison
	for i, row := range rows {
		if i == against {
			continue
		}
		for _, c := range r.Preset.Columns() {
			own, _ := r.outcomes(c, row)
			other, _ := r.outcomes(c, rows[against])
			comparison := certify.Compare(own, other)
			comparison.Row, comparison.Column, comparison.Against = known[i], c.name(), known[against]
			all = append(all, comparison)
		}
	}
	for _, row := range slices.Concat(r.guestRows(table)...) {
		of, other := r.forSeeds(rows[against], row.seeds)
		for _, c := range r.Preset.Columns() {
			own, _ := row.of.outcomes(c, row.AttackScores)
			its, _ := of.outcomes(c, other)
			comparison := certify.Compare(own, its)
			comparison.Row, comparison.Levels, comparison.Guest = row.name(), row.levels(), true
			comparison.Column, comparison.Against = c.name(), known[against]
			all = append(all, comparison)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("table %s has no other prompt than %q at preset %s", table, name, r.Preset.Name)
	}
	certify.AdjustComparisons(all)
	return &study.Comparisons{Title: fmt.Sprintf("Table %s, each prompt less %q (%s)", table, known[against],
		r.Preset.Name), Corners: []string{"Prompt"}, Digits: 2, All: all}, nil
}

// forSeeds returns copies of the results and the row, restricted to the given training seeds.
func (r *Results) forSeeds(row *AttackScores, seeds []int) (*Results, *AttackScores) {
	limited, own, pair := *r, *row, *r.pair(row)
	own.Unlearned, pair.Views = nil, nil
	for _, seed := range seeds {
		own.Unlearned = append(own.Unlearned, row.Unlearned[seed])
		pair.Views = append(pair.Views, r.pair(row).Views[seed])
	}
	limited.Preset.Seeds, limited.Pairs = len(seeds), []PairScores{pair}
	return &limited, &own
}
