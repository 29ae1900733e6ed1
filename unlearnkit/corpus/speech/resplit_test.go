package speech

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func ExampleSet_Resplit() {
	set := Set{Name: "small", Rate: 8000, Train: clipsOf(8, 7, 3), Test: clipsOf(0, 0, 0, 3, 1)}
	if err := set.Number(); err != nil {
		fmt.Println(err)
		return
	}
	again, dropped, err := set.Resplit(TrainShare, ValidationShare)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, part := range again.Parts() {
		fmt.Printf("%s: %q, %d clips\n", part.Name, Speakers(part.Utterances), len(part.Utterances))
	}
	fmt.Println(len(dropped), "dropped")
	// Output:
	// train: ["speaker 0" "speaker 1" "speaker 2"], 18 clips
	// validation: ["speaker 3"], 3 clips
	// test: ["speaker 4"], 1 clips
	// 0 dropped
}

// oracle assigns speakers to parts like the paper's code, which goes through the clips instead of the speakers.
func oracle(all []Utterance, train, validation float64) map[string]string {
	part := map[string]string{}
	rows := map[string]int{}
	for _, u := range all {
		if part[u.Speaker] != "" {
			continue
		}
		part[u.Speaker] = "test"
		if float64(rows["train"]) < train*float64(len(all)) {
			part[u.Speaker] = "train"
		} else if float64(rows["validation"]) < validation*float64(len(all)) {
			part[u.Speaker] = "validation"
		}
		for _, other := range all {
			if other.Speaker == u.Speaker {
				rows[part[u.Speaker]]++
			}
		}
	}
	return part
}

func TestResplit_WholeSpeakers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := clipsOf(rapid.SliceOfN(rapid.IntRange(1, 9), 2, 20).Draw(t, "clips")...)
		for i := range all {
			all[i].Intent = rapid.SampledFrom([]string{"greet", "part", "joke"}).Draw(t, "intent")
		}
		cut := rapid.IntRange(1, len(all)).Draw(t, "train")
		set := Set{Name: "any", Rate: 8000, Intents: []string{"joke", "greet", "part"}, Train: all[:cut],
			Test: all[cut:]}
		if err := set.Number(); err != nil {
			t.Fatal(err)
		}
		again, dropped, err := set.Resplit(TrainShare, ValidationShare)
		if err != nil {
			if !strings.Contains(err.Error(), "do not fill three parts") {
				t.Fatal(err)
			}
			return
		}
		var known []Utterance
		for i, u := range all {
			if i < cut || slices.ContainsFunc(all[:cut], func(v Utterance) bool { return v.Intent == u.Intent }) {
				known = append(known, u)
			}
		}
		want := oracle(known, TrainShare, ValidationShare)
		total := len(dropped)
		for _, part := range again.Parts() {
			total += len(part.Utterances)
			for _, u := range part.Utterances {
				if want[u.Speaker] != part.Name || again.Intents[u.Label] != u.Intent {
					t.Fatalf("%+v in %s, want %s", u, part.Name, want[u.Speaker])
				}
			}
		}
		if total != len(all) {
			t.Fatalf("%d clips of %d", total, len(all))
		}
	})
}

// Resplit drops intents that the training part lacks, and keeps wrong labels.
func TestResplit_UnknownIntents(t *testing.T) {
	train := clipsOf(4, 4, 1, 1)
	train[0].Intent = "part"
	train[len(train)-1].Intent = "part"
	set := Set{Name: "noisy", Rate: 8000, Train: train, Test: []Utterance{
		{ID: "t", Speaker: "z", Text: "Ha!", Intent: "joke"}, {ID: "u", Speaker: "z", Text: "Hi.", Intent: "greet"}}}
	set.Intents = []string{"greet", "part", "joke"}
	if err := set.Number(); err != nil {
		t.Fatal(err)
	}
	set.Train[1].Label = 1 // wrong label; the intent is still "greet"
	again, dropped, err := set.Resplit(.7, .1)
	if err != nil {
		t.Fatal(err)
	}
	if len(dropped) != 1 || dropped[0].ID != "t" || !slices.Equal(again.Intents, []string{"part", "greet"}) {
		t.Errorf("%v dropped, %v", dropped, again.Intents)
	}
	for _, part := range again.Parts() {
		for _, u := range part.Utterances {
			want := u.Intent
			if u.ID == set.Train[1].ID {
				want = "part"
			}
			if again.Intents[u.Label] != want {
				t.Errorf("%+v in %s", u, part.Name)
			}
		}
	}
	if _, _, err := set.Resplit(.9, .1); err == nil || !strings.Contains(err.Error(), "leave some of 1 for test") {
		t.Error(err)
	}
	set.Test, set.Train = nil, clipsOf(9, 1)
	_, _, err = set.Resplit(.8, .1)
	if err == nil || !strings.Contains(err.Error(), "2 speakers with 10 clips do not") {
		t.Error(err)
	}
}
