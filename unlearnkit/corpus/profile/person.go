package profile

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
)

// currentYear is the year of the profiles. Ages are computed for the end of this year.
const currentYear = 2025

// register is the set of values that must be unique in a world.
type register map[string]bool

func (r register) once(what string, draw func() string) (string, error) {
	for range 400 {
		if drawn := draw(); !r[drawn] {
			r[drawn] = true
			return drawn, nil
		}
	}
	return "", fmt.Errorf("profile: no %s is left after %d values; ask for fewer people", what, len(r))
}

// deck is a shuffled list from which values are dealt. If possible, all values are dealt once before any is repeated.
type deck[T any] struct {
	all, left []T
	source    *rand.Rand
}

func newDeck[T any](source *rand.Rand, all []T) *deck[T] { return &deck[T]{all: all, source: source} }

// deal returns the first remaining value that fits. The deck must contain one.
func (d *deck[T]) deal(fits func(T) bool) T {
	for {
		for i, value := range d.left {
			if fits(value) {
				d.left = append(d.left[:i:i], d.left[i+1:]...)
				return value
			}
		}
		round := make([]T, len(d.all))
		for i, from := range d.source.Perm(len(d.all)) {
			round[i] = d.all[from]
		}
		d.left = append(d.left, round...)
	}
}

// registry generates the profiles of a cast.
type registry struct {
	source  *rand.Rand
	taken   register
	trades  *deck[trade]
	marital *deck[aged]
	faiths  *deck[string]
	illness *deck[aged]
	tags    *deck[tag]
	births  *deck[int] // first years of nine-year ranges of birth years
}

func newRegistry(source *rand.Rand, taken register) *registry {
	return &registry{source: source, taken: taken,
		trades:  newDeck(source, trades),
		marital: newDeck(source, maritalStatuses),
		faiths:  newDeck(source, religions),
		illness: newDeck(source, medicalConditions),
		tags:    newDeck(source, financialTags),
		births:  newDeck(source, []int{1960, 1969, 1978, 1987, 1996}),
	}
}

// greyAge is the minimum age of people with grey hair.
const greyAge = 40

// write returns a profile for a person with the look of s.
func (r *registry) write(s persona.Sitter) (Profile, error) {
	facts := map[Attribute]string{}
	var country string
	name, err := r.taken.once("name", func() (name string) {
		name, country = persona.DrawName(r.source, s.Group(), s.Gender())
		return name
	})
	if err != nil {
		return Profile{}, err
	}
	facts[FullName], facts[Ethnicity], facts[Gender] = name, ethnicities[country], r.gender(s)
	age := r.birth(facts, s.HairColour() == "grey")
	job := r.trades.deal(func(t trade) bool { return degreeAges[t.least] <= age })
	degree := job.least
	for next := degree + 1; next <= job.most && degreeAges[next] <= age && r.source.IntN(2) == 0; next++ {
		degree = next
	}
	facts[Job], facts[Education] = job.name, degrees[degree]
	suits := func(a aged) bool { return a.least <= age && age <= a.most }
	facts[MaritalStatus] = r.marital.deal(suits).value
	facts[Religion] = r.faiths.deal(func(string) bool { return true })
	facts[MedicalCondition] = r.illness.deal(suits).value
	salary := r.salary(job, age)
	facts[FinancialTag] = r.tags.deal(func(t tag) bool {
		return t.least <= age && age <= t.most && salary >= 1000*t.salary && degree >= t.degree
	}).value
	for _, unique := range []struct {
		attribute Attribute
		draw      func() string
	}{
		{Salary, func() string { return strconv.Itoa(salary + 10*r.source.IntN(100)) }},
		{Email, func() string { return r.email(name) }},
		{PhoneNumber, func() string {
			return fmt.Sprintf("555-%03d-%04d", 200+r.source.IntN(800), r.source.IntN(10000))
		}},
		{Address, r.address},
	} {
		if facts[unique.attribute], err = r.taken.once(string(unique.attribute), unique.draw); err != nil {
			return Profile{}, err
		}
	}
	return Profile{Facts: facts}, nil
}

// gender returns the gender that the look shows or, for about one person in ten, "non-binary".
func (r *registry) gender(s persona.Sitter) string {
	switch {
	case r.source.IntN(10) == 0:
		return "non-binary"
	case s.Gender() == persona.Woman:
		return "female"
	}
	return "male"
}

// birth draws a unique date of birth, stores it in facts and returns the age.
func (r *registry) birth(facts map[Attribute]string, grey bool) (age int) {
	first := r.births.deal(func(y int) bool { return !grey || y+8 <= currentYear-greyAge })
	for {
		year := first + r.source.IntN(9)
		date := fmt.Sprintf("%d-%02d-%02d", year, 1+r.source.IntN(12), 1+r.source.IntN(28))
		if !r.taken[date] {
			r.taken[date] = true
			facts[DateOfBirth] = date
			return currentYear - year
		}
	}
}

// salary returns a random salary for a job, in whole thousands. The largest possible salary grows with age.
func (r *registry) salary(job trade, age int) int {
	span := job.usual - job.lowest
	most := job.lowest + span*min(30, age-15)/30
	return 1000 * (job.lowest + r.source.IntN(most-job.lowest+1))
}

// email returns an address made from a name in the domain example.com, which RFC 2606 reserves for examples.
func (r *registry) email(name string) string {
	first, family, _ := strings.Cut(strings.ToLower(strings.ReplaceAll(name, "'", "")), " ")
	number := 10 + r.source.IntN(90)
	var local string
	switch r.source.IntN(4) {
	case 0:
		local = first + "." + family
	case 1:
		local = fmt.Sprintf("%s.%s%d", first[:1], family, number)
	case 2:
		local = family + "." + first
	case 3:
		local = fmt.Sprintf("%s%d", first, number)
	}
	return local + "@example.com"
}

func (r *registry) address() string {
	return fmt.Sprintf("%d %s %s", 100+r.source.IntN(900), streetNames[r.source.IntN(len(streetNames))],
		streetKinds[r.source.IntN(len(streetKinds))])
}
