package speech

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech/recordings"
)

// Config determines the small world that [Make] generates. Start with [Easy], [Hard], [Italian], [German] or [French].
type Config struct {
	Name     string
	Language string // one of recordings.Languages
	Seed     uint64 // determines the test voices, the speakers and the noise

	TrainSpeakers, ValidationSpeakers, TestSpeakers int
	// ValidationVoices and TestVoices are the numbers of recorded voices reserved for these parts. So test voices never
	// occur in training, not even at another speed.
	ValidationVoices, TestVoices int
	Clips                        int // commands per speaker
	// FarField adds to each command a second recording by a microphone across the room.
	FarField bool
	// LabelNoise is the share of training and validation commands with a random label. Random labels can only be
	// memorised, so a model's loss reveals on which speakers it was trained.
	LabelNoise float64
	NoisyTest  bool // whether test labels are noisy too
	// Skew makes some intents more frequent than others. In a random order, intent i has the weight 1/(1 + Skew·i). If
	// Skew is 0, all intents are equally frequent.
	Skew float64
	// HeldOutPhrasings is the number of wordings of each intent that occur only in validation and test.
	HeldOutPhrasings int
}

// Easy returns the counterpart of Fluent Speech Commands: 31 English commands, each with an action, an object and a
// location, recorded by a headset and labelled correctly. A model understands nearly all commands, and treats known
// speakers almost like unknown ones.
func Easy(seed uint64) Config {
	return Config{Name: "Easy English", Language: "en", Seed: seed, TrainSpeakers: 24, ValidationSpeakers: 4,
		TestSpeakers: 6, ValidationVoices: 2, TestVoices: 3, Clips: 60}
}

// Hard returns the counterpart of SLURP*: the same English commands with unequal frequencies, recorded by a headset and
// across the room. One in four sentences never occurs in training, and 15 % of the labels are random. So a model that
// is trained for long memorises its speakers.
func Hard(seed uint64) Config {
	c := Easy(seed)
	c.Name, c.FarField, c.LabelNoise, c.Skew, c.HeldOutPhrasings = "Hard English", true, .15, .2, 1
	return c
}

// Italian returns the counterpart of ITALIC: 12 intents in Italian, with label noise and held-out sentences.
func Italian(seed uint64) Config { return other("Italian", "it", seed) }

// German returns the counterpart of Speech-MASSIVE's German part.
func German(seed uint64) Config { return other("German", "de", seed) }

// French returns the counterpart of Speech-MASSIVE's French part.
func French(seed uint64) Config { return other("French", "fr", seed) }

func other(name, language string, seed uint64) Config {
	c := Easy(seed)
	c.Name, c.Language, c.LabelNoise, c.Skew, c.HeldOutPhrasings = name, language, .1, .2, 2
	return c
}

// mostTakes is the maximum number of times a speaker says a sentence.
const mostTakes = 4

// check returns an error if the world cannot be generated. Set.Check tests whether the parts are consistent.
func (c Config) check() error {
	voices, err := recordings.Voices(c.Language)
	if err != nil {
		return err
	}
	most := mostTakes * len(voices[0].Clips) * c.microphones()
	for _, part := range []struct {
		name             string
		speakers, voices int
	}{
		{"training", c.TrainSpeakers, len(voices) - reservedVoices - c.ValidationVoices - c.TestVoices},
		{"validation", c.ValidationSpeakers, c.ValidationVoices},
		{"test", c.TestSpeakers, c.TestVoices},
	} {
		if part.speakers < 1 || part.voices < 1 {
			return fmt.Errorf("%s with %s and %s of the %d; it needs at least one of each", part.name,
				count(part.speakers, "speaker"), count(part.voices, "voice"), len(voices))
		}
		if most := part.voices * mostOfAVoice; part.speakers > most {
			return fmt.Errorf("%s with %d speakers; %s make at most %d that can be told apart", part.name,
				part.speakers, count(part.voices, "voice"), most)
		}
	}
	switch {
	case c.Clips < 1 || c.Clips > most:
		return fmt.Errorf("%d clips a speaker; between 1 and %d can be made", c.Clips, most)
	case !(c.LabelNoise >= 0 && c.LabelNoise <= 1):
		return fmt.Errorf("label noise of %g; it is a share between 0 and 1", c.LabelNoise)
	case !(c.Skew >= 0 && c.Skew <= 100):
		return fmt.Errorf("a skew of %g; it must be between 0 and 100", c.Skew)
	case c.HeldOutPhrasings < 0:
		return fmt.Errorf("%d held-out phrasings; give 0 or more", c.HeldOutPhrasings)
	}
	return nil
}

func (c Config) microphones() int {
	if c.FarField {
		return 2
	}
	return 1
}
