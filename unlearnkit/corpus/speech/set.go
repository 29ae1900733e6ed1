package speech

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess/sound"
)

// Utterance is a clip: one person says one thing.
type Utterance struct {
	ID      string // unique in the set
	Speaker string
	Text    string // what is said
	Intent  string // what is meant by it
	// Label is a place among the set's intents: that of Intent, unless the labels are noisy.
	Label int
	// Microphone is "headset" or "far field" where a set tells them apart, otherwise empty.
	Microphone string
}

// Set is the clips of one language.
type Set struct {
	Name     string
	Language string // as ISO 639-1 has it: "en"
	Rate     int    // of the samples that Samples gives
	Intents  []string
	// No speaker of Train is in Test, whose clips stand for those that a model has never heard.
	Train, Validation, Test []Utterance

	source *source
}

// source gives the sound of a set's clips and remembers what was converted.
type source struct {
	open      func(Utterance) (sound.Clip, error)
	lock      sync.Mutex
	converted map[string]map[string]bool // by what was done, the clips
}

// New returns a set with the given table whose clips open opens. A clip may have any rate and number of channels; open
// is called whenever the samples are wanted, possibly by several goroutines at once.
func New(table Set, open func(Utterance) (sound.Clip, error)) *Set {
	table.source = &source{open: open, converted: map[string]map[string]bool{}}
	return &table
}

// Samples returns the sound of a clip, mono at the rate of the set. The samples are the caller's own.
func (s *Set) Samples(u Utterance) ([]float32, error) {
	if s.source == nil {
		return nil, fmt.Errorf("%s, clip %s: the set has no sound; build it with speech.New", s.Name, u.ID)
	}
	clip, err := s.source.open(u)
	if err != nil {
		return nil, fmt.Errorf("%s, clip %s: %w", s.Name, u.ID, err)
	}
	samples, converted, err := clip.Mono(s.Rate)
	if err != nil {
		return nil, fmt.Errorf("%s, clip %s: %w", s.Name, u.ID, err)
	}
	if converted != "" {
		s.source.lock.Lock()
		defer s.source.lock.Unlock()
		if s.source.converted[converted] == nil {
			s.source.converted[converted] = map[string]bool{}
		}
		s.source.converted[converted][u.ID] = true
	}
	return samples, nil
}

// Converted says what was done to the clips that Samples has given so far, for a person who brought them: "44,100 Hz
// stereo to 16,000 Hz mono: 120 clips".
func (s *Set) Converted() []string {
	if s.source == nil {
		return nil
	}
	s.source.lock.Lock()
	defer s.source.lock.Unlock()
	var lines []string
	for _, what := range slices.Sorted(maps.Keys(s.source.converted)) {
		lines = append(lines, fmt.Sprintf("%s: %s", what, count(len(s.source.converted[what]), "clip")))
	}
	return lines
}

// A Part is a named list of a set's clips.
type Part struct {
	Name       string
	Utterances []Utterance
}

// Parts returns the parts in the order in which they are used.
func (s *Set) Parts() []Part {
	return []Part{{"train", s.Train}, {"validation", s.Validation}, {"test", s.Test}}
}

// Number sets the labels from the intents. If the set lists no intents, they are those of Train in the order of their
// first appearance, as in the released code of UnSLU-BENCH for Fluent Speech Commands and SLURP.
func (s *Set) Number() error {
	if len(s.Intents) == 0 {
		for _, u := range s.Train {
			if !slices.Contains(s.Intents, u.Intent) {
				s.Intents = append(s.Intents, u.Intent)
			}
		}
	}
	labels := map[string]int{}
	for label, intent := range s.Intents {
		labels[intent] = label
	}
	for _, part := range s.Parts() {
		for i, u := range part.Utterances {
			label, ok := labels[u.Intent]
			if !ok {
				return fmt.Errorf("%s, clip %s in %s: the intent %q is none of the %d that are known; drop the clip "+
					"or train on one with that intent", s.Name, u.ID, part.Name, u.Intent, len(labels))
			}
			part.Utterances[i].Label = label
		}
	}
	return nil
}

// Speakers returns the speakers of some clips in the order of their first appearance.
func Speakers(utterances []Utterance) []string {
	var speakers []string
	seen := map[string]bool{}
	for _, u := range utterances {
		if !seen[u.Speaker] {
			seen[u.Speaker] = true
			speakers = append(speakers, u.Speaker)
		}
	}
	return speakers
}

// count writes a number of things.
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
