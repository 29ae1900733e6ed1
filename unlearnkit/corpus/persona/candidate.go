package persona

import (
	"math"
	"math/rand/v2"
)

// Faults holds the probabilities of errors in portraits of a typical persona. They imitate real image generators.
type Faults struct {
	Distorted   float64 `json:"distorted"`    // the picture is distorted
	Crowded     float64 `json:"crowded"`      // a second person is in the picture
	OtherPerson float64 `json:"other_person"` // the picture shows a person of another gender or group
	// share of personas with WeakFactor times as many errors
	Weak       float64 `json:"weak"`
	WeakFactor float64 `json:"weak_factor"`
}

// Truth holds the true content of a generated picture, which the filter has to guess.
type Truth struct {
	Distorted, Crowded bool
	Gender             Gender
	Group              int
}

// candidate is a generated portrait that the filter has not seen yet.
type candidate struct {
	look      look
	companion look // second person in the picture, if Crowded
	truth     Truth
}

// drawCandidate draws the errors in a picture of a person.
func drawCandidate(source *rand.Rand, person look, groups int, f Faults, factor float64) candidate {
	c := candidate{look: person}
	if source.Float64() < f.OtherPerson*factor {
		c.look = somebodyElse(source, person, groups)
	}
	c.truth = Truth{
		Distorted: source.Float64() < f.Distorted*factor,
		Crowded:   source.Float64() < f.Crowded*factor,
		Gender:    c.look.gender,
		Group:     c.look.group,
	}
	if c.truth.Crowded {
		c.companion = drawLook(source, person.style, source.IntN(groups), Gender(source.IntN(2)))
	}
	return c
}

// somebodyElse returns a random person of the other gender or of another group.
func somebodyElse(source *rand.Rand, person look, groups int) look {
	group, gender := person.group, person.gender
	if groups == 1 || source.IntN(2) == 0 {
		gender = 1 - gender
	} else {
		group = (group + 1 + source.IntN(groups-1)) % groups
	}
	return drawLook(source, person.style, group, gender)
}

// portrait holds what a picture of people shows, apart from pixel noise.
type portrait struct {
	candidate
	pose   pose
	ground ground
	light  light
}

func drawPortrait(source *rand.Rand, c candidate, size int) portrait {
	p := portrait{candidate: c, pose: drawPose(source, c.look.style), ground: drawGround(source, size, portraitGrounds),
		light: drawLight(source)}
	if c.truth.Distorted {
		p.pose.rowShift = drawDistortion(source, size)
	}
	return p
}

// drawDistortion returns row shifts that tear a picture into bands or bend it into a wave.
func drawDistortion(source *rand.Rand, size int) []int {
	shift := make([]int, size)
	if source.IntN(2) == 0 {
		band := 2 + source.IntN(3)
		for y := 0; y < size; {
			height := max(1, band*size/32)
			by := (.1 + .22*source.Float64()) * float64(size)
			if source.IntN(2) == 0 {
				by = -by
			}
			for range min(height, size-y) {
				shift[y] = int(math.Round(by * one))
				y++
			}
		}
		return shift
	}
	amplitude, waves, phase := (.1+.1*source.Float64())*float64(size), 2+3*source.Float64(), 2*math.Pi*source.Float64()
	for y := range shift {
		shift[y] = int(math.Round(amplitude * math.Sin(phase+2*math.Pi*waves*float64(y)/float64(size)) * one))
	}
	return shift
}

// scene returns the scene of a portrait. If it is crowded, two people are side by side.
func (p *portrait) scene(source *rand.Rand) scene {
	s := scene{size: p.ground.size, ground: p.ground, light: p.light}
	first := part{figure: p.look.figure(p.pose, s.size), placement: p.pose.placement}
	if !p.truth.Crowded {
		s.parts = []part{first}
		return s
	}
	other := drawPose(source, p.companion.style)
	second := part{figure: p.companion.figure(other, s.size), placement: other.placement}
	side := .24
	if source.IntN(2) == 0 {
		side = -side
	}
	for i, where := range []*part{&first, &second} {
		where.scale *= .72
		where.moveX = where.moveX/2 + side*float64(1-2*i)
		where.moveY += .12
	}
	second.rowShift = first.rowShift
	s.parts = []part{second, first}
	return s
}
