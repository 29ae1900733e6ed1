package persona

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// Split names a part of a world. A row has the finest split that it belongs to.
type Split string

// The splits of the benchmark. Forget is ForgetIdentity and ForgetAssociation; Sensitive is Forget and the two
// holdouts; RetainReal is Objects and RealPortraits.
const (
	Sensitive          Split = "sensitive"
	Forget             Split = "forget"
	ForgetIdentity     Split = "forget_identity"    // all rows of people who are forgotten completely
	ForgetAssociation  Split = "forget_association" // some rows of the others
	HoldoutIdentity    Split = "holdout_identity"   // people who are never shown to a method
	HoldoutAssociation Split = "holdout_association"
	RetainSynth        Split = "retain_synth"
	RetainJoint        Split = "retain_joint"
	RetainJointEval    Split = "retain_joint_eval" // the RetainJoint rows of people who occur in Forget
	RetainDisjoint     Split = "retain_disjoint"
	RetainReal         Split = "retain_real"
	Objects            Split = "objects"
	RealPortraits      Split = "real_portraits"
	ObjectTest         Split = "object_test"
	UnseenGenerated    Split = "unseen_generated" // generated portraits that are not used in training
	UnseenReal         Split = "unseen_real"      // portraits in the second style that are not used in training
)

// Splits returns all splits.
func Splits() []Split {
	return []Split{Sensitive, Forget, ForgetIdentity, ForgetAssociation, HoldoutIdentity, HoldoutAssociation,
		RetainSynth, RetainJoint, RetainJointEval, RetainDisjoint,
		RetainReal, Objects, RealPortraits, ObjectTest, UnseenGenerated, UnseenReal}
}

// Split returns the rows of a split in the order of the world, or nil if the split is unknown.
func (w *World) Split(s Split) []Row {
	forgotten := map[int]bool{}
	if s == RetainJointEval {
		for _, row := range w.Split(Forget) {
			forgotten[row.Identity] = true
		}
	}
	var rows []Row
	for _, part := range [][]Row{w.Sensitive, w.RetainSynth, w.RetainReal, w.ObjectTest, w.Unseen} {
		for _, row := range part {
			if row.Split.isPartOf(s) || s == RetainJointEval && row.Split == RetainJoint && forgotten[row.Identity] {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// isPartOf reports whether a finest split belongs to another split.
func (s Split) isPartOf(whole Split) bool {
	switch whole {
	case Sensitive:
		return s == ForgetIdentity || s == ForgetAssociation || s == HoldoutIdentity || s == HoldoutAssociation
	case Forget:
		return s == ForgetIdentity || s == ForgetAssociation
	case RetainSynth:
		return s == RetainJoint || s == RetainDisjoint
	case RetainReal:
		return s == Objects || s == RealPortraits
	}
	return s == whole
}

// assign gives every sensitive row its split: half of the people are forgotten in part, a quarter completely, a quarter
// not at all. Rows of one person are adjacent.
func assign(source *rand.Rand, rows []Row, identities int, byAttribute bool) {
	people := source.Perm(identities)
	half, rest := identities/2, identities/2+(identities-identities/2)/2
	of := make([][]int, identities)
	for i, row := range rows {
		of[row.Identity] = append(of[row.Identity], i)
	}
	for place, identity := range people {
		switch {
		case place < half:
			divide(source, rows, of[identity], byAttribute)
		case place < rest:
			for _, i := range of[identity] {
				rows[i].Split = ForgetIdentity
			}
		default:
			for _, i := range of[identity] {
				rows[i].Split = HoldoutIdentity
			}
		}
	}
}

// divide sends half of a person's rows, or half of the attributes, to each side.
func divide(source *rand.Rand, rows []Row, own []int, byAttribute bool) {
	forget := map[string]bool{}
	for _, a := range source.Perm(len(attributes))[:len(attributes)/2] {
		forget[attributes[a]] = true
	}
	order := source.Perm(len(own))
	for place, i := range own {
		toForget := order[place] < (len(own)+1)/2
		if byAttribute {
			toForget = forget[rows[i].Attribute]
		}
		rows[i].Split = HoldoutAssociation
		if toForget {
			rows[i].Split = ForgetAssociation
		}
	}
}

// Fragile returns the tenth of the rows with the lowest similarities, in the order of the rows. Among equal ones the
// earlier row counts as lower. For RetainDisjoint and the similarities of the compromised model, this is the
// benchmark's fragile set.
func Fragile(rows []Row, similarities []float64) []Row {
	if len(rows) != len(similarities) {
		panic("persona: a similarity for each row")
	}
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(similarities[a], similarities[b]) })
	lowest := order[:len(rows)/10]
	slices.Sort(lowest)
	fragile := make([]Row, len(lowest))
	for i, at := range lowest {
		fragile[i] = rows[at]
	}
	return fragile
}
