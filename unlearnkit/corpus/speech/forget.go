package speech

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// UnSLU-BENCH's rule for drawing the speakers to forget (arXiv:2505.15700, §3.1).
const (
	ForgetClips = 100  // only speakers with more training clips can be drawn
	ForgetShare = .025 // minimum share of the training clips to forget
)

// Reading is an interpretation of the paper's rule for drawing the speakers to forget.
type Reading int

const (
	// WithoutReplacement draws each speaker at most once, following the text of the paper.
	WithoutReplacement Reading = iota
	// WithReplacement can draw a speaker more than once and counts the speaker's clips each time, like the released
	// code. So the forgotten share can be smaller than requested.
	WithReplacement
)

func (r Reading) String() string {
	if r == WithReplacement {
		return "with replacement"
	}
	return "without replacement"
}

// A ForgetRule determines which speakers of a training part are forgotten.
type ForgetRule struct {
	MoreThan int     // only speakers with more clips can be drawn; ForgetClips in the paper
	Share    float64 // minimum share of the training clips to forget; ForgetShare in the paper
	Reading  Reading
	Seed     uint64
}

// Forgetting holds the clips of a training part, divided into clips to forget and clips to retain.
type Forgetting struct {
	Draws      []string // drawn speakers in order, with repetitions
	Speakers   []string // drawn speakers in order, without repetitions
	Candidates int      // number of speakers who could have been drawn
	Counted    int      // number of clips of all draws, with repetitions
	// Forget holds all clips of Speakers, and Retain all other clips, in the original order.
	Forget, Retain []Utterance
}

// Share returns the share of the clips that is to be forgotten.
func (f *Forgetting) Share() float64 {
	return float64(len(f.Forget)) / float64(len(f.Forget)+len(f.Retain))
}

// Draw draws speakers uniformly from those with enough clips, until their clips reach the rule's share.
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
