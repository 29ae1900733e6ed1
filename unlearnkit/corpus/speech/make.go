package speech

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech/recordings"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess/sound"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Make generates a small world of spoken commands from recordings embedded in the program.
//
// A speaker is a recorded voice played faster or slower, which changes the pitch and the apparent vocal tract. Each
// speaker has a room, a microphone and noise, which differ even between speakers with the same voice. [Set.Samples]
// renders a clip on demand, in about a millisecond, with the same bits on all processors.
func Make(c Config) (*Set, error) {
	_, set, err := build(c)
	if err != nil {
		return nil, fmt.Errorf("make the world %q: %w", c.Name, err)
	}
	return set, nil
}

// build generates a world and returns it with its maker.
func build(c Config) (*maker, *Set, error) {
	if err := c.check(); err != nil {
		return nil, nil, err
	}
	m, err := newMaker(c)
	if err != nil {
		return nil, nil, err
	}
	table := Set{Name: c.Name, Language: c.Language, Rate: recordings.Rate, Intents: m.intents}
	first := c.ValidationVoices + c.TestVoices
	for _, part := range []struct {
		name     string
		target   *[]Utterance
		speakers int
		voices   []*recordings.Voice
	}{
		{"train", &table.Train, c.TrainSpeakers, m.voices[first:]},
		{"validation", &table.Validation, c.ValidationSpeakers, m.voices[:c.ValidationVoices]},
		{"test", &table.Test, c.TestSpeakers, m.voices[c.ValidationVoices:first]},
	} {
		for _, s := range m.cast(part.name, part.speakers, part.voices) {
			utterances, err := m.utterances(part.name, s)
			if err != nil {
				return nil, nil, err
			}
			*part.target = append(*part.target, utterances...)
		}
	}
	set := New(table, m.open)
	set.source.length = m.length
	return m, set, set.Check()
}

// maker holds what is needed to render the clips of a world.
type maker struct {
	Config
	voices  []*recordings.Voice // voices for validation, then test, then training
	intents []string
	weights []float64       // relative frequencies of the intents
	heldOut map[string]bool // texts that never occur in training
	takes   map[string]take // takes by clip ID
	// speakers counts the speakers generated so far.
	speakers int
}

// take is a recording as said by one of the world's speakers.
type take struct {
	speaker *speaker
	clip    recordings.Clip
	number  int // how many times the speaker has said the sentence before
	far     bool
}

func (c Config) stream(path ...any) *rand.Rand {
	return seed.Stream(c.Seed, append([]any{"speech", c.Language}, path...)...)
}

// Intents returns the intents of all worlds in a language, in the order of their labels.
func Intents(language string) ([]string, error) {
	recorded, err := recordings.Voices(language)
	return intentsOf(recorded), err
}

func intentsOf(recorded []*recordings.Voice) (intents []string) {
	for _, voice := range recorded {
		for _, clip := range voice.Clips {
			if !slices.Contains(intents, clip.Intent) {
				intents = append(intents, clip.Intent)
			}
		}
	}
	slices.Sort(intents)
	return intents
}

func newMaker(c Config) (*maker, error) {
	recorded, err := recordings.Voices(c.Language)
	if err != nil {
		return nil, err
	}
	m := &maker{Config: c, voices: slices.Clone(recorded[:len(recorded)-reservedVoices]), takes: map[string]take{}}
	shuffle(c.stream("voices"), m.voices)
	m.intents = intentsOf(recorded)
	texts := map[string][]string{}
	for _, voice := range recorded {
		for _, clip := range voice.Clips {
			if !slices.Contains(texts[clip.Intent], clip.Text) {
				texts[clip.Intent] = append(texts[clip.Intent], clip.Text)
			}
		}
	}
	m.weights = make([]float64, len(m.intents))
	for i, place := range c.stream("frequencies").Perm(len(m.intents)) {
		m.weights[place] = 1 / (1 + float64(c.Skew*float64(i)))
	}
	return m, m.holdOut(texts)
}

