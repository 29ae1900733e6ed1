package persona

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

func ids(rows []Row) []string {
	var all []string
	for _, row := range rows {
		all = append(all, row.ID)
	}
	slices.Sort(all)
	return all
}

func identities(rows []Row) map[int]bool {
	all := map[int]bool{}
	for _, row := range rows {
		all[row.Identity] = true
	}
	return all
}

func TestSplits_Disjoint(t *testing.T) {
	unions := map[Split][]Split{
		Sensitive:   {ForgetIdentity, ForgetAssociation, HoldoutIdentity, HoldoutAssociation},
		Forget:      {ForgetIdentity, ForgetAssociation},
		RetainSynth: {RetainJoint, RetainDisjoint},
		RetainReal:  {Objects, RealPortraits},
	}
	everyWorld(t, func(t *testing.T, w *World) {
		for whole, parts := range unions {
			var together []Row
			for _, part := range parts {
				together = append(together, w.Split(part)...)
			}
			if want := ids(together); !slices.Equal(ids(w.Split(whole)), want) ||
				len(slices.Compact(slices.Clone(want))) != len(want) {
				t.Errorf("%s is not its parts", whole)
			}
		}
		finest := 0
		for _, s := range Splits() {
			if unions[s] == nil && s != RetainJointEval {
				finest += len(w.Split(s))
			}
		}
		if finest != len(w.everyRow()) {
			t.Errorf("the finest splits have %d rows of %d", finest, len(w.everyRow()))
		}
	})
}

// Half of the people are forgotten in part and about a quarter completely, and RetainJointEval has the RetainJoint rows
// of both.
func TestSplits_People(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		part, whole, never := identities(w.Split(ForgetAssociation)), identities(w.Split(ForgetIdentity)),
			identities(w.Split(HoldoutIdentity))
		if len(part) != w.Spec.Identities/2 || len(part)+len(whole)+len(never) != w.Spec.Identities ||
			len(never)-len(whole) < 0 || len(never)-len(whole) > 1 {
			t.Errorf("%d in part, %d whole, %d not", len(part), len(whole), len(never))
		}
		held := identities(w.Split(HoldoutAssociation))
		for identity := range w.People {
			if part[identity] != held[identity] {
				t.Errorf("person %d is on one side of the association splits", identity)
			}
			places := 0
			for _, set := range []map[int]bool{part, whole, never} {
				if set[identity] {
					places++
				}
			}
			if places != 1 {
				t.Errorf("person %d is in %d kinds of split", identity, places)
			}
		}
		for _, row := range w.Split(RetainJointEval) {
			if never[row.Identity] || row.Identity < 0 {
				t.Errorf("%s of a person who is never forgotten", row.ID)
			}
		}
		for _, row := range w.Split(RetainJoint) {
			if !never[row.Identity] && !slices.Contains(ids(w.Split(RetainJointEval)), row.ID) {
				t.Errorf("%s of a forgotten person is missing from %s", row.ID, RetainJointEval)
			}
		}
	})
}

func TestSplits_AssociationRules(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		people := rapid.IntRange(4, 20).Draw(t, "people")
		per := rapid.IntRange(8, 30).Draw(t, "rows")
		byAttribute := rapid.Bool().Draw(t, "by attribute")
		var rows []Row
		for identity := range people {
			for i := range per {
				rows = append(rows, Row{Identity: identity, Attribute: attributes[i%len(attributes)]})
			}
		}
		assign(seed.Stream(rapid.Uint64().Draw(t, "seed"), "test"), rows, people, byAttribute)
		forgotten := map[int]int{}
		sides := map[string]Split{}
		crossed := false
		for _, row := range rows {
			if row.Split != ForgetAssociation && row.Split != HoldoutAssociation {
				continue
			}
			if row.Split == ForgetAssociation {
				forgotten[row.Identity]++
			}
			fact := fmt.Sprint(row.Identity, row.Attribute)
			if before, ok := sides[fact]; ok && before != row.Split {
				crossed = true
			}
			sides[fact] = row.Split
		}
		if byAttribute && crossed {
			t.Fatal("an attribute is on both sides")
		}
		for identity, count := range forgotten {
			if !byAttribute && count != (per+1)/2 {
				t.Fatalf("person %d has %d of %d rows to forget", identity, count, per)
			}
			if byAttribute && (count < per/8*4 || count > (per/8+1)*4) {
				t.Fatalf("person %d has %d of %d rows to forget", identity, count, per)
			}
		}
	})
}

func TestSplits_ByRows(t *testing.T) {
	sides := map[string]map[Split]bool{}
	for _, row := range quickWorld().Sensitive {
		fact := fmt.Sprint(row.Identity, row.Attribute)
		if sides[fact] == nil {
			sides[fact] = map[Split]bool{}
		}
		sides[fact][row.Split] = true
	}
	both := 0
	for _, side := range sides {
		if len(side) == 2 {
			both++
		}
	}
	// A fact has three rows, of which each split gets some with a probability of at least .75. There are 256 such facts
	// of 32 people.
	if both < 150 {
		t.Errorf("%d facts are on both sides", both)
	}
}
