package persona

import (
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// FilterReport counts what the filter did and how often it was wrong, which is known because the pictures are
// generated. A dropped picture is counted once: as distorted, else as crowded, else as contradicting the majority.
type FilterReport struct {
	Personas int `json:"personas"` // personas with generated pictures
	Kept     int `json:"kept"`     // personas that became people of the world
	TooFew   int `json:"too_few"`  // personas dropped because too few of their pictures remained
	// personas, including dropped ones, whose majority vote differs from their true gender or group
	WrongVotes int `json:"wrong_votes"`
	Pictures   int `json:"pictures"`  // pictures generated for all personas
	Distorted  int `json:"distorted"` // pictures dropped as distorted
	Crowded    int `json:"crowded"`   // pictures dropped because they seem to show several people
	OffVote    int `json:"off_vote"`  // pictures dropped because gender or group differs from the persona's majority
	Passed     int `json:"passed"`    // pictures that were kept
	// pictures kept although they are distorted, crowded, or show another gender or group
	FaultyAfter int `json:"faulty_after"`

	// Confusion matrices with true answers as rows and the filter's answers as columns.
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

// subject is a generated person with several portraits: a persona or a stranger.
type subject struct {
	stream string // name of the random stream, which differs between personas and strangers
	number int
	look   look
	factor float64 // multiplies all error probabilities
}

// candidate generates a picture of a subject. The returned source continues with the random numbers for rendering.
func (w *World) candidate(s subject, index int) (portrait, *rand.Rand) {
	source := seed.Stream(w.Spec.Seed, "persona", s.stream, s.number, "picture", index)
	c := drawCandidate(source, s.look, w.Spec.Groups, w.Spec.Faults, s.factor)
	return drawPortrait(source, c, w.Spec.ImageSize), source
}

// verdict is the result of filtering a subject's pictures.
type verdict struct {
	passed []int // indices of the pictures that passed
	gender Gender
	group  int
}

// filter generates and classifies pictures of a subject. It drops distorted and crowded pictures, then pictures that
// disagree with the majority of the rest.
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

// classify generates and classifies pictures of a subject in parallel, each with its own random stream. This takes
// nearly all the time of generating a world.
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

// most returns the index of the largest number, the first one if several are equal.
func most(counts []int) int {
	best := 0
	for i, count := range counts {
		if count > counts[best] {
			best = i
		}
	}
	return best
}
