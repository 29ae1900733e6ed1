package speech

import (
	"fmt"
	"slices"
)

// Shares of training and validation clips in SLURP*, which is UnSLU-BENCH's split of SLURP by speaker
// (arXiv:2505.15700, §3.1).
const (
	TrainShare      = .8
	ValidationShare = .1
)

// Resplit splits the set by speaker, like SLURP*'s released code. It takes the speakers of all parts in order of first
// appearance. All clips of a speaker go to Train until Train has its share of the clips, then to Validation until it
// has its share, and then to Test.
//
// Before that, it drops clips of Test whose intent does not occur in the old Train. After that, it drops clips of the
// new Validation and Test whose label the new Train lacks. Resplit returns all dropped clips. The new set lists the
// intents of the new Train in order of first appearance.
func (s *Set) Resplit(train, validation float64) (again *Set, dropped []Utterance, err error) {
	if !(train > 0 && validation > 0 && train+validation < 1) {
		return nil, nil, fmt.Errorf("%s: shares of %g for train and %g for validation; both must be above 0 and leave "+
			"some of 1 for test", s.name(), train, validation)
	}
	known := map[string]bool{}
	for _, u := range s.Train {
		known[u.Intent] = true
	}
	all := slices.Concat(s.Train, s.Validation)
	for _, u := range s.Test {
		if known[u.Intent] {
			all = append(all, u)
		} else {
			dropped = append(dropped, u)
		}
	}
	clips := map[string][]Utterance{}
	for _, u := range all {
		clips[u.Speaker] = append(clips[u.Speaker], u)
	}
	again = &Set{Name: s.Name, Language: s.Language, Rate: s.Rate, source: s.source}
	for _, speaker := range Speakers(all) {
		part := &again.Test
		switch total := float64(len(all)); {
		case float64(len(again.Train)) < train*total:
			part = &again.Train
		case float64(len(again.Validation)) < validation*total:
			part = &again.Validation
		}
		*part = append(*part, clips[speaker]...)
	}
	if len(again.Validation) == 0 || len(again.Test) == 0 {
		return nil, nil, fmt.Errorf("%s: %s with %s do not fill three parts; more speakers are needed, or a smaller "+
			"share for train", s.name(), count(len(clips), "speaker"), count(len(all), "clip"))
	}
	return again, append(dropped, again.relabel(s.Intents)...), nil
}

// relabel lists the intents of Train, converts all labels to indices into that list, and drops clips of the other parts
// whose label Train lacks.
func (s *Set) relabel(old []string) (dropped []Utterance) {
	places := make([]int, len(old)) // counted from 1, or 0 if Train lacks the label
	for _, u := range s.Train {
		if places[u.Label] == 0 {
			s.Intents = append(s.Intents, old[u.Label])
			places[u.Label] = len(s.Intents)
		}
	}
	for _, part := range []*[]Utterance{&s.Train, &s.Validation, &s.Test} {
		var kept []Utterance
		for _, u := range *part {
			if places[u.Label] == 0 {
				dropped = append(dropped, u)
				continue
			}
			u.Label = places[u.Label] - 1
			kept = append(kept, u)
		}
		*part = kept
	}
	return dropped
}
