package verify

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/verify"
)

// newResult is the outcome if no stored result existed.
const newResult verify.Outcome = "made now"

// verification is the outcome of the verify command.
type verification struct {
	OK     *bool  `json:"ok,omitempty"` // whether the result is confirmed; nil if undecided
	Key    string `json:"key"`
	Title  string `json:"title"`
	Stage  string `json:"stage"`
	Method string `json:"method,omitempty"`
	verify.Comparison
	Stored environment     `json:"stored"` // environment of the stored result
	Again  environment     `json:"again"`  // environment of the new result
	Tables *study.Movement `json:"tables,omitempty"`
	// Inputs lists inputs that do not ship, and Instead is the key of a result whose inputs do. Both are set only for
	// the outcome OtherInputs.
	Inputs  []string `json:"inputs,omitempty"`
	Instead string   `json:"instead,omitempty"`
}

// environment describes where a result was computed.
type environment struct {
	Backend   string `json:"backend"`
	SIMD      string `json:"simd"`
	Processor string `json:"processor"`
}

func environmentOf(artifact *store.Artifact) environment {
	b := artifact.Manifest.Build
	return environment{b.Backend, b.SIMD, b.Processor}
}

func (m environment) String() string {
	return strings.Join([]string{m.Backend, m.SIMD, m.Processor}, ", ")
}

// makeFirst computes a result that does not exist yet.
func (o *verifier) makeFirst(run *study.Run) (v verification, err error) {
	if err := o.CompleteUnasked([]*study.Run{run}); err != nil {
		return v, err
	}
	artifact, err := o.Store.Get(run.Key())
	if err != nil {
		return v, err
	}
	return verification{Key: string(run.Key()), Title: run.Title, Stage: run.Stage.Name,
		Comparison: verify.Comparison{Outcome: newResult}, Stored: environmentOf(artifact),
		Again: environmentOf(artifact)}, nil
}

// verify computes a run again and compares it with its artifact.
func (o *verifier) verify(run *study.Run, artifact *store.Artifact) (v verification, err error) {
	if len(run.Needs) > 0 {
		if err := o.CompleteUnasked(run.Needs); err != nil {
			return v, err
		}
	}
	ctx, cancel := cli.UntilInterrupted()
	defer cancel()
	folder, err := os.MkdirTemp("", "unlearnlab-verify-*")
	if err != nil {
		return v, err
	}
	defer os.RemoveAll(folder)
	scratch, err := store.Open(folder)
	if err != nil {
		return v, err
	}
	c, err := study.Verify(ctx, run, o.Makers, o.Store, scratch, o.Study.Bounds())
	if errors.Is(err, context.Canceled) {
		return v, errors.New("interrupted; the result is neither confirmed nor refuted")
	}
	if err != nil {
		return v, err
	}
	again, err := scratch.Get(run.Key())
	if err != nil {
		return v, err
	}
	v = verification{Key: string(run.Key()), Title: run.Title, Stage: run.Stage.Name,
		Method: verify.MethodOf(artifact.Manifest.Spec), Comparison: c, Stored: environmentOf(artifact),
		Again: environmentOf(again)}
	if c.Outcome != verify.SameBytes {
		if v.Tables, err = o.movement(folder); err != nil {
			return v, err
		}
	}
	if c.Outcome == verify.Another && !c.Plain {
		if v.Inputs, err = o.otherInputs(run, v.Stored); err != nil {
			return v, err
		}
	}
	if len(v.Inputs) > 0 {
		v.Outcome = verify.OtherInputs
		if other := o.shippedLike(run); other != nil {
			v.Instead = fmt.Sprintf("%.12s", other.Key())
		}
	}
	return v, err
}

// otherInputs returns the keys and titles of the inputs that do not ship and were computed in a different environment
// from the stored result. They can differ by rounding from the inputs of the stored result.
func (o *verifier) otherInputs(run *study.Run, stored environment) (titles []string, err error) {
	for _, need := range run.Needs {
		input, err := o.Store.Get(need.Key())
		if err != nil {
			return nil, err
		}
		if !o.ships(need) && environmentOf(input) != stored {
			titles = append(titles, fmt.Sprintf("%.12s %s", need.Key(), need.Title))
		}
	}
	return titles, nil
}

// ships reports whether a run's result is published.
func (o *verifier) ships(run *study.Run) bool {
	return slices.ContainsFunc(o.Store.Shelves()[1:], func(shelf store.Shelf) bool {
		_, err := shelf.Get(run.Key())
		return err == nil
	})
}

// shippedLike returns a run of the same stage and method that ships with all its inputs. It returns nil if there is
// none.
func (o *verifier) shippedLike(like *study.Run) *study.Run {
	method := verify.MethodOf(like.Spec())
	for _, run := range o.Runs() {
		if run.Stage.Name == like.Stage.Name && verify.MethodOf(run.Spec()) == method && o.ships(run) &&
			!slices.ContainsFunc(run.Needs, func(need *study.Run) bool { return !o.ships(need) }) {
			return run
		}
	}
	return nil
}

