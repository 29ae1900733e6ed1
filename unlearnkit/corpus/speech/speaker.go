package speech

import (
	"fmt"
	"math/rand/v2"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech/recordings"
)

// Speeds in units of 1/256, so that sample positions are integers. They are .85 to 1.17 times the recorded speed.
const (
	slowest = 218
	fastest = 300
)

// mostOfAVoice is the maximum number of speakers per recorded voice. The speeds of more speakers would be too similar
// to distinguish.
const mostOfAVoice = 16

// speaker is a recorded voice with a speed, a room, a microphone and noise. Its numbers are drawn without logarithms
// and sines, whose last bits differ between processors.
type speaker struct {
	name     string
	voice    *recordings.Voice
	speed    int        // speed in units of 1/256
	filter   [6]float64 // weights of earlier samples in the microphone's filter
	room     [12]reflection
	noise    float64 // loudness of the noise as a share of the speech's
	rumble   float64 // fraction of a noise value that remains in the next; 0 hisses, larger values rumble
	loudness float64 // largest absolute sample
}

// reflection is sound reflected by a wall.
type reflection struct {
	delay int // delay in samples
	gain  float64
}

// cast returns the speakers of a part. Speakers with the same voice divide the range of speeds equally, so that no two
// sound alike.
func (m *maker) cast(part string, number int, voices []*recordings.Voice) []*speaker {
	cast := make([]*speaker, number)
	places := map[string][]int{}
	for i := range cast {
		voice := voices[i%len(voices)]
		if i < len(voices) {
			sharing := (number - i + len(voices) - 1) / len(voices)
			places[voice.Name] = m.stream("speeds", voice.Name).Perm(sharing)
		}
		random := m.stream("speaker", part, i)
		of := places[voice.Name]
		share := (float64(of[i/len(voices)]) + random.Float64()) / float64(len(of))
		m.speakers++
		cast[i] = newSpeaker(random, fmt.Sprintf("%s-%02d", m.Language, m.speakers), voice,
			slowest+int(share*(fastest-slowest+1)))
	}
	return cast
}

func newSpeaker(random *rand.Rand, name string, voice *recordings.Voice, speed int) *speaker {
	s := &speaker{name: name, voice: voice, speed: speed, noise: between(random, .02, .12),
		rumble: between(random, 0, .9), loudness: between(random, .4, .9)}
	for k := range s.filter {
		s.filter[k] = between(random, -.5, .5) / float64(k+1)
	}
	liveliness := between(random, .05, .5)
	for i := range s.room {
		delay := 30 + random.IntN(longestEcho-30)
		fading := 1 - float64(delay)/longestEcho
		gain := float64(liveliness*fading) * between(random, .3, 1)
		if random.IntN(2) == 0 {
			gain = -gain
		}
		s.room[i] = reflection{delay, gain}
	}
	return s
}

// longestEcho limits the delay of a reflection, in samples, to a tenth of a second.
const longestEcho = recordings.Rate / 10

func between(random *rand.Rand, low, high float64) float64 {
	return low + float64(random.Float64()*(high-low))
}
