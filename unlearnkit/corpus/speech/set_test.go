package speech

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess/sound"
)

// table returns a small valid set.
func table() Set {
	return Set{
		Name: "greetings", Language: "en", Rate: 8000,
		Train: []Utterance{
			{ID: "1", Speaker: "ann", Text: "Good morning.", Intent: "greet"},
			{ID: "2", Speaker: "ann", Text: "See you.", Intent: "part"},
			{ID: "3", Speaker: "bob", Text: "Hello.", Intent: "greet"},
		},
		Validation: []Utterance{{ID: "4", Speaker: "cleo", Text: "Goodbye.", Intent: "part"}},
		Test:       []Utterance{{ID: "5", Speaker: "dan", Text: "Hi.", Intent: "greet"}},
	}
}

func ExampleNew() {
	set := New(Set{
		Name: "greetings", Language: "en", Rate: 8000,
		Train: []Utterance{
			{ID: "1", Speaker: "ann", Text: "Good morning.", Intent: "greet"},
			{ID: "2", Speaker: "ann", Text: "See you.", Intent: "part"},
		},
		Validation: []Utterance{{ID: "3", Speaker: "bob", Text: "Goodbye.", Intent: "part"}},
		Test:       []Utterance{{ID: "4", Speaker: "ann", Text: "Hi.", Intent: "greet"}},
	}, func(u Utterance) (sound.Clip, error) { return sound.Open("../../safefile/testdata/speech.flac") })
	if err := set.Number(); err != nil {
		fmt.Println(err)
		return
	}
	samples, err := set.Samples(set.Train[0])
	fmt.Println(set.Intents, len(samples), err)
	fmt.Println(set.Converted())
	fmt.Println(set.Check())
	// Output:
	// [greet part] 2658 <nil>
	// [16,000 Hz mono to 8,000 Hz mono: 1 clip]
	// greetings: the speaker ann is in train and in test; split by speaker, or the model has heard the voices that it is tested on
}

func TestSet_Refused(t *testing.T) {
	tests := []struct {
		says  string
		spoil func(*Set)
	}{
		{"greetings: a rate of 0 samples a second", func(s *Set) { s.Rate = 0 }},
		{"0 intents; a classifier needs at least 2", func(s *Set) { s.Intents = nil }},
		{"intent 1 has no name", func(s *Set) { s.Intents[1] = " " }},
		{`the intent "greet" is listed twice, as 0 and as 1`, func(s *Set) { s.Intents[1] = "greet" }},
		{"no clips in train", func(s *Set) { s.Train = nil }},
		{"no clips in validation", func(s *Set) { s.Validation = nil }},
		{"no clips in test", func(s *Set) { s.Test = nil }},
		{"clip 1 of train has no ID", func(s *Set) { s.Train[1].ID = "" }},
		{"the clip 1 is there twice, in train and in test", func(s *Set) { s.Test[0].ID = "1" }},
		{"the clip 2 in train has no text", func(s *Set) { s.Train[1].Text = "" }},
		{"the clip 2 in train has no speaker", func(s *Set) { s.Train[1].Speaker = "\t" }},
		{"the clip 5 in test has no intent", func(s *Set) { s.Test[0].Intent = "" }},
		{"the clip 5 in test has the label 2; there are 2 intents", func(s *Set) { s.Test[0].Label = 2 }},
		{"the clip 5 in test has the label -1", func(s *Set) { s.Test[0].Label = -1 }},
		{`no clip of train has the label 1, "part"`, func(s *Set) { s.Train[1].Label = 0 }},
		{"the speaker bob is in train and in test", func(s *Set) { s.Test[0].Speaker = "bob" }},
		{"a set of speech without a name: no clips in test", func(s *Set) { s.Name, s.Test = "", nil }},
	}
	for _, test := range tests {
		set := table()
		if err := set.Number(); err != nil {
			t.Fatal(err)
		}
		if err := set.Check(); err != nil {
			t.Fatal(err)
		}
		test.spoil(&set)
		if err := set.Check(); err == nil || !strings.Contains(err.Error(), test.says) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, test.says)
		}
	}
}

// Labels follow the given list or, without one, the first appearance in the training part.
func TestLabels_Order(t *testing.T) {
	tests := []struct {
		given, intents []string
		labels         []int
	}{
		{nil, []string{"greet", "part"}, []int{0, 1, 0, 1, 0}},
		{[]string{"joke", "part", "greet"}, []string{"joke", "part", "greet"}, []int{2, 1, 2, 1, 2}},
	}
	for _, test := range tests {
		set := table()
		set.Intents = test.given
		if err := set.Number(); err != nil {
			t.Fatal(err)
		}
		var labels []int
		for _, part := range set.Parts() {
			for _, u := range part.Utterances {
				labels = append(labels, u.Label)
			}
		}
		if !slices.Equal(set.Intents, test.intents) || !slices.Equal(labels, test.labels) {
			t.Errorf("got %v, %v, want set.Intents %v, labels %v", set.Intents, labels, test.intents, test.labels)
		}
	}
	set := table()
	set.Test[0].Intent = "joke"
	if err := set.Number(); err == nil || !strings.Contains(err.Error(), `clip 5 in test: the intent "joke" is not among the 2 known`) {
		t.Error(err)
	}
}

func TestSamples_NameFailure(t *testing.T) {
	clips := map[string]sound.Clip{"1": {Rate: 8000, Channels: [][]float32{{.5, 1}}}, "2": {Rate: 8000}}
	set := New(table(), func(u Utterance) (sound.Clip, error) {
		clip, ok := clips[u.ID]
		if !ok {
			return clip, errors.New("read 3.wav: the file is empty")
		}
		return clip, nil
	})
	samples, err := set.Samples(set.Train[0])
	if err != nil || !slices.Equal(samples, []float32{.5, 1}) || set.Converted() != nil {
		t.Errorf("got %v, %v, %v, want samples %v, set.Converted() nil",
			samples, err, set.Converted(), []float32{.5, 1})
	}
	for i, want := range map[int]string{1: "greetings, clip 2: it holds no sound; record it again, or remove it",
		2: "greetings, clip 3: read 3.wav: the file is empty"} {
		if _, err := set.Samples(set.Train[i]); err == nil || err.Error() != want {
			t.Errorf("%v, want %q", err, want)
		}
	}
	without := table()
	if _, err := without.Samples(without.Train[0]); err == nil || !strings.Contains(err.Error(), "speech.New") {
		t.Error(err)
	}
}

func TestConversions_ByClip(t *testing.T) {
	set := New(table(), func(u Utterance) (sound.Clip, error) {
		channel := []float32{.5, 1}
		if u.Speaker == "ann" {
			return sound.Clip{Rate: 8000, Channels: [][]float32{channel, channel}}, nil
		}
		return sound.Clip{Rate: 16000, Channels: [][]float32{channel}}, nil
	})
	for range 2 {
		for _, u := range set.Train {
			if _, err := set.Samples(u); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := []string{"16,000 Hz mono to 8,000 Hz mono: 1 clip", "8,000 Hz stereo to 8,000 Hz mono: 2 clips"}
	if !slices.Equal(set.Converted(), want) {
		t.Errorf("got %q, want %v", set.Converted(), want)
	}
}
