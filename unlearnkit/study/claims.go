package study

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// Verdicts of [VerdictOf] that package certify does not have.
const (
	SanityHolds  = "sanity check holds"    // the claim could fail only if something were broken
	BySelection  = "holds by selection"    // the claim may hold merely because a compared model chose the units
	NotSeen      = "not seen at this size" // the claim failed, but small models cannot refute the paper
	Contradicted = "contradicted in print" // the paper's own numbers contradict the claim
)

// VerdictOf returns the verdict of a claim as the tables print it.
func VerdictOf(j certify.Judged) string {
	switch {
	case j.Verdict == certify.Holds && j.Selection != "":
		return BySelection
	case j.Verdict == certify.Holds && j.Sanity != "":
		return SanityHolds
	case j.Verdict == certify.Fails && j.Contradiction != "":
		return Contradicted
	case j.Verdict == certify.Fails && j.Preset != PaperPreset && !j.Guest:
		return NotSeen
	}
	return string(j.Verdict)
}

// AnswersOf returns the claims that answer for the paper, where r holds the results that its summary shows.
func (s *Study) AnswersOf(r Results) []certify.Judged {
	if s.Answers == nil {
		return r.Claims()
	}
	return s.Answers(r)
}

// AnswersBy converts a function on a study's own result type to one for [Study].
func AnswersBy[R Results](answers func(r R) []certify.Judged) func(Results) []certify.Judged {
	return func(r Results) []certify.Judged { return answers(r.(R)) }
}

// verdictsOfClaims lists the verdicts of claims in the order in which they are counted, with the words after a number.
var verdictsOfClaims = []struct{ verdict, words string }{
	{string(certify.Holds), "hold"}, {SanityHolds, "are sanity checks that hold"}, {BySelection, "hold by selection"},
	{NotSeen, "are " + NotSeen}, {string(certify.Fails), "fail"}, {Contradicted, "are " + Contradicted},
	{string(certify.Unresolved), string(certify.Unresolved)}, {string(certify.Untestable), string(certify.Untestable)},
}

// Tally counts the paper's claims. Claims about guests are counted apart.
type Tally struct {
	Claims, Effects, Sanity, Guests int
	Of                              map[string]int // claims by verdict, as in [VerdictOf]
}

// TallyOf counts claims. Claims that share an effect count as one effect.
func TallyOf(judged []certify.Judged) Tally {
	t := Tally{Of: map[string]int{}}
	effects := map[[2]string]bool{}
	for _, j := range judged {
		if j.Guest {
			t.Guests++
			continue
		}
		t.Claims++
		t.Of[VerdictOf(j)]++
		effects[[2]string{j.Paper, cmp.Or(j.Effect, j.Claim)}] = true
		if j.Sanity != "" {
			t.Sanity++
		}
	}
	t.Effects = len(effects)
	return t
}

// VerdictCount is the number of claims with a verdict.
type VerdictCount struct {
	Verdict string
	N       int
	Words   string // words after the number, such as "hold"
}

// Verdicts returns the number of claims with each verdict. It omits verdicts without claims, except the usual ones.
func (t Tally) Verdicts() (counts []VerdictCount) {
	usual := []string{string(certify.Holds), string(certify.Unresolved), string(certify.Untestable)}
	for _, v := range verdictsOfClaims {
		n := t.Of[v.verdict]
		if n == 0 && !slices.Contains(usual, v.verdict) {
			continue
		}
		words := v.words
		if n == 1 {
			words = strings.NewReplacer("are sanity checks that hold", "is a sanity check that holds", "are ", "is ",
				"hold", "holds", "fail", "fails").Replace(words)
		}
		counts = append(counts, VerdictCount{v.verdict, n, words})
	}
	return counts
}

// String formats the counts: "3 claims about 2 effects: 1 holds, 2 unresolved, 0 untestable".
func (t Tally) String() string {
	var parts []string
	for _, c := range t.Verdicts() {
		parts = append(parts, fmt.Sprintf("%d %s", c.N, c.Words))
	}
	counts := fmt.Sprintf("%s about %s: %s", certify.Repetitions{Singular: "claim", Plural: "claims"}.Count(t.Claims),
		certify.Repetitions{Singular: "effect", Plural: "effects"}.Count(t.Effects), strings.Join(parts, ", "))
	if t.Guests > 0 {
		counts += fmt.Sprintf("; %d more about guests", t.Guests)
	}
	return counts
}

