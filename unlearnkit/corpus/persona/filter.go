package persona

import (
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// FilterReport reports what the filter did and, because the generator knows the truth, how often it was wrong. A
// dropped picture counts once, for the first of distortion, crowding and disagreement with the vote.
type FilterReport struct {
	Personas int `json:"personas"` // personas with generated pictures
	Kept     int `json:"kept"`     // who became people of the world
	TooFew   int `json:"too_few"`  // dropped because too few pictures remained
	// personas, kept or not, whose majority vote differs from the anchor in gender or group
	WrongVotes int `json:"wrong_votes"`
	Pictures   int `json:"pictures"`  // generated, for all personas
	Distorted  int `json:"distorted"` // dropped as distorted
	Crowded    int `json:"crowded"`   // dropped as showing more than one person
	OffVote    int `json:"off_vote"`  // dropped because gender or group differ from the persona's majority
	Passed     int `json:"passed"`    // not dropped
	// passed although distorted, crowded, or of another gender or group than the anchor
	FaultyAfter int `json:"faulty_after"`

	// The true answers are in rows, the classifier's in columns.
	DistortedConfusion [2][2]int                 `json:"distorted_confusion"`
	CrowdedConfusion   [2][2]int                 `json:"crowded_confusion"`
	GenderConfusion    [2][2]int                 `json:"gender_confusion"`
	GroupConfusion     [MaxGroups][MaxGroups]int `json:"group_confusion"`
}

func (r *FilterReport) record(t Truth, guess [questions]int) {
	r.DistortedConfusion[t.answer(askDistorted)][guess[askDistorted]]++
	r.CrowdedConfusion[t.answer(askCrowded)][guess[askCrowded]]++
	r.GenderConfusion[t.answer(askGender)][guess[askGender]]++
	r.GroupConfusion[t.answer(askGroup)][guess[askGroup]]++
}

// subject is a person with several generated portraits: a persona, or one of the other generated people.
type subject struct {
	stream string // separates the streams of personas and others
	number int
	look   look
	factor float64 // multiplies all fault rates
}

// candidate draws a picture of a subject; the returned source continues with the scene and the grain.
func (w *World) candidate(s subject, index int) (portrait, *rand.Rand) {
	source := seed.Stream(w.Spec.Seed, "persona", s.stream, s.number, "picture", index)
	c := drawCandidate(source, s.look, w.Spec.Groups, w.Spec.Faults, s.factor)
	return drawPortrait(source, c, w.Spec.ImageSize), source
}

// verdict is the filter's result for a subject's pictures.
type verdict struct {
	passed []int // indices of candidates
	gender Gender
	group  int
}

// filter generates and classifies the candidates of a subject. It drops distorted and crowded pictures, then those that
// disagree with the majority of the remaining ones.
func (w *World) filter(s subject, candidates int, report *FilterReport) verdict {
	guesses, truths := w.classify(s, candidates)
	var genders [2]int
	var groups [MaxGroups]int
	for i := range guesses {
		report.record(truths[i], guesses[i])
		if guesses[i][askDistorted] == 0 && guesses[i][askCrowded] == 0 {
			genders[guesses[i][askGender]]++
			groups[guesses[i][askGroup]]++
		}
	}
	v := verdict{gender: Gender(most(genders[:])), group: most(groups[:])}
	report.Pictures += candidates
	for i, guess := range guesses {
		switch {
		case guess[askDistorted] == 1:
			report.Distorted++
		case guess[askCrowded] == 1:
			report.Crowded++
		case guess[askGender] != int(v.gender) || guess[askGroup] != v.group:
			report.OffVote++
		default:
			v.passed = append(v.passed, i)
			report.Passed++
			t := truths[i]
			if t.Distorted || t.Crowded || t.Gender != s.look.gender || t.Group != s.look.group {
				report.FaultyAfter++
			}
		}
	}
	if v.gender != s.look.gender || v.group != s.look.group {
		report.WrongVotes++
	}
	return v
}

// classify draws the candidates of a subject, each from its own stream, and classifies them. Making a world spends
// nearly all of its time here, so every processor draws.
func (w *World) classify(s subject, candidates int) ([][questions]int, []Truth) {
	judge := theFilter()
	guesses, truths := make([][questions]int, candidates), make([]Truth, candidates)
	workers := min(runtime.GOMAXPROCS(0), candidates)
	var drawn sync.WaitGroup
	for first := range workers {
		drawn.Go(func() {
			picture := newPicture(w.Spec.ImageSize)
			for i := first; i < candidates; i += workers {
				p, source := w.candidate(s, i)
				scene := p.scene(source)
				scene.draw(picture, source)
				guesses[i], truths[i] = judge.answer(picture, w.Spec.Groups), p.truth
			}
		})
	}
	drawn.Wait()
	return guesses, truths
}

// most returns the index of the first largest number.
func most(counts []int) int {
	best := 0
	for i, count := range counts {
		if count > counts[best] {
			best = i
		}
	}
	return best
}
