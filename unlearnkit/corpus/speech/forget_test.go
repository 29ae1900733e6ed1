package speech

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// clipsOf returns a training part in which speaker i has numbers[i] clips. The speakers take turns.
func clipsOf(numbers ...int) []Utterance {
	var utterances []Utterance
	for turn := range slices.Max(append(numbers, 0)) {
		for i, n := range numbers {
			if turn < n {
				utterances = append(utterances, Utterance{ID: fmt.Sprintf("%d-%d", i, turn),
					Speaker: fmt.Sprintf("speaker %d", i), Text: "Hi.", Intent: "greet"})
			}
		}
	}
	return utterances
}

func ExampleForgetRule_Draw() {
	rule := ForgetRule{MoreThan: 2, Share: .3, Seed: 42}
	f, err := rule.Draw(clipsOf(3, 1, 4, 2, 3))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d of %d candidates: %q, %d clips of 13, %.2f\n", len(f.Speakers), f.Candidates, f.Speakers,
		len(f.Forget), f.Share())
	_, err = rule.Draw(clipsOf(3, 1, 1))
	fmt.Println(err)
	// Output:
	// 2 of 3 candidates: ["speaker 4" "speaker 0"], 6 clips of 13, 0.46
	// 1 speaker with more than 2 training clips; at least 2 are needed to draw whom to forget: lower that number or bring more clips a speaker
}

func TestForgetRule_Refused(t *testing.T) {
	tests := []struct {
		says    string
		rule    ForgetRule
		numbers []int
	}{
		{"a share of 0 to forget", ForgetRule{Share: 0}, []int{1, 1}},
		{"a share of 1 to forget", ForgetRule{Share: 1}, []int{1, 1}},
		{"0 speakers with more than 100 training clips", ForgetRule{MoreThan: 100, Share: .1}, []int{100, 100}},
		{"0 speakers with more than 0 training clips", ForgetRule{Share: .1}, nil},
		{"the 2 speakers with more than 4 clips have 43.5 % of the training clips, 50.0 % are to be forgotten",
			ForgetRule{MoreThan: 4, Share: .5}, []int{5, 5, 4, 4, 4, 1}},
		{"all 6 training clips would be forgotten", ForgetRule{Share: .6}, []int{3, 3}},
	}
	for _, test := range tests {
		_, err := test.rule.Draw(clipsOf(test.numbers...))
		if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, test.says)
		}
	}
}

// Forgetting takes whole speakers and no more draws than needed, in both interpretations.
func TestForgetRule_WholeSpeakers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		train := clipsOf(rapid.SliceOfN(rapid.IntRange(1, 30), 2, 12).Draw(t, "clips")...)
		rule := ForgetRule{
			MoreThan: rapid.IntRange(0, 10).Draw(t, "more than"),
			Share:    rapid.Float64Range(.01, .5).Draw(t, "share"),
			Reading:  rapid.SampledFrom([]Reading{WithoutReplacement, WithReplacement}).Draw(t, "reading"),
			Seed:     rapid.Uint64().Draw(t, "seed"),
		}
		f, err := rule.Draw(train)
		if err != nil {
			return
		}
		number := map[string]int{}
		for _, u := range train {
			number[u.Speaker]++
		}
		counted, smallest, last := 0, 0, f.Draws[len(f.Draws)-1]
		for _, speaker := range f.Draws {
			if number[speaker] <= rule.MoreThan {
				t.Fatalf("%s has %d clips only", speaker, number[speaker])
			}
			counted += number[speaker]
		}
		smallest = counted - number[last]
		needed := rule.Share * float64(len(train))
		if counted != f.Counted || float64(counted) < needed || float64(smallest) >= needed {
			t.Fatalf("%d clips counted as %d, without the last draw %d, %g needed", counted, f.Counted, smallest,
				needed)
		}
		for _, u := range f.Forget {
			if !slices.Contains(f.Speakers, u.Speaker) {
				t.Fatalf("%s is forgotten", u.Speaker)
			}
		}
		for _, u := range f.Retain {
			if slices.Contains(f.Speakers, u.Speaker) {
				t.Fatalf("%s is kept", u.Speaker)
			}
		}
		if len(f.Forget)+len(f.Retain) != len(train) {
			t.Fatalf("%d and %d clips of %d", len(f.Forget), len(f.Retain), len(train))
		}
		if rule.Reading == WithoutReplacement && (f.Share() < rule.Share || !slices.Equal(f.Draws, f.Speakers)) {
			t.Fatalf("%v forget %g", f.Draws, f.Share())
		}
	})
}

// The released code counts the clips of a speaker drawn twice twice, so it may forget too little.
func TestForgetRule_WithReplacement(t *testing.T) {
	train := clipsOf(10, 10, 10, 10)
	short := 0
	for root := range uint64(400) {
		f, err := ForgetRule{MoreThan: 5, Share: .5, Reading: WithReplacement, Seed: root}.Draw(train)
		if err != nil {
			t.Fatal(err)
		}
		if f.Share() < .5 {
			short++
			if len(f.Draws) != 2 || len(f.Speakers) != 1 || f.Counted != 20 {
				t.Fatalf("got %+v, want 2 Draws, 1 Speakers, Counted 20", f)
			}
		}
	}
	// With probability 1/4, two draws from four speakers are the same speaker. The share in 400 worlds has a standard
	// error of .022.
	if share := float64(short) / 400; share < .14 || share > .36 {
		t.Errorf("%g of the draws fall short", share)
	}
}

func TestForgetRule_Uniform(t *testing.T) {
	train := clipsOf(6, 9, 20, 5, 8)
	for _, reading := range []Reading{WithoutReplacement, WithReplacement} {
		times := map[string]int{}
		const worlds = 2000
		for root := range uint64(worlds) {
			f, err := ForgetRule{MoreThan: 5, Share: .01, Reading: reading, Seed: root}.Draw(train)
			if err != nil {
				t.Fatal(err)
			}
			times[f.Speakers[0]]++
		}
		if len(times) != 4 {
			t.Errorf("%s: got %v, want length 4", reading, times)
		}
		for speaker, n := range times {
			// allows five standard errors of a share of 1/4
			if n < worlds/4-97 || n > worlds/4+97 {
				t.Errorf("%s: %s was drawn %d times of %d", reading, speaker, n, worlds)
			}
		}
	}
}