// ClaimCounts formats the numbers of claims, of effects and of claims with each verdict.
func ClaimCounts(judged []certify.Judged) string { return TallyOf(judged).String() }

// partial is implemented by results that may lack some repetitions.
type partial interface {
	// Counted names the repetitions that were read and the ones that are missing. It returns "" if all were read.
	Counted() string
}

// ClaimsTable returns a table with the verdict on each claim of the paper.
func (s *Study) ClaimsTable(r Results) *report.Table {
	t := ClaimsTable(s, r.Claims(), r.Frame())
	if partial, is := r.(partial); is && partial.Counted() != "" {
		t.Note = "n: " + partial.Counted() + ". " + t.Note
	}
	if hidden, is := r.(interface{ said() string }); is {
		t.Note += hidden.said()
	}
	return t
}

// ClaimsTable returns a table with the verdict on each claim of a paper. The text frame compares the study's models
// with the paper's.
func ClaimsTable(s *Study, judged []certify.Judged, frame string) *report.Table {
	t := &report.Table{Title: "Claims", Corner: "Claim"}
	if len(judged) > 0 {
		where := "judged in small worlds and not on its data"
		if judged[0].Preset == PaperPreset {
			where = "judged on its data"
		}
		t.Title = fmt.Sprintf("What the paper claims, %s (%s, %s)", where, judged[0].Preset,
			s.Repetitions.Count(judged[0].Seeds))
	}
	t.Note = claimsNote(judged, frame, s.Repetitions)
	for _, name := range []string{"Verdict", "Family", "Quantity", "p uncorrected", "p", "Detectable effect", "Needs",
		"Margin or bound", "Source"} {
		t.Columns = append(t.Columns, report.Column{Name: name, Words: true})
	}
	for _, j := range judged {
		t.Rows = append(t.Rows, report.Row{Name: j.Claim, Guest: j.Guest}.With(report.Word(VerdictOf(j)),
			report.Word(j.Family), quantityCell(j), report.Number(pText(j, j.P), j.P), decidingCell(j),
			report.Number(resolvesText(j), j.Resolves), report.Word(needsText(j, s.Repetitions)), report.Word(j.Margin), report.Word(sourceText(j))))
	}
	return t
}

func claimsNote(judged []certify.Judged, frame string, of certify.Repetitions) string {
	var bases []certify.Basis
	var families []string
	tests := map[string]int{}
	for _, j := range judged {
		b := j.Basis
		if j.Family != "" && b.Tests > 0 && tests[j.Family] == 0 {
			tests[j.Family] = b.Tests
			families = append(families, fmt.Sprintf("%s %d", j.Family, b.Tests))
		}
		b.Tests = 0
		bases = append(bases, b)
	}
	note := "Each claim is a number that is positive if the claim is true; a claim of several parts shows its " +
		"weakest. " +
		"Brackets are its interval of 95 %; both the interval and the uncorrected p, which is two-sided, are for " +
		"the claim by itself. The p that " +
		"decides is after Holm's correction within a family; below it are the repetitions on the same side of zero. " +
		"They may all agree although p is 1: the correction multiplies p, and five equal signs alone have p = .06. " +
		"What the abstract, the contributions or the conclusion say is the headline; every other claim belongs " +
		"to the " +
		"section that says it. A claim whose source begins with “" + certify.Ours + "” is read by us from the " +
		"paper's numbers or designs. The detectable effect is the smallest true effect that this design detects " +
		"with 80 % power; a claim of " +
		"likeness with a smaller margin is untestable. An open claim needs as many repetitions as would decide it with " +
		"80 % power if the effect and its variance were as they are seen here; that is optimistic. " + openNote(judged, of) +
		"A claim that is " + NotSeen + " fails here, which does " +
		"not refute " +
		"the paper; one that is " + Contradicted + " fails by the paper's own numbers or equations, too. " +
		"Claims that compute the same quantity from the same outcomes, or ask one question of several methods or " +
		"columns, are about one effect. " + sanityNote(judged) + selectionNote(judged) + certify.Describe(bases) + "."
	if slices.ContainsFunc(judged, func(j certify.Judged) bool { return j.Guest }) {
		note += " The last claims are about guests, models from elsewhere; each row of a guest is a family."
	}
	if len(families) > 0 {
		note += " Tests by family: " + strings.Join(families, ", ") + "."
	}
	if len(judged) > 0 {
		note = ClaimCounts(judged) + ". " + strings.TrimSpace(frame+" "+note)
	}
	return note
}

