package profilefolder

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
)

// count counts the questions of each split and the people of each set.
func (r *Report) count(f *Folder) {
	r.People = len(f.People)
	counts, people, attributes := map[profile.Split]*Count{}, map[profile.Split]map[int]bool{},
		map[profile.Split]map[profile.Attribute]bool{}
	for _, record := range f.Records {
		c := counts[record.Split]
		if c == nil {
			c = &Count{Split: record.Split}
			counts[record.Split] = c
			people[record.Split], attributes[record.Split] = map[int]bool{}, map[profile.Attribute]bool{}
		}
		if record.Hop == profile.Single {
			c.Single++
		} else {
			c.Multi++
		}
		people[record.Split][record.Identity] = true
		if record.Attribute != "" {
			attributes[record.Split][record.Attribute] = true
		}
	}
	order := []profile.Split{profile.Train, profile.Test}
	for _, split := range append(order, slices.Sorted(maps.Keys(counts))...) {
		c := counts[split]
		if c == nil || slices.ContainsFunc(r.Counts, func(other Count) bool { return other.Split == split }) {
			continue
		}
		c.People, c.Attributes = len(people[split]), len(attributes[split])
		r.Counts = append(r.Counts, *c)
	}
	sets := map[string]int{}
	for _, p := range f.People {
		for _, set := range p.Sets {
			sets[set]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(sets)) {
		r.Sets = append(r.Sets, SetSize{name, sets[name]})
	}
}

// countOf returns the count of a split, or a zero Count for an unknown split.
func (r *Report) countOf(split profile.Split) Count {
	for _, c := range r.Counts {
		if c.Split == split {
			return c
		}
	}
	return Count{}
}

// compare adds a warning if sizes differ from the published ones. ReMem's sizes follow from the percentages in its
// tables. The papers on FIUBench and MLLMU-Bench state theirs.
func (r *Report) compare() {
	train, test := r.countOf(profile.Train), r.countOf(profile.Test)
	want := map[Kind][]struct {
		what           string
		has, published int
	}{
		Rows: {{"people", r.People, 20}, {"questions of train that name the person", train.Single, 1400},
			{"questions of train that do not", train.Multi, 600}, {"questions of test", test.Single + test.Multi, 560},
			{"attributes", train.Attributes, 14}},
		FIUBench: {{"people", r.People, usedOfFIUBench},
			{"questions of train", train.Single + train.Multi, 20 * usedOfFIUBench}},
		MLLMU: {{"people in forget_5", r.peopleIn("forget_5"), 25}, {"people in forget_10", r.peopleIn("forget_10"), 50},
			{"people in forget_15", r.peopleIn("forget_15"), 75},
			{"people who are not public", r.People - r.peopleIn(publicFolder), 500}},
	}
	var others []string
	for _, number := range want[r.Kind] {
		if number.has != number.published {
			others = append(others, fmt.Sprintf("%s: %d, published were %d", number.what, number.has, number.published))
		}
	}
	if len(others) > 0 {
		r.Findings.Warning("it is not the published set: %s", strings.Join(others, "; "))
	}
}

// peopleIn returns the number of people in a named set.
func (r *Report) peopleIn(set string) int {
	for _, s := range r.Sets {
		if s.Name == set {
			return s.People
		}
	}
	return 0
}

// Name returns the name under which the store registers the data set.
func (r *Report) Name() string { return r.Kind.Name() }

// Usable reports whether the data set has no errors. Warnings are possible.
func (r *Report) Usable() bool { return r.OK }

// Write prints the report as text.
func (r *Report) Write(w io.Writer) {
	if r.Kind != "" {
		fmt.Fprintf(w, "%s in %s: %d people, %d pictures, %d of them decoded\n", r.Kind.Title(), r.Dir, r.People,
			r.Pictures, r.Seen)
	}
	if len(r.Counts) > 0 {
		fmt.Fprintf(w, "  %-14s %9s %9s %9s %10s\n", "questions", "single", "multi", "people", "attributes")
	}
	for _, c := range r.Counts {
		fmt.Fprintf(w, "  %-14s %9d %9d %9d %10d\n", c.Split, c.Single, c.Multi, c.People, c.Attributes)
	}
	for _, s := range r.Sets {
		fmt.Fprintf(w, "  in %-11s %29d\n", s.Name, s.People)
	}
	for _, dropped := range r.Dropped {
		fmt.Fprintf(w, "  without %s\n", dropped)
	}
	for _, finding := range r.Findings {
		fmt.Fprintln(w, finding)
	}
}