func (m *maker) holdOut(texts map[string][]string) error {
	m.heldOut = map[string]bool{}
	for _, intent := range m.intents {
		ways := texts[intent]
		if m.HeldOutPhrasings >= len(ways) {
			return fmt.Errorf("%d held-out phrasings; %q has %d, of which one must be left", m.HeldOutPhrasings, intent,
				len(ways))
		}
		shuffle(m.stream("held out", intent), ways)
		for _, text := range ways[:m.HeldOutPhrasings] {
			m.heldOut[text] = true
		}
	}
	return nil
}

func shuffle[T any](random *rand.Rand, list []T) {
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// utterances returns the clips of one speaker.
func (m *maker) utterances(part string, s *speaker) ([]Utterance, error) {
	said, err := m.choose(part, s, (m.Clips+m.microphones()-1)/m.microphones())
	if err != nil {
		return nil, err
	}
	noise := m.stream("labels", s.name)
	noisy := part != "test" || m.NoisyTest
	var utterances []Utterance
	for i, t := range said {
		label := slices.Index(m.intents, t.clip.Intent)
		if redrawn := noise.IntN(len(m.intents)); noise.Float64() < m.LabelNoise && noisy {
			label = redrawn
		}
		for microphone := range min(m.microphones(), m.Clips-len(utterances)) {
			u := Utterance{ID: fmt.Sprintf("%s-%03d", s.name, i), Speaker: s.name, Text: t.clip.Text,
				Intent: t.clip.Intent, Label: label, Microphone: "headset"}
			if t.far = microphone == 1; t.far {
				u.ID, u.Microphone = u.ID+"-far", "far field"
			}
			m.takes[u.ID] = t
			utterances = append(utterances, u)
		}
	}
	return utterances, nil
}

// choose draws what a speaker says. For each clip, it draws an intent by weight and then one of the intent's recordings
// that the speaker has said least often.
func (m *maker) choose(part string, s *speaker, number int) ([]take, error) {
	random := m.stream("clips", s.name)
	recorded := map[string][]recordings.Clip{}
	for _, clip := range s.voice.Clips {
		if part != "train" || !m.heldOut[clip.Text] {
			recorded[clip.Intent] = append(recorded[clip.Intent], clip)
		}
	}
	times := map[string]int{} // how many times the speaker has said each text
	weights := slices.Clone(m.weights)
	var said []take
	for len(said) < number {
		i := draw(random, weights)
		if i < 0 {
			return nil, fmt.Errorf("%d clips a speaker; the voice of %s has sentences for %d", m.Clips, s.name,
				len(said)*m.microphones())
		}
		clips := recorded[m.intents[i]]
		shuffle(random, clips)
		if len(clips) == 0 {
			weights[i] = 0
			continue
		}
		clip := slices.MinFunc(clips, func(a, b recordings.Clip) int { return times[a.Text] - times[b.Text] })
		if times[clip.Text] == mostTakes {
			weights[i] = 0
			continue
		}
		said = append(said, take{speaker: s, clip: clip, number: times[clip.Text]})
		times[clip.Text]++
	}
	return said, nil
}

// draw returns an index with a probability proportional to its weight, or -1 if all weights are 0.
func draw(random *rand.Rand, weights []float64) int {
	total := 0.
	for _, w := range weights {
		total += w
	}
	if total == 0 {
		return -1
	}
	left := float64(random.Float64() * total)
	last := -1
	for i, w := range weights {
		if w == 0 {
			continue
		}
		if last = i; left < w {
			break
		}
		left -= w
	}
	return last
}

// length returns the number of samples in a clip of this world.
func (m *maker) length(u Utterance) int {
	_, all := m.takes[u.ID].lengths(m.stream("noise", u.ID))
	return all
}

func (m *maker) open(u Utterance) (sound.Clip, error) {
	t, ok := m.takes[u.ID]
	if !ok {
		return sound.Clip{}, fmt.Errorf("no such clip in this world")
	}
	return sound.Clip{Rate: recordings.Rate, Channels: [][]float32{t.render(m.stream("noise", u.ID))}}, nil
}