// openNote says how many open claims a number of repetitions would decide, and why others need more.
func openNote(judged []certify.Judged, of certify.Repetitions) string {
	few, unknown, more := 0, 0, map[string]int{}
	for _, j := range judged {
		switch {
		case j.Verdict != certify.Unresolved && j.Verdict != certify.Untestable:
		case j.Because != "":
			more[strings.TrimLeft(j.Because, "0123456789 ")]++ // whatever the number of conditions
		case j.Needs > 0:
			few++
		default:
			unknown++
		}
	}
	if few+unknown+len(more) == 0 {
		return ""
	}
	text := fmt.Sprintf("Open claims: %d need at most %d %s", few, certify.Affordable, of.Plural)
	for _, reason := range slices.Sorted(maps.Keys(more)) {
		text += fmt.Sprintf(", %d more (%s)", more[reason], reason)
	}
	if unknown > 0 {
		text += fmt.Sprintf(", %d cannot be said", unknown)
	}
	return text + ". "
}

// sanityNote explains the verdict [SanityHolds] if there are sanity checks.
func sanityNote(judged []certify.Judged) string {
	sanity := TallyOf(judged).Sanity
	if sanity == 0 {
		return ""
	}
	return fmt.Sprintf("%d of the claims are sanity checks, whatever their verdict: the study's design makes them true "+
		"unless something is broken. They are not counted among those that hold, but stay in their family. ", sanity)
}

// selectionNote explains the verdict [BySelection] if a claim has it.
func selectionNote(judged []certify.Judged) string {
	for _, j := range judged {
		if VerdictOf(j) == BySelection {
			return "A claim that " + BySelection + " compares units that a compared model selected by the same " +
				"score, which alone can make it true; it is not counted among those that hold. "
		}
	}
	return ""
}

// quantityCell returns a cell with a claim's number, its interval and, on the next line, its unit.
func quantityCell(j certify.Judged) report.Cell {
	if math.IsNaN(j.Statistic) {
		return report.Word("")
	}
	cell := report.Cell{Text: fmt.Sprintf("%.3f\n%s", j.Statistic, j.Unit), Value: j.Statistic, Unit: j.Unit}
	if !math.IsNaN(j.Lo) {
		cell.Text = fmt.Sprintf("%.3f [%.3f, %.3f]\n%s", j.Statistic, j.Lo, j.Hi, j.Unit)
		cell.Range = &report.Range{Lo: j.Lo, Hi: j.Hi}
	}
	return cell
}

func pText(j certify.Judged, p float64) string {
	if math.IsNaN(j.P) {
		return ""
	}
	return certify.PText(p)
}

// decidingCell returns a cell with the adjusted p-value of a claim and the number of repetitions that agree.
func decidingCell(j certify.Judged) report.Cell {
	if math.IsNaN(j.P) {
		return report.Word("")
	}
	cell := report.Number(pText(j, j.PAdjusted), j.PAdjusted)
	if j.Repeated > 0 {
		cell.Text += "\n" + certify.AgreeText(j.Agree, j.Repeated)
		cell.Agreement = &report.Agreement{Agree: j.Agree, Repeated: j.Repeated}
	}
	return cell
}

func resolvesText(j certify.Judged) string {
	if math.IsNaN(j.Resolves) {
		return ""
	}
	return fmt.Sprintf("%.3f", j.Resolves)
}

// needsText says how many repetitions would decide an open claim, and why so many.
func needsText(j certify.Judged, of certify.Repetitions) string {
	if j.Needs == 0 {
		return ""
	}
	text := of.Count(j.Needs)
	if j.Needs > certify.MostNeeded {
		text = fmt.Sprintf("over %d %s", certify.MostNeeded, of.Plural)
	}
	if j.Because != "" {
		text += ": " + j.Because
	}
	return text
}

// sourceText cites the paper, and adds printed contradictions, how the units were selected, and caveats of the study's
// design.
func sourceText(j certify.Judged) string {
	text := j.Cited()
	for _, but := range []string{j.Contradiction, j.Selection} {
		if but != "" {
			text += "; but " + but
		}
	}
	if j.Sanity != "" {
		text += "; a sanity check: " + j.Sanity
	}
	if j.Basis.Once && !j.Basis.Repeats() {
		text += " (here: of models that were trained once; another training may differ)"
	}
	if j.Caveat != "" {
		text += " (here: " + j.Caveat + ")"
	}
	return text
}
