package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/verify"
)

// madeNow is the outcome where there was nothing to compare with.
const madeNow verify.Outcome = "made now"

// verification is what verify has found.
type verification struct {
	OK     *bool  `json:"ok,omitempty"` // the result is confirmed; nil where nothing says yes or no
	Key    string `json:"key"`
	Title  string `json:"title"`
	Stage  string `json:"stage"`
	Method string `json:"method,omitempty"`
	verify.Comparison
	Stored madeOn          `json:"stored"` // what made the stored result
	Again  madeOn          `json:"again"`  // and what makes it now
	Tables *study.Movement `json:"tables,omitempty"`
	// Of a result that was made from other inputs: those that do not ship, and the key of one whose inputs do.
	Inputs  []string `json:"inputs,omitempty"`
	Instead string   `json:"instead,omitempty"`
}

// madeOn is what computed a result.
type madeOn struct {
	Backend   string `json:"backend"`
	SIMD      string `json:"simd"`
	Processor string `json:"processor"`
}

func madeBy(artifact *store.Artifact) madeOn {
	b := artifact.Manifest.Build
	return madeOn{b.Backend, b.SIMD, b.Processor}
}

func (m madeOn) String() string {
	return strings.Join([]string{m.Backend, m.SIMD, m.Processor}, ", ")
}

// makeFirst makes a result that there is none of.
func (o *opened) makeFirst(run *study.Run) (v verification, err error) {
	if err := o.complete([]*study.Run{run}); err != nil {
		return v, err
	}
	artifact, err := o.store.Get(run.Key())
	if err != nil {
		return v, err
	}
	return verification{Key: string(run.Key()), Title: run.Title, Stage: run.Stage.Name,
		Comparison: verify.Comparison{Outcome: madeNow}, Stored: madeBy(artifact), Again: madeBy(artifact)}, nil
}

// verify makes a run again beside its artifact.
func (o *opened) verify(run *study.Run, artifact *store.Artifact) (v verification, err error) {
	if len(run.Needs) > 0 {
		if err := o.complete(run.Needs); err != nil {
			return v, err
		}
	}
	ctx, cancel := untilInterrupted()
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
	c, err := study.Verify(ctx, run, o.makers, o.store, scratch, o.study.Rounding(), func(int, int) {})
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
		Method: verify.MethodOf(artifact.Manifest.Spec), Comparison: c, Stored: madeBy(artifact),
		Again: madeBy(again)}
	if c.Outcome != verify.SameBytes {
		if v.Tables, err = o.moved(folder); err != nil {
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
		if other := o.settled(run); other != nil {
			v.Instead = fmt.Sprintf("%.12s", other.Key())
		}
	}
	return v, err
}

// otherInputs names what a run reads that does not ship and was made here, on something else than its stored result:
// the stored result is of a chain of runs, and its inputs were other ones by what rounding did to them.
func (o *opened) otherInputs(run *study.Run, stored madeOn) (titles []string, err error) {
	for _, need := range run.Needs {
		input, err := o.store.Get(need.Key())
		if err != nil {
			return nil, err
		}
		if !o.ships(need) && madeBy(input) != stored {
			titles = append(titles, fmt.Sprintf("%.12s %s", need.Key(), need.Title))
		}
	}
	return titles, nil
}

// ships tells whether the result of a run is published.
func (o *opened) ships(run *study.Run) bool {
	return slices.ContainsFunc(o.store.Shelves()[1:], func(shelf store.Shelf) bool {
		_, err := shelf.Get(run.Key())
		return err == nil
	})
}

// settled is a run of the stage and method that ships with all that it reads; nil if there is none.
func (o *opened) settled(like *study.Run) *study.Run {
	method := verify.MethodOf(like.Spec())
	for _, run := range o.Runs() {
		if run.Stage.Name == like.Stage.Name && verify.MethodOf(run.Spec()) == method && o.ships(run) &&
			!slices.ContainsFunc(run.Needs, func(need *study.Run) bool { return !o.ships(need) }) {
			return run
		}
	}
	return nil
}

