package profile

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Set is a group of people with questions about them, from a generated world or from a user. [Set.Check] checks a
// user's set.
type Set struct {
	People  []Profile `json:"people"`
	Records []Record  `json:"records"` // questions of all splits
}

// Of returns the records of a split.
func (s *Set) Of(split Split) []Record {
	return s.where(func(r Record) bool { return r.Split == split })
}

func (s *Set) where(keep func(Record) bool) []Record {
	var kept []Record
	for _, r := range s.Records {
		if keep(r) {
			kept = append(kept, r)
		}
	}
	return kept
}

// Division divides a set into people to forget and people to retain. The sizes below are for 4 of a world's 20 people.
type Division struct {
	Forgotten []int    // indices of the people to forget
	Learned   []Record // all 2,000 training and 560 test questions, learned before unlearning
	Forget    []Record // training questions about people to forget: 280 name the person and 120 do not
	Retain    []Record // training questions about the other people: 1,600
	// one training question for each other person, attribute and hop: 224 name the person and 224 do not
	RetainProbe []Record
	Test        []Record // test questions about people to forget: 56 of each hop
	RetainTest  []Record // test questions about the other people: 224 of each hop
}

// Divide chooses count people to forget. With the same seed, a larger count includes the people of a smaller one.
func (s *Set) Divide(root uint64, count int) (Division, error) {
	if count < 1 || count >= len(s.People) {
		return Division{}, fmt.Errorf("profile: cannot forget %d of %d people; choose 1 to %d", count, len(s.People),
			len(s.People)-1)
	}
	d := Division{Forgotten: seed.Stream(root, "profile", "forgotten").Perm(len(s.People))[:count]}
	forgotten := func(r Record) bool { return slices.Contains(d.Forgotten, r.Identity) }
	d.Learned = s.where(func(r Record) bool { return r.Split == Train || r.Split == Test })
	d.Forget = s.where(func(r Record) bool { return r.Split == Train && forgotten(r) })
	d.Retain = s.where(func(r Record) bool { return r.Split == Train && !forgotten(r) })
	d.Test = s.where(func(r Record) bool { return r.Split == Test && forgotten(r) })
	d.RetainTest = s.where(func(r Record) bool { return r.Split == Test && !forgotten(r) })
	d.RetainProbe = probe(d.Retain, seed.Stream(root, "profile", "probe"))
	return d, nil
}

// probe selects one random record for each person, attribute and hop, in the order of the records.
func probe(records []Record, source *rand.Rand) []Record {
	type cell struct {
		identity  int
		attribute Attribute
		hop       Hop
	}
	chosen, seen := map[cell]int{}, map[cell]int{}
	for i, r := range records {
		c := cell{r.Identity, r.Attribute, r.Hop}
		seen[c]++
		if source.IntN(seen[c]) == 0 {
			chosen[c] = i
		}
	}
	var drawn []Record
	for i, r := range records {
		if chosen[cell{r.Identity, r.Attribute, r.Hop}] == i {
			drawn = append(drawn, r)
		}
	}
	return drawn
}
