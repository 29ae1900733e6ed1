package speech

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// UnSLU-BENCH's requirements for the speakers to forget (arXiv:2505.15700, §3.1).
const (
	ForgetClips = 100  // a candidate has more clips in training
	ForgetShare = .025 // minimum fraction of the training clips to forget
)

// Reading is an interpretation of how the speakers to forget are drawn.
type Reading int

const (
	// WithoutReplacement draws each speaker at most once, following the paper's text.
	WithoutReplacement Reading = iota
	// WithReplacement may draw a speaker again and then counts the clips again, like the released code: the forgotten
	// fraction can be smaller than requested.
	WithReplacement
)

func (r Reading) String() string {
	if r == WithReplacement {
		return "with replacement"
	}
	return "without replacement"
}

// A ForgetRule defines which speakers of a training part are forgotten.
type ForgetRule struct {
	MoreThan int     // clips of a candidate; ForgetClips in the paper
	Share    float64 // minimum fraction of the training clips to forget; ForgetShare in the paper
	Reading  Reading
	Seed     uint64
}

// Forgetting is a training part divided into forgotten and retained clips.
type Forgetting struct {
	Draws      []string // in order, with repetitions if drawn with replacement
	Speakers   []string // the same without repetitions
	Candidates int      // speakers who could have been drawn
	Counted    int      // clips of the draws, with repetitions
	// All clips of Speakers, and all others, in order.
	Forget, Retain []Utterance
}

// Share returns the fraction of the clips that is forgotten.
func (f *Forgetting) Share() float64 {
	return float64(len(f.Forget)) / float64(len(f.Forget)+len(f.Retain))
}

// Draw draws speakers uniformly among the candidates, until their clips reach at least the rule's share.
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
		return nil, fmt.Errorf("a share of %g to forget; it must be between 0 and 1", r.Share)
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