// moved is how far the study's tables move when what lies in a store is put in the place of what it was made beside, as
// far as the study is whole; nil if nothing of it is.
func (o *opened) moved(folder string) (*study.Movement, error) {
	read := func(s *store.Store) (study.Results, error) {
		found, err := o.Read(s)
		if errors.As(err, new(*study.Absent)) && o.Part != nil {
			return o.Part(s)
		}
		return found, err
	}
	before, err := read(o.store)
	if errors.As(err, new(*study.Absent)) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	replaced, err := store.Open(folder, store.Above(o.store.Shelves()...))
	if err != nil {
		return nil, err
	}
	after, err := read(replaced)
	if err != nil {
		return nil, err
	}
	m, err := study.Move(o.study, before, after)
	return &m, err
}

// write says what was found; another result is a check that did not hold.
func (v verification) write(w io.Writer, asJSON bool, measuredOn string) (err error) {
	switch {
	case measuredOn != "":
		return v.measured(measuredOn).Write(w)
	case asJSON:
		v.OK = v.confirmed()
		err = writeJSON(w, v)
	default:
		_, err = io.WriteString(w, v.text())
	}
	switch {
	case err == nil && v.Outcome == verify.Another:
		return errCheck
	case err == nil && v.Outcome == verify.OtherInputs:
		return v.unsettled()
	}
	return err
}

// confirmed tells whether the result came out again, nil if nothing says so or not.
func (v verification) confirmed() *bool {
	if v.Outcome == madeNow || v.Outcome == verify.OtherInputs {
		return nil
	}
	ok := v.Outcome != verify.Another
	return &ok
}

// unsettled is the error of what says neither yes nor no.
func (v verification) unsettled() error {
	instead := ""
	if v.Instead != "" {
		instead = "; any machine can tell of verify " + v.Instead + ", whose inputs ship"
	}
	return fmt.Errorf("this neither confirms nor refutes the result: what it reads does not ship, and comes out "+
		"the same on %s alone%s", v.Stored, instead)
}

// measured is what was found of rounding on a device, of tables too.
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
	case madeNow:
		fmt.Fprintf(&b, "no result of it ships or is stored, so it was made now, on %s, and is kept.\n", v.Again)
		b.WriteString("There was nothing to compare it with; verify makes it once more and compares.\n")
		return b.String()
	case verify.SameBytes:
		but := ""
		if v.Clocked {
			but = " but for what the clock says"
		}
		fmt.Fprintf(&b, "made again, every byte the same%s (%s)\n", but, v.Again)
		return b.String()
	case verify.Rounding:
		b.WriteString("made again, the same but for rounding\n")
	case verify.OtherInputs:
		fmt.Fprintf(&b, "made again from other inputs, another result\n  %s\n", v.Reason)
		for _, input := range v.Inputs {
			fmt.Fprintf(&b, "  it reads %s, which does not ship and was made here\n", input)
		}
	default:
		fmt.Fprintf(&b, "made again, another result\n  %s\n", v.Reason)
	}
	if v.Stored != v.Again {
		fmt.Fprintf(&b, "  it was made on %s, now on %s\n", v.Stored, v.Again)
	}
	if d, any := v.Largest(); any {
		fmt.Fprintf(&b, "  the score that moves most: %s in %s, row %d, from %.6g to %.6g\n", d.Column, d.File, d.Row,
			d.Stored, d.Again)
	}
	b.WriteString(tablesText(v.Tables))
	return b.String()
}

// tablesText says how far tables move.
func tablesText(m *study.Movement) string {
	if m == nil {
		return "  the study is not complete here, so nothing is said of its tables\n"
	}
	if m.Moved == 0 {
		return fmt.Sprintf("  none of the %d cells of its tables moves, no verdict changes\n", m.Cells)
	}
	var b strings.Builder
	f := m.Farthest
	fmt.Fprintf(&b, "  %d of %d cells of its tables move, the most Table %s, %s, %s: from %.6g to %.6g, %.2g of half "+
		"its interval\n", m.Moved, m.Cells, f.Table, f.Row, f.Column, f.Before, f.After, f.Share)
	if len(m.Verdicts) == 0 {
		b.WriteString("  no verdict changes\n")
	}
	for _, verdict := range m.Verdicts {
		fmt.Fprintf(&b, "  a verdict changes: %s, from %s to %s\n", verdict.Of, verdict.Before, verdict.After)
	}
	return b.String()
}
