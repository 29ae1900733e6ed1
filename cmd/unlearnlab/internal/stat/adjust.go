package stat

import (
	"fmt"
	"io"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

var adjustments = map[string]func(dst, p []float64, opts ...stat.Option) []float64{
	"holm": stat.Holm, "bonferroni": stat.Bonferroni, "hochberg": stat.Hochberg, "bh": stat.BenjaminiHochberg,
	"by": stat.BenjaminiYekutieli,
}

// adjust prints adjusted p-values in the order of the file, or as JSON.
func adjust(w io.Writer, test statTest, c comparison, flags statFlags) error {
	p := c.columns[0]
	for i, v := range p {
		if v < 0 || v > 1 {
			return fmt.Errorf("row %d, column %q: %g is not a p-value", i+1, c.names[0], v)
		}
	}
	adjusted := adjustments[test.name](nil, p)
	if flags.format.JSON() {
		type row struct {
			P        float64 `json:"p"`
			Adjusted float64 `json:"adjusted"`
		}
		rows := make([]row, len(p))
		for i := range p {
			rows[i] = row{p[i], adjusted[i]}
		}
		return report.Records{Title: test.name, Note: strings.Join(c.remarks, "; "), Rows: rows}.JSON(w)
	}
	if flags.format.Name != "text" {
		t := &report.Table{Title: test.name, Corner: "Row", Columns: []report.Column{{Name: "p"}, {Name: "Adjusted"}}}
		for i := range p {
			t.Rows = append(t.Rows, report.Named(fmt.Sprint(i+1)).With(
				report.Number(fmt.Sprintf("%.6g", p[i]), p[i]), report.Number(fmt.Sprintf("%.6g", adjusted[i]), adjusted[i])))
		}
		return t.Write(w, flags.format.Name)
	}
	below := 0
	for i, v := range adjusted {
		if v < .05 {
			below++
		}
		if _, err := fmt.Fprintf(w, "%-12.6g %.6g\n", p[i], v); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "%d of %d remain below .05 after the adjustment (%s)\n", below, len(p), test.name)
	return err
}

func friedman(c comparison, _ statFlags, o []stat.Option) (outcome, error) {
	r := stat.Nemenyi(c.columns, o...)
	out := ofResult(r.Friedman.Result, r.Friedman.Effect)
	ranks, pairs := map[string]*float64{}, make([][]*float64, len(c.names))
	for i, name := range c.names {
		ranks[name] = number(r.Friedman.AverageRanks[i])
		for _, p := range r.Pairs[i] {
			pairs[i] = append(pairs[i], number(p))
		}
	}
	out.extra = append(out.extra,
		extra{"average_ranks", ranks, r.RanksText(c.names)}, extra{"critical_difference", number(r.CriticalDifference), ""},
		extra{"nemenyi_p", pairs, ""})
	return out, nil
}
