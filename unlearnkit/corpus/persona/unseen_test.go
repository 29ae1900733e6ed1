package persona

import (
	"slices"
	"testing"
)

// A model trained in a world is also used in the same world with splits by attribute and with unseen portraits, so its
// training data must be the same there.
func TestUnseen_LeavesRest(t *testing.T) {
	other := smallSpecs()[0]
	other.ByAttribute, other.Unseen = true, 12
	a := smallWorlds()[0]
	b, err := Generate(other)
	if err != nil {
		t.Fatal(err)
	}
	moved := 0
	same := func(x, y Row) bool {
		if x.Split != y.Split {
			moved++
		}
		x.Split, y.Split = "", ""
		return x == y && slices.Equal(a.Picture(x).Pix, b.Picture(y).Pix)
	}
	if !slices.EqualFunc(a.Sensitive, b.Sensitive, same) || moved == 0 {
		t.Errorf("other sensitive rows, of which %d are in other splits", moved)
	}
	moved = 0
	if !slices.EqualFunc(a.RetainSynth, b.RetainSynth, same) || !slices.EqualFunc(a.RetainReal, b.RetainReal, same) ||
		!slices.EqualFunc(a.ObjectTest, b.ObjectTest, same) || moved > 0 {
		t.Error("other rows to keep")
	}
	if len(a.Unseen) != 0 || len(b.Split(UnseenGenerated)) != 12 || len(b.Split(UnseenReal)) != 12 {
		t.Fatalf("%d, %d and %d", len(a.Unseen), len(b.Split(UnseenGenerated)), len(b.Split(UnseenReal)))
	}
	people := map[recipe]bool{}
	for _, row := range b.everyRow() {
		of := b.recipes[row.Image]
		of.index = 0
		if unseen := row.Split == UnseenGenerated || row.Split == UnseenReal; unseen && people[of] {
			t.Errorf("%s is of somebody of whom there is another picture", row.ID)
		}
		people[of] = true
	}
	for _, fact := range b.Split(HoldoutAssociation) {
		for _, told := range b.Split(Forget) {
			if fact.Identity == told.Identity && fact.Attribute == told.Attribute {
				t.Fatalf("%s tells a fact that %s tells to the methods", fact.ID, told.ID)
			}
		}
	}
}
