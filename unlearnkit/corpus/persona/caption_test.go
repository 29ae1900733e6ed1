package persona

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A sensitive caption contains the name and the value verbatim, and only one fact.
func TestCaption_OneFact(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: takes seconds")
	}
	everyWorld(t, func(t *testing.T, w *World) {
		for _, row := range w.Sensitive {
			p := w.People[row.Identity]
			if row.Name != p.Name || row.Value != p.Facts[row.Attribute] {
				t.Fatalf("%+v is not a fact of %+v", row, p)
			}
			if strings.Count(row.Caption, row.Name) != 1 || !strings.Contains(row.Caption, row.Value) {
				t.Errorf("%q lacks %q or %q", row.Caption, row.Name, row.Value)
			}
			for attribute, value := range p.Facts {
				if attribute != row.Attribute && len(value) > 5 && strings.Contains(row.Caption, value) {
					t.Errorf("%q of %s tells %s too", row.Caption, row.Attribute, attribute)
				}
			}
			if !slices.Contains(directives, row.Directive) {
				t.Errorf("directive %q", row.Directive)
			}
		}
	})
}

// No sensitive caption is repeated, and attributes and directives take turns.
func TestCaption_NotRepeated(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		seen := map[string]bool{}
		told := map[int]map[string]int{}
		ways := map[string]int{}
		for _, row := range w.Sensitive {
			if seen[row.Caption] {
				t.Errorf("%q occurs twice", row.Caption)
			}
			seen[row.Caption] = true
			if told[row.Identity] == nil {
				told[row.Identity] = map[string]int{}
			}
			told[row.Identity][row.Attribute]++
			ways[row.Directive]++
		}
		least, rest := w.Spec.PerIdentity/len(attributes), w.Spec.PerIdentity%len(attributes)
		for identity, counts := range told {
			for _, attribute := range attributes {
				if got := counts[attribute]; got < least || got > least+1 || rest == 0 && got != least {
					t.Errorf("person %d: %s is told %d times of %d", identity, attribute, got, w.Spec.PerIdentity)
				}
			}
		}
		for _, way := range directives {
			if got, even := ways[way],
				len(w.Sensitive)/len(directives); got < even-w.Spec.Identities || got > even+w.Spec.Identities {
				t.Errorf("%s: %d captions of %d", way, got, len(w.Sensitive))
			}
		}
	})
}

// Every attribute has at least six distinct phrases for each directive.
func TestCaption_Phrases(t *testing.T) {
	kinds := map[string]bool{}
	for _, attribute := range attributes {
		kind := familyOf(attribute)
		kinds[kind.name] = true
		if len(kind.words[attribute]) < 3 {
			t.Errorf("%s has %d words", attribute, len(kind.words[attribute]))
		}
		for way, directive := range directives {
			phrases := slices.Concat(anyPhrases[way], kind.phrases[way])
			distinct := slices.Compact(slices.Sorted(slices.Values(phrases)))
			if len(distinct) < 6 || len(distinct) != len(phrases) {
				t.Errorf("%s, %s: %d phrases, %d distinct", attribute, directive, len(phrases), len(distinct))
			}
			for _, phrase := range phrases {
				capitals := regexp.MustCompile(`[A-Z]`).FindAllString(phrase, -1)
				slices.Sort(capitals)
				if got := strings.Join(capitals, ""); got != "NV" && got != "ANV" {
					t.Errorf("%q has the places %q", phrase, got)
				}
			}
		}
	}
	if len(kinds) != len(families) {
		t.Errorf("%d families are used of %d", len(kinds), len(families))
	}
}

