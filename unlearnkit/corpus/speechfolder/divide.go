package speechfolder

import (
	"fmt"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mathext/prng"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
)

// division is a set with its parts chosen, and a description of the clips left out.
type division struct {
	speech.Set
	dropped []string
}

// drop records that clips were left out, and why.
func (d *division) drop(clips int, what string) {
	if clips > 0 {
		d.dropped = append(d.dropped, fmt.Sprintf("%s %s", count(clips, "clip"), what))
	}
}

// count formats a number with a noun, such as "2 clips".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// divide returns the set with its parts chosen in a given way.
func (t *table) divide(parts Parts) (*division, error) {
	d := &division{Set: t.set}
	if t.duplicates > 0 {
		d.dropped = append(d.dropped, fmt.Sprintf("%s that are listed again", count(t.duplicates, "recording")))
	}
	if parts == BySpeaker {
		return d, d.bySpeaker()
	}
	d.withoutSpeakers(&d.Validation, "validation", t.kind)
	if parts == HalvedValidation {
		d.halve(t.kind)
	} else if d.withoutSpeakers(&d.Test, "test", t.kind); len(t.set.Test) == 0 {
		return nil, fmt.Errorf("it has no files test-….parquet; they are published as Speech-MASSIVE-test: put that "+
			"beside this download, or take %q", HalvedValidation)
	}
	for _, clip := range d.Train {
		if !slices.Contains(d.Intents, clip.Intent) {
			d.Intents = append(d.Intents, clip.Intent)
		}
	}
	for _, part := range []struct {
		name  string
		clips *[]speech.Utterance
	}{{"validation", &d.Validation}, {"test", &d.Test}} {
		d.keep(part.clips, "of "+part.name+" with intents that no clip of train has",
			func(u speech.Utterance) bool { return slices.Contains(d.Intents, u.Intent) })
	}
	return d, d.Number()
}

// keep removes the unwanted clips of a part.
func (d *division) keep(part *[]speech.Utterance, what string, wanted func(speech.Utterance) bool) {
	kept := slices.DeleteFunc(slices.Clone(*part), func(u speech.Utterance) bool { return !wanted(u) })
	d.drop(len(*part)-len(kept), what)
	*part = kept
}

// withoutSpeakers removes clips by speakers of train from another part of Speech-MASSIVE, whose published parts share
// speakers. For other data sets, Check reports shared speakers as an error.
func (d *division) withoutSpeakers(part *[]speech.Utterance, name string, kind Kind) {
	if kind.locale() == "" {
		return
	}
	trained := map[string]bool{}
	for _, u := range d.Train {
		trained[u.Speaker] = true
	}
	d.keep(part, "of "+name+" by speakers of train", func(u speech.Utterance) bool { return !trained[u.Speaker] })
}

// halve uses half of validation as the test. For Speech-MASSIVE, this is the half drawn by the benchmark's notebook.
// For ITALIC, it is every second clip.
func (d *division) halve(kind Kind) {
	all, half := d.Validation, len(d.Validation)/2
	d.Validation, d.Test = nil, nil
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	if kind == ITALIC {
		slices.SortStableFunc(order, func(i, j int) int { return i%2 - j%2 })
		half = (len(all) + 1) / 2
	} else {
		shuffleAsNumPy(notebookSeed, order)
	}
	for place, i := range order {
		part := &d.Validation
		if place >= half {
			part = &d.Test
		}
		*part = append(*part, all[i])
	}
}

// notebookSeed is the random seed in the benchmark's notebooks, except that for SLURP*.
const notebookSeed = 42

// shuffleAsNumPy permutes values like NumPy's random.seed and random.shuffle. From the last index down, it swaps each
// value with one at the same or a lower index. This index is the low bits of the Mersenne Twister's next number;
// numbers that are too large are skipped.
func shuffleAsNumPy(seed uint64, values []int) {
	random := prng.NewMT19937()
	random.Seed(seed)
	for i := len(values) - 1; i > 0; i-- {
		mask := uint32(1)<<bits.Len(uint(i)) - 1
		j := random.Uint32() & mask
		for j > uint32(i) {
			j = random.Uint32() & mask
		}
		values[i], values[j] = values[j], values[i]
	}
}

// bySpeaker splits the clips of all parts by speaker, so that no speaker is in two parts.
func (d *division) bySpeaker() error {
	for _, part := range d.Parts() {
		for _, u := range part.Utterances {
			if !slices.Contains(d.Intents, u.Intent) {
				d.Intents = append(d.Intents, u.Intent)
			}
		}
	}
	if err := d.Number(); err != nil {
		return err
	}
	again, dropped, err := d.Resplit(speech.TrainShare, speech.ValidationShare)
	if err != nil {
		return err
	}
	d.drop(len(dropped), "with intents that no clip of train has")
	d.Set = *again
	d.Name += "*"
	return nil
}
