package speech

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess/sound"
)

// Utterance is a clip in which one person says one sentence.
type Utterance struct {
	ID      string // unique ID in the set
	Speaker string
	Text    string // spoken words
	Intent  string // what the speaker wants
	// Label is an index into the set's Intents, used in training and testing. It differs from Intent if label noise
	// changed it.
	Label int
	// Microphone is "headset" or "far field", or "" if the set does not distinguish them.
	Microphone string
}

// Set lists the clips of one language.
type Set struct {
	Name     string
	Language string // ISO 639-1 code, such as "en"
	Rate     int    // samples per second, as returned by Samples
	Intents  []string
	// Test has only speakers that a model has never heard, so none of Train.
	Train, Validation, Test []Utterance

	source *source
}

// source opens clips and records conversions.
type source struct {
	open        func(Utterance) (sound.Clip, error)
	length      func(Utterance) int // number of samples at the set's rate; nil if clips must be opened to find out
	lock        sync.Mutex
	conversions map[string]map[string]bool // IDs of the clips that needed each conversion
}

// New returns a set with the given table. Open opens a clip, and may return any sampling rate and number of channels.
// Several goroutines may call it at once.
func New(table Set, open func(Utterance) (sound.Clip, error)) *Set {
	table.source = &source{open: open, conversions: map[string]map[string]bool{}}
	return &table
}

// Samples returns the sound of a clip, mono and at the set's sampling rate. The caller may change the samples.
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
		if s.source.conversions[converted] == nil {
			s.source.conversions[converted] = map[string]bool{}
		}
		s.source.conversions[converted][u.ID] = true
	}
	return samples, nil
}

// Length returns the number of samples in a clip. It does not render generated clips.
func (s *Set) Length(u Utterance) (int, error) {
	if s.source != nil && s.source.length != nil {
		return s.source.length(u), nil
	}
	samples, err := s.Samples(u)
	return len(samples), err
}

// Converted describes the conversions made so far, such as "44,100 Hz stereo to 16,000 Hz mono: 120 clips".
func (s *Set) Converted() []string {
	if s.source == nil {
		return nil
	}
	s.source.lock.Lock()
	defer s.source.lock.Unlock()
	var lines []string
	for _, what := range slices.Sorted(maps.Keys(s.source.conversions)) {
		lines = append(lines, fmt.Sprintf("%s: %s", what, count(len(s.source.conversions[what]), "clip")))
	}
	return lines
}

// A Part is a named list of a set's clips.
type Part struct {
	Name       string
	Utterances []Utterance
}

// Parts returns the parts in the order train, validation, test.
func (s *Set) Parts() []Part {
	return []Part{{"train", s.Train}, {"validation", s.Validation}, {"test", s.Test}}
}

// Number sets the labels to match the intents. If the set lists no intents, Number lists the intents of Train in order
// of first appearance, like UnSLU-BENCH's released code for Fluent Speech Commands and SLURP.
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
				return fmt.Errorf("%s, clip %s in %s: the intent %q is not among the %d known ones; drop the clip "+
					"or train on one with that intent", s.Name, u.ID, part.Name, u.Intent, len(labels))
			}
			part.Utterances[i].Label = label
		}
	}
	return nil
}

// Speakers returns the distinct speakers of some clips, in order of first appearance.
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

// count formats a number with a noun, such as "2 clips".
func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
