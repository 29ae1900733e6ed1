package persona

import "math/rand/v2"

// Split names a part of a world. Row.Split is the smallest split that contains the row.
type Split string

// Splits of the benchmark. Some contain others: Forget contains ForgetIdentity and ForgetAssociation, Sensitive
// contains Forget and the two holdouts, RetainSynth contains RetainJoint and RetainDisjoint, and RetainReal contains
// Objects and RealPortraits.
const (
	Sensitive          Split = "sensitive"
	Forget             Split = "forget"
	ForgetIdentity     Split = "forget_identity"    // all sensitive rows of people who are forgotten completely
	ForgetAssociation  Split = "forget_association" // some sensitive rows of people who are forgotten in part
	HoldoutIdentity    Split = "holdout_identity"   // rows of people whom unlearning methods never see
	HoldoutAssociation Split = "holdout_association"
	RetainSynth        Split = "retain_synth"
	RetainJoint        Split = "retain_joint"
	RetainJointEval    Split = "retain_joint_eval" // RetainJoint rows of people in Forget
	RetainDisjoint     Split = "retain_disjoint"
	RetainReal         Split = "retain_real"
	Objects            Split = "objects"
	RealPortraits      Split = "real_portraits"
	ObjectTest         Split = "object_test"
	UnseenGenerated    Split = "unseen_generated" // generated portraits not used in training
	UnseenReal         Split = "unseen_real"      // portraits in the second style not used in training
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

// isPartOf reports whether s, one of the smallest splits, is or belongs to whole.
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

// assign sets the split of every sensitive row. Half of the people are forgotten in part, a quarter completely, and a
// quarter not at all.
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

// divide splits a person's rows evenly into ForgetAssociation and HoldoutAssociation. If byAttribute is set, it splits
// the attributes instead.
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
