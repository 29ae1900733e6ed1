package speech

import (
	"math"
	"math/rand/v2"
)

// longestPause is the length of the longest silence before a clip, in samples. It is also the length of the silence
// after a clip, with the last echo.
const longestPause = 800

// render returns the sound of a clip. It rounds every product before adding it, because fused multiply-add on some
// processors would give other bits.
func (t take) render(random *rand.Rand) []float32 {
	s := t.speaker
	before, all := t.lengths(random)
	speech := make([]float64, all)
	resample(speech[before:], s.voice.Samples(t.clip), t.speed())
	speech = s.colour(speech)
	speech = s.echo(speech, t.far)
	noise, loudest := s.noise, s.loudness
	if t.far {
		noise, loudest = 3*noise, loudest/3
	}
	s.addNoise(speech, noise, random)
	return loud(speech, loudest)
}

// speed returns the speaker's speed, slightly changed for repetitions of a sentence.
func (t take) speed() int {
	return min(max(t.speaker.speed+[mostTakes]int{0, 3, -3, 5}[t.number], slowest), fastest)
}

// lengths returns the lengths of the pause before the speech and of the whole clip in samples.
func (t take) lengths(random *rand.Rand) (before, all int) {
	before = random.IntN(longestPause)
	return before, before + t.length() + longestPause
}

// length returns the length of the speech at the speaker's speed, in samples.
func (t take) length() int { return t.clip.Length * 256 / t.speed() }

// colour applies the microphone's filter.
func (s *speaker) colour(samples []float64) []float64 {
	coloured := make([]float64, len(samples))
	for i := range samples {
		sum := samples[i]
		for k, weight := range s.filter {
			if i > k {
				sum += float64(weight * samples[i-k-1])
			}
		}
		coloured[i] = sum
	}
	return coloured
}

// echo adds reflections from the room. A headset receives few, faint ones. Across the room, the direct sound is at most
// as loud as the reflections and lacks high frequencies.
func (s *speaker) echo(samples []float64, far bool) []float64 {
	room, gain := s.room[:5], .3
	heard := make([]float64, len(samples))
	copy(heard, samples)
	if far {
		room, gain = s.room[:], 1.6
		for i := 1; i < len(samples); i++ {
			heard[i] = float64(.5*samples[i]) + float64(.35*samples[i-1])
		}
	}
	for _, r := range room {
		weight := float64(gain * r.gain)
		if r.delay >= len(samples) {
			continue
		}
		late := heard[r.delay:]
		for i, x := range samples[:len(late)] {
			late[i] += float64(weight * x)
		}
	}
	return heard
}

// addNoise adds noise whose loudness is a share of the speech's loudness. Each noise value is the sum of two uniform
// numbers and a fraction of the previous value.
func (s *speaker) addNoise(samples []float64, share float64, random *rand.Rand) {
	power := 0.
	for _, x := range samples {
		power += float64(x * x)
	}
	// The sum of two uniform numbers between -1/2 and 1/2 has variance 1/6. Adding the fraction r of the previous value
	// multiplies the variance by 1/(1-r²).
	kept := 1 - float64(s.rumble*s.rumble)
	scale := share * math.Sqrt(float64(power/float64(len(samples)))*6*kept)
	last := 0.
	for i := 0; i < len(samples); {
		bits := random.Uint64()
		for range 2 {
			white := (float64(bits&0xffff) + float64(bits>>16&0xffff) - 0xffff) / 0xffff
			bits >>= 32
			last = white + float64(s.rumble*last)
			if i < len(samples) {
				samples[i] += float64(scale * last)
				i++
			}
		}
	}
}

// loud scales the samples to a given maximum absolute value.
func loud(samples []float64, loudest float64) []float32 {
	peak := 0.
	for _, x := range samples {
		peak = max(peak, x, -x)
	}
	scaled := make([]float32, len(samples))
	if peak == 0 {
		return scaled
	}
	gain := loudest / peak
	for i, x := range samples {
		scaled[i] = float32(gain * x)
	}
	return scaled
}
