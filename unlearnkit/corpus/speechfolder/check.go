package speechfolder

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/internal/datafolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
)

// A Finding is a problem with a download.
type Finding = datafolder.Finding

// A Report is the result of [Check].
type Report struct {
	OK         bool                `json:"ok"` // no errors, but maybe warnings
	Dir        string              `json:"dir"`
	Kind       Kind                `json:"kind"` // data set, or "" if the folder has no known data set
	Language   string              `json:"language"`
	Divisions  []Division          `json:"divisions"`  // one for each way of choosing the parts
	Forgetting []Forgetting        `json:"forgetting"` // speakers to forget in the first usable division
	Clips      int                 `json:"clips"`
	Heard      int                 `json:"heard"` // number of decoded clips
	Converted  []string            `json:"converted"`
	Findings   datafolder.Findings `json:"findings"`
}

// Division describes the set for one choice of parts.
type Division struct {
	Parts   Parts    `json:"parts"`
	Intents int      `json:"intents"`
	Counts  []Count  `json:"counts"`
	Dropped []string `json:"dropped"`
}

// Count is the size of one part.
type Count struct {
	Part     string `json:"part"`
	Clips    int    `json:"clips"`
	Speakers int    `json:"speakers"`
	Intents  int    `json:"intents"`
}

// Forgetting lists speakers drawn by the benchmark's rule, in one interpretation of the rule. The released code draws
// other speakers, because it uses other random numbers and another order of speakers.
type Forgetting struct {
	Reading    string   `json:"reading"`
	Seed       uint64   `json:"seed"`
	Candidates int      `json:"candidates"` // number of speakers with more than 100 training clips
	Speakers   []string `json:"speakers"`
	Clips      int      `json:"clips"`
	Share      float64  `json:"share"` // share of the training clips
}

// sampleSize is the number of clips that Check decodes by default.
const sampleSize = 64

// Check reads the tables of a download, chooses the parts in all the ways of the benchmark's code, and looks for the
// files of all clips. It decodes a sample of the clips or, if deep is set, all of them, which takes minutes. It reports
// what is missing or wrong, and returns an error only if ctx ends.
func Check(ctx context.Context, dir string, deep bool) (*Report, error) {
	r := &Report{Dir: dir, Divisions: []Division{}, Forgetting: []Forgetting{}, Converted: []string{},
		Findings: datafolder.Findings{}}
	err := r.check(ctx, deep)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		r.Findings.Failure("%v", err)
	}
	r.OK = r.Findings.Usable()
	return r, nil
}

// check fills in the report. It returns the first error that makes further checks impossible.
func (r *Report) check(ctx context.Context, deep bool) (err error) {
	if r.Kind, err = layouts.Of(r.Dir); err != nil {
		return err
	}
	r.Language = r.Kind.Language()
	t, err := read(r.Dir, r.Kind)
	if err != nil {
		return err
	}
	r.compare(t.set.Parts())
	r.Clips = len(t.places)
	first, err := r.divide(t)
	if err != nil {
		return err
	}
	defer first.Close()
	r.draw(first.Train)
	if r.missing(t) {
		return nil
	}
	return r.decodeClips(ctx, first, deep)
}

// divide tries all ways of choosing the parts and returns the first usable result, or an error if there is none.
func (r *Report) divide(t *table) (first *Folder, err error) {
	var problems []error
	for _, parts := range t.kind.Parts() {
		f, err := t.folder(parts)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		if first == nil && f.Check() == nil {
			first = f
		}
		d := Division{Parts: parts, Intents: len(f.Intents), Dropped: append([]string{}, f.Dropped...)}
		for _, part := range f.Set.Parts() {
			d.Counts = append(d.Counts, Count{part.Name, len(part.Utterances), len(speech.Speakers(part.Utterances)),
				intents(part.Utterances)})
		}
		r.Divisions = append(r.Divisions, d)
	}
	if first == nil {
		return nil, problems[0]
	}
	for _, problem := range problems {
		r.Findings.Warning("%v", problem)
	}
	return first, nil
}

func intents(clips []speech.Utterance) int {
	seen := map[string]bool{}
	for _, clip := range clips {
		seen[clip.Intent] = true
	}
	return len(seen)
}

// draw draws speakers to forget by the benchmark's rule, in each interpretation.
func (r *Report) draw(train []speech.Utterance) {
	for _, reading := range []speech.Reading{speech.WithoutReplacement, speech.WithReplacement} {
		rule := speech.ForgetRule{MoreThan: speech.ForgetClips, Share: speech.ForgetShare, Reading: reading,
			Seed: notebookSeed}
		if r.Kind == SLURP {
			rule.Seed = 0 // as in SLURP*'s notebook
		}
		drawn, err := rule.Draw(train)
		if err != nil {
			r.Findings.Failure("nobody can be drawn to be forgotten: %v", err)
			return
		}
		r.Forgetting = append(r.Forgetting, Forgetting{reading.String(), rule.Seed, drawn.Candidates, drawn.Speakers,
			len(drawn.Forget), drawn.Share()})
	}
}

// missing adds a finding if recordings in separate files are missing, and reports whether any are.
func (r *Report) missing(t *table) bool {
	var paths []string
	for _, at := range t.places {
		if at.row < 0 {
			if info, err := os.Stat(at.path); err != nil || !info.Mode().IsRegular() {
				paths = append(paths, at.path)
			}
		}
	}
	if len(paths) == 0 {
		return false
	}
	others := ""
	if more := len(paths) - 1; more > 0 {
		others = fmt.Sprintf(", and %d others of %d are too", more, len(t.places))
	}
	r.Findings.Failure("read %s: the recording is missing%s; download the sound again", slices.Min(paths), others)
	return true
}

// decodeClips decodes a sample of the clips of all parts, or all clips if deep is set.
func (r *Report) decodeClips(ctx context.Context, f *Folder, deep bool) error {
	var clips []speech.Utterance
	for _, part := range f.Set.Parts() {
		clips = append(clips, part.Utterances...)
	}
	wanted := min(sampleSize, len(clips))
	if deep {
		wanted = len(clips)
	}
	var damaged datafolder.Findings
	for i := range wanted {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.Heard++
		if _, err := f.Samples(clips[i*len(clips)/wanted]); err != nil {
			damaged.Failure("%v", err)
		}
	}
	r.Findings.Cases(damaged, fmt.Sprintf("clips of %d that were decoded are damaged: download the sound again", r.Heard))
	r.Converted = append(r.Converted, f.Converted()...)
	return nil
}
