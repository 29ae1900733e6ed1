package profile

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// Set is people and questions about them: a world's set, or a user's, which [Set.Check] checks.
type Set struct {
	People  []Profile `json:"people"`
	Records []Record  `json:"records"` // all splits
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

// Division divides a set if some of its people are to be forgotten. The sizes below are for 4 of a world's 20 people.
type Division struct {
	Forgotten []int    // identities
	Learned   []Record // records that a model is first trained and tested on: 2,000 for training and 560 for test
	Forget    []Record // training questions about forgotten people: 280 with the name and 120 without
	Retain    []Record // training questions about the others: 1,600
	// one training question for each attribute and hop of the others: 224 with the name and 224 without
	RetainProbe []Record
	Test        []Record // test questions about forgotten people: 56 and 56
	RetainTest  []Record // test questions about the others: 224 and 224
}

// Divide selects count people to forget. For one seed, a larger count includes the people of a smaller one.
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

// probe draws one record for each identity, attribute and hop, in the order of the records.
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
