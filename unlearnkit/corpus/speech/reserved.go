package speech

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech/recordings"
)

// reservedVoices is the number of recorded voices at the end of each language's list that no world uses. A model
// pre-trained on these voices has not heard the speakers of any world.
const reservedVoices = 3

// Reserved returns clips of a language's reserved voices, all in the training part. Each voice has the maximum number
// of speakers.
func Reserved(language string, clips int, seed uint64) (*Set, error) {
	recorded, err := recordings.Voices(language)
	if err != nil {
		return nil, err
	}
	const speakers = reservedVoices * mostOfAVoice
	c := Config{Name: "Reserved", Language: language, Seed: seed, Clips: (clips + speakers - 1) / speakers}
	if most := mostTakes * len(recorded[0].Clips); clips < 1 || c.Clips > most {
		return nil, fmt.Errorf("%d clips of reserved voices; between 1 and %d can be made", clips, speakers*most)
	}
	m, err := newMaker(c)
	if err != nil {
		return nil, err
	}
	table := Set{Name: c.Name, Language: language, Rate: recordings.Rate, Intents: m.intents}
	for _, s := range m.cast("reserved", speakers, recorded[len(recorded)-reservedVoices:]) {
		said, err := m.utterances("train", s)
		if err != nil {
			return nil, err
		}
		table.Train = append(table.Train, said...)
	}
	table.Train = table.Train[:clips]
	return New(table, m.open), nil
}