// movement returns how far the study's tables move if the results in a folder replace the stored ones. It compares
// complete repetitions and returns nil if there are none.
func (o *verifier) movement(folder string) (*study.Movement, error) {
	read := func(s *store.Store) (study.Results, error) {
		found, err := o.Read(s)
		if errors.As(err, new(*study.Absent)) && o.Part != nil {
			return o.Part(s)
		}
		return found, err
	}
	before, err := read(o.Store)
	if errors.As(err, new(*study.Absent)) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	replaced, err := store.Open(folder, store.Above(o.Store.Shelves()...))
	if err != nil {
		return nil, err
	}
	after, err := read(replaced)
	if err != nil {
		return nil, err
	}
	m, err := study.Move(o.Study, before, after)
	return &m, err
}

// write prints the outcome, or the measured bounds if measuredOn is set. The outcome Another is a failed check, and
// OtherInputs an error.
func (v verification) write(w io.Writer, asJSON bool, measuredOn string) (err error) {
	switch {
	case measuredOn != "":
		return v.measured(measuredOn).Write(w)
	case asJSON:
		v.OK = v.confirmed()
		err = cli.WriteJSON(w, v)
	default:
		_, err = io.WriteString(w, v.text())
	}
	switch {
	case err == nil && v.Outcome == verify.Another:
		return cli.ErrCheck
	case err == nil && v.Outcome == verify.OtherInputs:
		return v.inconclusive()
	}
	return err
}

// confirmed returns whether the result was reproduced, or nil if that is undecided.
func (v verification) confirmed() *bool {
	if v.Outcome == newResult || v.Outcome == verify.OtherInputs {
		return nil
	}
	ok := v.Outcome != verify.Another
	return &ok
}

// inconclusive returns the error for an undecided outcome.
func (v verification) inconclusive() error {
	instead := ""
	if v.Instead != "" {
		instead = "; verify " + v.Instead + ", whose inputs ship, decides on any machine"
	}
	return fmt.Errorf("this neither confirms nor refutes the result: its inputs do not ship, and only %s reproduces "+
		"them%s", v.Stored, instead)
}

// measured returns the bounds of rounding measured on a device, for the result and for the study's tables.
func (v verification) measured(device string) verify.Bounds {
	all := v.Measured(v.Stage, v.Method, device)
	if m := v.Tables; m != nil {
		of := verify.Measurement{Stage: v.Stage, Method: v.Method, Device: device, File: verify.Tables}
		cells, verdicts := of, of
		cells.Column, cells.Share = verify.Cells, float64(m.Moved)/float64(m.Cells)
		if m.Farthest != nil {
			cells.Largest = m.Farthest.Share
		}
		verdicts.Column, verdicts.Whole, verdicts.Largest = verify.Verdicts, true, float64(len(m.Verdicts))
		all = append(all, cells, verdicts)
	}
	return all
}

func (v verification) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%.12s %s: ", v.Key, v.Title)
	switch v.Outcome {
	case newResult:
		fmt.Fprintf(&b, "there was no shipped or stored result, so it was computed on %s and stored.\n", v.Again)
		b.WriteString("There was nothing to compare with; run verify again to compare.\n")
		return b.String()
	case verify.SameBytes:
		but := ""
		if v.Clocked {
			but = " except for clock times"
		}
		fmt.Fprintf(&b, "computed again, every byte the same%s (%s)\n", but, v.Again)
		return b.String()
	case verify.Rounding:
		b.WriteString("computed again, the same but for rounding\n")
	case verify.OtherInputs:
		fmt.Fprintf(&b, "computed again from other inputs, another result\n  %s\n", v.Reason)
		for _, input := range v.Inputs {
			fmt.Fprintf(&b, "  its input %s does not ship and was computed here\n", input)
		}
	default:
		fmt.Fprintf(&b, "computed again, another result\n  %s\n", v.Reason)
	}
	if v.Stored != v.Again {
		fmt.Fprintf(&b, "  computed first on %s, now on %s\n", v.Stored, v.Again)
	}
	if d, any := v.Largest(); any {
		fmt.Fprintf(&b, "  the score that moves most: %s in %s, row %d, from %.6g to %.6g\n", d.Column, d.File, d.Row,
			d.Stored, d.Again)
	}
	b.WriteString(tablesText(v.Tables))
	return b.String()
}

// tablesText describes how far the tables move.
func tablesText(m *study.Movement) string {
	if m == nil {
		return "  the study is not complete here, so its tables are not compared\n"
	}
	if m.Moved == 0 {
		return fmt.Sprintf("  none of the %d cells of its tables moves, and no verdict changes\n", m.Cells)
	}
	var b strings.Builder
	f := m.Farthest
	fmt.Fprintf(&b, "  %d of %d cells of its tables move, most Table %s, %s, %s: from %.6g to %.6g, %.2g of half "+
		"its interval\n", m.Moved, m.Cells, f.Table, f.Row, f.Column, f.Before, f.After, f.Share)
	if len(m.Verdicts) == 0 {
		b.WriteString("  no verdict changes\n")
	}
	for _, verdict := range m.Verdicts {
		fmt.Fprintf(&b, "  a verdict changes: %s, from %s to %s\n", verdict.Of, verdict.Before, verdict.After)
	}
	return b.String()
}
