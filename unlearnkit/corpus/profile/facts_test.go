package profile

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// Jobs, degrees and tags all take the same article.
func TestValues_SameArticle(t *testing.T) {
	var values []string
	for _, job := range trades {
		values = append(values, job.name)
	}
	for _, label := range financialTags {
		values = append(values, label.value)
	}
	for _, value := range append(values, degrees...) {
		if strings.ContainsRune("aeiou", rune(value[0])) || strings.HasSuffix(value, "s") {
			t.Errorf("a %s", value)
		}
	}
}

// No value is part of another value of the same attribute, except that male is part of female.
func TestValues_NotNested(t *testing.T) {
	w := standard()
	people := append(slices.Clone(w.Private.People), w.Public.People...)
	for _, a := range attributes {
		values := Values(people, a)
		for _, v := range values {
			for _, other := range values {
				if v != other && strings.Contains(strings.ToLower(other), strings.ToLower(v)) && v != "male" {
					t.Errorf("%s: %q is part of %q", a, v, other)
				}
			}
		}
		if len(values) < 3 {
			t.Errorf("%s has the values %v alone", a, values)
		}
	}
}

func TestRefusals(t *testing.T) {
	all := Refusals()
	if unique := slices.Compact(slices.Sorted(slices.Values(all))); len(unique) < 20 || len(unique) != len(all) {
		t.Errorf("%d refusals, %d of them different", len(all), len(unique))
	}
	for _, text := range all {
		if !metric.IsRefusal(text) {
			t.Errorf("%q does not pass for a refusal", text)
		}
	}
}

func TestProfiles_Consistent(t *testing.T) {
	formats := map[Attribute]*regexp.Regexp{
		Email:       regexp.MustCompile(`^[a-z0-9.]+@example\.com$`),
		PhoneNumber: regexp.MustCompile(`^555-\d{3}-\d{4}$`),
		DateOfBirth: regexp.MustCompile(`^(19|20)\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d)$`),
		Address:     regexp.MustCompile(`^[1-9]\d\d [A-Z][a-z]+ [A-Z][a-z]+$`),
		Salary:      regexp.MustCompile(`^[1-9]\d{4}$`),
	}
	rapid.Check(t, func(t *rapid.T) {
		c := undrawn(t)[0]
		for i, p := range c.People {
			if got := slices.Sorted(maps.Keys(p.Facts)); len(got) != len(attributes) {
				t.Fatalf("facts %v", got)
			}
			for a, format := range formats {
				if !format.MatchString(p.Facts[a]) {
					t.Fatalf("got %s %q, want format.MatchString(p.Facts[a]) true", a, p.Facts[a])
				}
			}
			first, family, _ := strings.Cut(strings.ToLower(p.Name()), " ")
			if !strings.Contains(p.Facts[Email], first) && !strings.Contains(p.Facts[Email], family) {
				t.Fatalf("%s has the address %s", p.Name(), p.Facts[Email])
			}
			year, _ := strconv.Atoi(p.Facts[DateOfBirth][:4])
			consistent(t, p, currentYear-year)
			if c.sitters[i].HairColour() == "grey" && currentYear-year < greyAge {
				t.Fatalf("%s is grey and born in %d", p.Name(), year)
			}
		}
	})
}

// consistent checks that the facts of a profile go together.
func consistent(t *rapid.T, p Profile, age int) {
	degree := slices.Index(degrees, p.Facts[Education])
	job := trades[slices.IndexFunc(trades, func(j trade) bool { return j.name == p.Facts[Job] })]
	if degree < job.least || degree > job.most || age < degreeAges[degree] {
		t.Fatalf("%s of %d with a %s", job.name, age, p.Facts[Education])
	}
	salary, _ := strconv.Atoi(p.Facts[Salary])
	if salary < 1000*job.lowest || salary >= 1000*(job.usual+1) {
		t.Fatalf("%s earns %d", job.name, salary)
	}
	for a, table := range map[Attribute][]aged{MaritalStatus: maritalStatuses, MedicalCondition: medicalConditions} {
		fits := slices.ContainsFunc(table, func(v aged) bool {
			return v.value == p.Facts[a] && v.least <= age && age <= v.most
		})
		if !fits {
			t.Fatalf("%s at %d", p.Facts[a], age)
		}
	}
	given := func(l tag) bool { return l.value == p.Facts[FinancialTag] }
	label := financialTags[slices.IndexFunc(financialTags, given)]
	if age < label.least || age > label.most || salary < 1000*label.salary || degree < label.degree {
		t.Fatalf("a %s of %d who earns %d", label.value, age, salary)
	}
}