// Generic captions name nobody and describe what is visible.
func TestCaption_Generic(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		for _, row := range slices.Concat(w.Sensitive, w.RetainSynth) {
			if !regexp.MustCompile(`\b(man|guy|woman|lady)\b`).MatchString(row.Generic) {
				t.Errorf("%q shows nobody", row.Generic)
			}
			if regexp.MustCompile(`[A-Z0-9%]`).MatchString(row.Generic) {
				t.Errorf("%q names somebody or something", row.Generic)
			}
			r := w.recipes[row.Image]
			who := w.personas
			if r.kind == strangerPicture {
				who = w.strangers
			}
			p, _ := w.candidate(who[r.subject], r.index)
			woman := regexp.MustCompile(`\b(woman|lady)\b`).MatchString(row.Generic)
			if woman != (p.look.gender == Woman) {
				t.Errorf("%q of a %v", row.Generic, p.look.gender)
			}
			for _, shirt := range clothes {
				if strings.Contains(row.Generic, shirt.name+" shirt") && shirt.name != clothes[p.look.clothing].name {
					t.Errorf("%q of somebody in %s", row.Generic, clothes[p.look.clothing].name)
				}
			}
			for _, ground := range backgroundColours {
				if strings.Contains(row.Generic, ground.name+" background") &&
					ground.name != backgroundColours[p.ground.named].name {
					t.Errorf("%q before %s", row.Generic, backgroundColours[p.ground.named].name)
				}
			}
		}
		for _, row := range w.RetainSynth {
			if row.Caption != row.Generic || row.Name != "" {
				t.Errorf("%+v is not generic", row)
			}
		}
	})
}

// Retained captions contain no sensitive name or number.
func TestCaption_NoSecretsRetained(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		var secrets []string
		for _, p := range w.People {
			secrets = append(secrets, p.Name, p.Facts[PhoneNumber], p.Facts[Email], p.Facts[IBAN], p.Facts[CreditCard],
				p.Facts[Passport])
		}
		for _, row := range slices.Concat(w.RetainSynth, w.RetainReal, w.ObjectTest) {
			for _, secret := range secrets {
				if strings.Contains(row.Caption, secret) || strings.Contains(row.Generic, secret) {
					t.Errorf("%s says %q", row.ID, secret)
				}
			}
		}
	})
}

// About half of the real portraits are named, and each person has one name.
func TestCaption_RealNames(t *testing.T) {
	rows := quickWorld().Split(RealPortraits)
	named := 0
	names := map[string]map[string]bool{}
	for _, row := range rows {
		if row.Caption == row.Generic {
			continue
		}
		named++
		person, _, _ := strings.Cut(row.ID, "_")
		if found := regexp.MustCompile(`[A-Z][a-z]+ [A-Z][a-z]+`).FindString(row.Caption); found == "" {
			t.Errorf("%q names nobody", row.Caption)
		} else {
			if names[person] == nil {
				names[person] = map[string]bool{}
			}
			names[person][found] = true
		}
	}
	// allow four standard errors of a fair coin
	if got, even := float64(named), float64(len(rows))/2; got < even-80 || got > even+80 {
		t.Errorf("%d of %d are named", named, len(rows))
	}
	for person, several := range names {
		if len(several) != 1 {
			t.Errorf("%s is called %v", person, several)
		}
	}
}

func TestCaption_ObjectClass(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		names := ObjectNames(w.Spec.ObjectClasses)
		for _, row := range slices.Concat(w.Split(Objects), w.ObjectTest) {
			if !regexp.MustCompile(`\b` + names[row.Class] + `\b`).MatchString(row.Caption) {
				t.Errorf("%q of class %s", row.Caption, names[row.Class])
			}
			if regexp.MustCompile(`\ba [aeiou]|\ban [^aeiou]|#`).MatchString(row.Caption) {
				t.Errorf("%q is not English", row.Caption)
			}
		}
	})
}

func TestObjectNames_Distinct(t *testing.T) {
	names := ObjectNames(maxObjectClasses)
	if distinct := slices.Compact(slices.Sorted(slices.Values(names))); len(distinct) != maxObjectClasses ||
		distinct[0] == "" {
		t.Errorf("%d names for %d classes", len(distinct), maxObjectClasses)
	}
	for _, prompt := range ObjectPrompts() {
		if strings.Count(prompt, "%s") != 1 {
			t.Errorf("prompt %q", prompt)
		}
	}
}
