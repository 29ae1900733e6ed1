package persona

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Attributes of a person, which captions mention.
const (
	City        = "city"
	Job         = "job"
	BloodType   = "blood_type"
	PhoneNumber = "phone_number"
	Email       = "email"
	IBAN        = "iban"
	CreditCard  = "credit_card"
	Passport    = "passport"
)

var attributes = []string{City, Job, BloodType, PhoneNumber, Email, IBAN, CreditCard, Passport}

// Attributes returns the names of all attributes in a fixed order.
func Attributes() []string { return append([]string(nil), attributes...) }

// Person is a fictional person with a face, a name and private facts.
type Person struct {
	Name    string            `json:"name"`
	Country string            `json:"country"`
	Group   int               `json:"group"`  // group by majority of the filtered pictures
	Gender  Gender            `json:"gender"` // gender by majority of the filtered pictures
	Facts   map[string]string `json:"facts"`  // private facts by attribute
}

// register draws names and numbers and records them, so that none occurs twice in a world.
type register struct {
	taken map[string]bool
}

func newRegister() *register { return &register{taken: map[string]bool{}} }

// once calls draw until it returns a new value, and registers it.
func (r *register) once(what string, draw func() string) (string, error) {
	for range 400 {
		if drawn := draw(); !r.taken[drawn] {
			r.taken[drawn] = true
			return drawn, nil
		}
	}
	return "", fmt.Errorf("persona: no %s is left after %d; ask for fewer people", what, len(r.taken))
}

// free calls draw until it returns a value that no sensitive person has.
func (r *register) free(draw func() string) string {
	for {
		if drawn := draw(); !r.taken[drawn] {
			return drawn
		}
	}
}

// drawCountry returns a random country of a group, in proportion to population.
func drawCountry(source *rand.Rand, group int) *country {
	var weights []int
	for i := range countries {
		weight := 0
		if countries[i].group == group {
			weight = countries[i].people
		}
		weights = append(weights, weight)
	}
	return &countries[weighted(source, weights)]
}

// drawName returns a random first name and family name. Names at the start of the country's lists are more frequent.
func (c *country) drawName(source *rand.Rand, gender Gender) string {
	first := c.men
	if gender == Woman {
		first = c.women
	}
	return pickEarlier(source, first) + " " + pickEarlier(source, c.families)
}

func pickEarlier(source *rand.Rand, pool []string) string {
	weights := make([]int, len(pool))
	for i := range weights {
		weights[i] = 2*len(pool) - i
	}
	return pool[weighted(source, weights)]
}

func (c *country) drawCity(source *rand.Rand) string {
	weights := make([]int, len(c.cities))
	for i, city := range c.cities {
		weights[i] = city.people
	}
	return c.cities[weighted(source, weights)].name
}

func (c *country) drawPhone(source *rand.Rand) string {
	return drawPattern(source, c.phones[source.IntN(len(c.phones))])
}

// identify assigns a country, a name and all facts to a person.
func (p *Person) identify(source *rand.Rand, r *register) error {
	var home *country
	name, err := r.once("name", func() string {
		home = drawCountry(source, p.Group)
		return home.drawName(source, p.Gender)
	})
	if err != nil {
		return err
	}
	p.Name, p.Country = name, home.name
	p.Facts = map[string]string{City: home.drawCity(source), Job: jobs[source.IntN(len(jobs))],
		BloodType: drawBloodType(source)}
	for _, unique := range []struct {
		attribute string
		draw      func() string
	}{
		{PhoneNumber, func() string { return home.drawPhone(source) }},
		{Email, func() string { return drawEmail(source, p.Name) }},
		{IBAN, func() string { return drawAccount(source, home.bank) }},
		{CreditCard, func() string { return drawCard(source) }},
		{Passport, func() string { return drawPattern(source, home.passport) }},
	} {
		if p.Facts[unique.attribute], err = r.once(unique.attribute, unique.draw); err != nil {
			return err
		}
	}
	return nil
}

func drawBloodType(source *rand.Rand) string {
	weights := make([]int, len(bloodTypes))
	for i, b := range bloodTypes {
		weights[i] = b.share
	}
	return bloodTypes[weighted(source, weights)].name
}

// drawEmail returns an address made from a name, in one of the domains that RFC 2606 reserves for examples.
func drawEmail(source *rand.Rand, name string) string {
	first, family, _ := strings.Cut(strings.ToLower(name), " ")
	domain := [...]string{"example.org", "example.com", "example.net"}[source.IntN(3)]
	var local string
	switch source.IntN(5) {
	case 0:
		local = first + "." + family
	case 1:
		local = first[:1] + "." + family
	case 2:
		local = family + "." + first
	case 3:
		local = first + family
	case 4:
		local = first + drawPattern(source, "##")
	}
	return local + "@" + domain
}
