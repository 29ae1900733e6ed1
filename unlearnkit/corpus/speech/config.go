package speech

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech/recordings"
)

// Config says which small world [Make] makes. Begin with one of [Easy], [Hard], [Italian], [German] and [French].
type Config struct {
	Name     string
	Language string // one of recordings.Languages
	Seed     uint64 // another seed is another world: other voices for the test, other speakers, other noise

	TrainSpeakers, ValidationSpeakers, TestSpeakers int
	// ValidationVoices and TestVoices are the numbers of recorded voices that speak in these parts alone, so that a
	// test asks for voices, not only for speeds, that no training clip has.
	ValidationVoices, TestVoices int
	Clips                        int // of each speaker
	// FarField has each command recorded twice at once, by a headset and by a microphone across the room.
	FarField bool
	// LabelNoise is the share of commands in training and validation whose label is drawn anew from all intents. What
	// is labelled wrongly can only be known by heart, so a model's loss tells whom it was trained on.
	LabelNoise float64
	NoisyTest  bool // the labels of the test are noisy too; usually they are not
	// Skew makes some intents more frequent: the i-th, in an order that the seed draws, has the weight
	// 1/(1 + Skew·i). With 0 all are equal.
	Skew float64
	// HeldOutPhrasings is how many ways to say each intent training leaves to validation and test.
	HeldOutPhrasings int
}

// Easy is the world in the role of Fluent Speech Commands: 31 English commands, each an action, an object and a
// location, read into a headset and labelled without fault, so that a model understands nearly all of them and the
// speakers whom it knows differ little from strangers.
func Easy(seed uint64) Config {
	return Config{Name: "Easy English", Language: "en", Seed: seed, TrainSpeakers: 24, ValidationSpeakers: 4,
		TestSpeakers: 6, ValidationVoices: 2, TestVoices: 3, Clips: 60}
}

// Hard is the world in the role of SLURP*: the same English commands, frequent and rare ones, by headset and across the
// room, one in four sentences never heard in training, and 15 % of the labels drawn anew, so that a model that learns
// long enough knows its speakers by heart.
func Hard(seed uint64) Config {
	c := Easy(seed)
	c.Name, c.FarField, c.LabelNoise, c.Skew, c.HeldOutPhrasings = "Hard English", true, .15, .2, 1
	return c
}

// Italian is the world in the role of ITALIC: 12 intents in a second language, with noisy labels and sentences held
// out.
func Italian(seed uint64) Config { return other("Italian", "it", seed) }

// German is the world in the role of Speech-MASSIVE's German part.
func German(seed uint64) Config { return other("German", "de", seed) }

// French is the world in the role of Speech-MASSIVE's French part.
func French(seed uint64) Config { return other("French", "fr", seed) }

func other(name, language string, seed uint64) Config {
	c := Easy(seed)
	c.Name, c.Language, c.LabelNoise, c.Skew, c.HeldOutPhrasings = name, language, .1, .2, 2
	return c
}

// mostTakes is how often a speaker may say the same sentence.
const mostTakes = 4

// check refuses what no world can be made of; whether the parts fit together is for Set.Check to see.
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
		{"training", c.TrainSpeakers, len(voices) - ReservedVoices - c.ValidationVoices - c.TestVoices},
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
		return fmt.Errorf("a skew of %g; it lies between 0 and 100", c.Skew)
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
