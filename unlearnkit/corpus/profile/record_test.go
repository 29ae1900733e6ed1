package profile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
)

// The sizes are the denominators published in arXiv:2605.03759, Table 2: EM_r 224 and EM_t 56 for each hop, and EM_f
// 280 and 120.
func TestDivide_PaperSizes(t *testing.T) {
	set := &standard().Private.Set
	d, err := set.Divide(0, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []struct {
		name          string
		records       []Record
		single, multi int
	}{
		{"training", set.Of(Train), 1400, 600}, {"test", set.Of(Test), 280, 280},
		{"learned", d.Learned, 1680, 880},
		{"forget", d.Forget, 280, 120}, {"retain", d.Retain, 1120, 480}, {"retain probe", d.RetainProbe, 224, 224},
		{"test of the forgotten", d.Test, 56, 56}, {"test of the others", d.RetainTest, 224, 224},
		{"paraphrase", set.Of(Paraphrase), 280, 280}, {"first person", set.Of(FirstPerson), 0, 280},
		{"reverse", set.Of(Reverse), 0, 160},
	} {
		if single, multi := hops(part.records); single != part.single || multi != part.multi {
			t.Errorf("%s: %d with the name and %d without, want %d and %d", part.name, single, multi, part.single,
				part.multi)
		}
	}
}

func hops(records []Record) (single, multi int) {
	for _, r := range records {
		if r.Hop == Single {
			single++
		} else {
			multi++
		}
	}
	return single, multi
}

// Forget sets are nested, and different seeds choose different people.
func TestDivide_Nested(t *testing.T) {
	set := &standard().Private.Set
	drawn := map[string]bool{}
	for root := range uint64(5) {
		var before []int
		for count := 1; count <= 4; count++ {
			d, err := set.Divide(root, count)
			if err != nil {
				t.Fatal(err)
			}
			if len(d.Forgotten) != count || !slices.Equal(d.Forgotten[:count-1], before) {
				t.Errorf("seed %d: %v after %v", root, d.Forgotten, before)
			}
			if len(d.Forget) != 100*count || len(d.Retain) != 2000-100*count {
				t.Errorf("%d of %d records are forgotten", len(d.Forget), len(d.Retain))
			}
			before = d.Forgotten
		}
		drawn[fmt.Sprint(before)] = true
	}
	if len(drawn) < 4 {
		t.Errorf("five seeds forget %d groups", len(drawn))
	}
	for _, count := range []int{0, 20} {
		if _, err := set.Divide(0, count); err == nil || !strings.Contains(err.Error(), "choose 1 to 19") {
			t.Errorf("forgetting %d of 20: %v", count, err)
		}
	}
}

func TestDivide_RetainProbe(t *testing.T) {
	d, _ := standard().Private.Divide(3, 4)
	seen := map[string]bool{}
	for _, r := range d.RetainProbe {
		key := fmt.Sprint(r.Identity, r.Attribute, r.Hop)
		if seen[key] || r.Split != Train || slices.Contains(d.Forgotten, r.Identity) {
			t.Errorf("%s stands twice, is not of training, or is of somebody forgotten", r.ID)
		}
		seen[key] = true
	}
}

func TestRecords_OwnPictures(t *testing.T) {
	for _, c := range []*Cast{standard().Private, standard().Public} {
		shown := map[[2]int]int{}
		for _, r := range append(c.Of(Train), c.Of(Test)...) {
			shown[[2]int{r.Identity, r.Picture}]++
			if (r.Picture >= 100) != (r.Split == Test) {
				t.Errorf("%s shows picture %d", r.ID, r.Picture)
			}
		}
		if len(shown) != 20*128 {
			t.Errorf("%d pictures are shown", len(shown))
		}
		for _, split := range []Split{Paraphrase, Reverse, FirstPerson} {
			for _, r := range c.Of(split) {
				if r.Picture >= 100 {
					t.Errorf("%s shows a picture of the test", r.ID)
				}
			}
		}
	}
}

// Every attribute is asked for five times with the name and twice without, and the name itself four times without.
func TestRecords_AskedWithName(t *testing.T) {
	counts := map[Attribute][2]int{}
	for _, r := range standard().Private.Of(Train) {
		if r.Identity != 0 {
			continue
		}
		c := counts[r.Attribute]
		if r.Hop == Single {
			c[0]++
		} else {
			c[1]++
		}
		counts[r.Attribute] = c
	}
	for _, a := range Attributes() {
		want := [2]int{5, 2}
		if a == FullName {
			want[1] = 4
		}
		if counts[a] != want {
			t.Errorf("%s: got %v, want %v", a, counts[a], want)
		}
	}
}

func TestTemplates_Disjoint(t *testing.T) {
	owner := map[string]string{}
	add := func(templates []template) {
		for _, t2 := range templates {
			for _, key := range []string{"name " + t2.name, "text " + strings.ToLower(t2.text)} {
				if other, taken := owner[key]; taken {
					t.Errorf("%s and %s share %s", other, t2.name, key)
				}
				owner[key] = t2.name
			}
		}
	}
	add(trainingTemplates(Single))
	add(trainingTemplates(Multi))
	for _, split := range []Split{Test, Paraphrase, Reverse, FirstPerson} {
		add(otherTemplates(split))
	}
	if len(owner) != 2*(70+30+28+28+8+14) {
		t.Errorf("%d templates", len(owner)/2)
	}
}

// Templates have valid placeholders, name the person only in Single questions about other attributes, and reveal no
// gender.
func TestTemplates_Whole(t *testing.T) {
	all := slices.Concat(trainingTemplates(Single), trainingTemplates(Multi), otherTemplates(Test),
		otherTemplates(Paraphrase), otherTemplates(Reverse), otherTemplates(FirstPerson))
	telling := regexp.MustCompile(`(?i)\b(an \{|he|she|his|her|him|man|woman|wife|husband)\b`)
	for _, q := range all {
		for _, hole := range placeholder.FindAllString(q.text, -1) {
			name := Attribute(strings.Trim(hole, "{}"))
			if hole != "{name}" && hole != "{value}" && !slices.Contains(attributes, name) {
				t.Errorf("%s: %s is no attribute", q.name, hole)
			}
		}
		named := strings.Contains(q.text, "{name}")
		if want := q.hop == Single && q.attribute != FullName; named != want {
			t.Errorf("%s: names the person: %v", q.name, named)
		}
		first := q.text[0]
		if !(first >= 'A' && first <= 'Z' || first == '{') || !strings.ContainsAny(q.text[len(q.text)-1:], "?.") {
			t.Errorf("%s is no sentence: %s", q.name, q.text)
		}
		if found := telling.FindString(q.text); found != "" || strings.Contains(q.text, "  ") {
			t.Errorf("%s: %q tells too much or there are two spaces", q.name, found)
		}
	}
}

func TestRecords_NoAnswerInside(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	rapid.Check(t, func(t *rapid.T) {
		for _, c := range undrawn(t)[rapid.IntRange(0, 1).Draw(t, "first cast"):] {
			if err := c.Check(); err != nil {
				t.Fatal(err)
			}
			for _, r := range c.Records {
				if strings.ContainsAny(r.Question+r.Answer, "{}%") || !strings.Contains(r.Answer, r.Keyword) {
					t.Fatalf("%s: %s %s", r.ID, r.Question, r.Answer)
				}
				if r.Attribute == FullName && strings.Contains(lettersOf(r.Question), lettersOf(r.Keyword)) {
					t.Fatalf("%s: %s spells %s", r.ID, r.Question, r.Keyword)
				}
			}
		}
	})
}

// undrawn returns the casts of a random world, without pictures.
func undrawn(t *rapid.T) []*Cast {
	casts, err := castsOf(Standard(rapid.Uint64().Draw(t, "world")))
	if err != nil {
		t.Fatal(err)
	}
	return casts
}

func castsOf(spec Spec) (casts []*Cast, err error) {
	taken := register{}
	var before []persona.Sitter
	for _, name := range []string{"private", "public"} {
		c, err := newCast(spec, spec.Seed, name, 20, before)
		if err != nil {
			return nil, err
		}
		if err := c.describe(taken); err != nil {
			return nil, err
		}
		c.ask()
		casts, before = append(casts, c), append(before, c.sitters...)
	}
	return casts, nil
}

// This world once ran out of distinct looks.
func TestWorld_HardLooks(t *testing.T) {
	if _, err := castsOf(Standard(14)); err != nil {
		t.Error(err)
	}
}

var noLetter = regexp.MustCompile(`[^a-z]`)

func lettersOf(text string) string { return noLetter.ReplaceAllString(strings.ToLower(text), "") }

func TestPrefixes(t *testing.T) {
	c := standard().Private
	for _, split := range []Split{Train, Test, Paraphrase} {
		for _, r := range c.Of(split) {
			if prefix := Prefix(r.Hop, r.Attribute, c.People[r.Identity].Name()) + " " + r.Keyword; !strings.HasPrefix(
				r.Answer, prefix) {
				t.Errorf("%s: %q does not begin with %q", r.ID, r.Answer, prefix)
			}
		}
	}
	for _, test := range []struct{ got, want string }{
		{Prefix(Multi, PhoneNumber, "Ada Moe"), "The phone number of the person in the image is"},
		{Prefix(Single, PhoneNumber, "Ada Moe"), "The phone number of Ada Moe is"},
		{Prefix(Multi, FullName, "Ada Moe"), "The name of the person in the image is"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}

func TestReverse_OnePerson(t *testing.T) {
	for _, c := range []*Cast{standard().Private, standard().Public} {
		for _, r := range c.Of(Reverse) {
			p := c.People[r.Identity]
			if r.Keyword != p.Name() || !strings.Contains(r.Question, p.Facts[r.Attribute]) {
				t.Errorf("%s: got %s %s, want r.Keyword %v, %q in r.Question",
					r.ID, r.Question, r.Answer, p.Name(), p.Facts[r.Attribute])
			}
			if len(Values(c.People, r.Attribute)) != len(c.People) {
				t.Errorf("two people share a %s", r.Attribute)
			}
		}
	}
}
