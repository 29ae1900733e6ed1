package speech

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// What UnSLU-BENCH asks of the speakers to forget (arXiv:2505.15700, §3.1).
const (
	ForgetClips = 100  // a candidate has more clips in training
	ForgetShare = .025 // of the training clips, at least, are to be forgotten
)

// Reading is a way to draw the speakers to forget.
type Reading int

const (
	// WithoutReplacement draws each speaker at most once, as the paper's words have it.
	WithoutReplacement Reading = iota
	// WithReplacement may draw a speaker again and then counts the clips again, as the released code does: the share
	// that is really forgotten can stay below the one that is asked for.
	WithReplacement
)

func (r Reading) String() string {
	if r == WithReplacement {
		return "with replacement"
	}
	return "without replacement"
}

// A ForgetRule says which speakers of a training part are drawn to be forgotten.
type ForgetRule struct {
	MoreThan int     // clips that a candidate has; ForgetClips in the paper
	Share    float64 // of the training clips that are forgotten at least; ForgetShare in the paper
	Reading  Reading
	Seed     uint64
}

// Forgetting is a training part divided into what is forgotten and what is kept.
type Forgetting struct {
	Draws      []string // in their order, one more than once if drawn with replacement
	Speakers   []string // the same, each once
	Candidates int      // speakers who could have been drawn
	Counted    int      // clips of the draws, those of one drawn again counted again
	// All clips of Speakers, and all others, in their order.
	Forget, Retain []Utterance
}

// Share is the part of the clips that is forgotten.
func (f *Forgetting) Share() float64 {
	return float64(len(f.Forget)) / float64(len(f.Forget)+len(f.Retain))
}

// Draw draws speakers, each candidate with equal chances, until their clips are at least the rule's share.
func (r ForgetRule) Draw(train []Utterance) (*Forgetting, error) {
	clips := map[string]int{}
	for _, u := range train {
		clips[u.Speaker]++
	}
	var candidates []string
	reachable := 0
	for _, speaker := range Speakers(train) {
		if clips[speaker] > r.MoreThan {
			candidates = append(candidates, speaker)
			reachable += clips[speaker]
		}
	}
	needed := r.Share * float64(len(train))
	switch {
	case !(r.Share > 0 && r.Share < 1):
		return nil, fmt.Errorf("a share of %g to forget; it must lie between 0 and 1", r.Share)
	case len(candidates) < 2:
		return nil, fmt.Errorf("%s with more than %d training clips; at least 2 are needed to draw whom to forget: "+
			"lower that number or bring more clips a speaker", count(len(candidates), "speaker"), r.MoreThan)
	case float64(reachable) < needed:
		return nil, fmt.Errorf("the %d speakers with more than %d clips have %.1f %% of the training clips, %.1f %% "+
			"are to be forgotten: lower one of the two numbers", len(candidates), r.MoreThan,
			100*float64(reachable)/float64(len(train)), 100*r.Share)
	}
	f := &Forgetting{Candidates: len(candidates)}
	random := seed.Stream(r.Seed, "speech", "forget")
	for drawn := map[string]bool{}; float64(f.Counted) < needed; {
		i := random.IntN(len(candidates))
		speaker := candidates[i]
		f.Draws, f.Counted = append(f.Draws, speaker), f.Counted+clips[speaker]
		if !drawn[speaker] {
			drawn[speaker] = true
			f.Speakers = append(f.Speakers, speaker)
		}
		if r.Reading == WithoutReplacement {
			candidates = append(candidates[:i:i], candidates[i+1:]...)
		}
	}
	return f, f.divide(train)
}

func (f *Forgetting) divide(train []Utterance) error {
	forgotten := map[string]bool{}
	for _, speaker := range f.Speakers {
		forgotten[speaker] = true
	}
	for _, u := range train {
		if forgotten[u.Speaker] {
			f.Forget = append(f.Forget, u)
		} else {
			f.Retain = append(f.Retain, u)
		}
	}
	if len(f.Retain) == 0 {
		return fmt.Errorf("all %d training clips would be forgotten; ask for a smaller share", len(train))
	}
	return nil
}
