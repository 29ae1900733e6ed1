package salmu512

import (
	"fmt"
	"slices"
)

// Kind is which of the two data sets a folder holds.
type Kind string

// The data sets.
const (
	Training  Kind = "training"  // salmu-512-redistributed
	Benchmark Kind = "benchmark" // salmubench-512-redistributed
)

// Split names rows that belong together.
type Split string

// The splits that have files.
const (
	Sensitive          Split = "sensitive"
	RetainSynth        Split = "retain_synth"
	Forget             Split = "forget"              // shown to the methods
	HoldoutAssociation Split = "holdout_association" // other images and captions of people who occur in forget
	HoldoutIdentity    Split = "holdout_identity"    // people who do not occur in forget
)

// The splits that follow from them.
const (
	ForgetIdentity    Split = "forget_identity"    // rows of forget whose person does not occur in holdout_association
	ForgetAssociation Split = "forget_association" // the other rows of forget
	RetainJoint       Split = "retain_joint"       // rows of retain_synth with a person, as training sees them
	RetainJointEval   Split = "retain_joint_eval"  // those whose person occurs in forget, as the evaluation sees them
	RetainDisjoint    Split = "retain_disjoint"    // rows of retain_synth without a person
	FragileSet        Split = "fragile_set"        // rows of retain_disjoint that fragile_set_ids.json names
)

// stored are the splits with files of each data set, in the order in which they are told of.
var stored = map[Kind][]Split{
	Training:  {Sensitive, RetainSynth},
	Benchmark: {Forget, HoldoutAssociation, HoldoutIdentity, RetainSynth},
}

// derived are the splits that a data set has without files of their own, and where they are parts of.
var derived = map[Kind]map[Split]Split{
	Training: {RetainJoint: RetainSynth, RetainDisjoint: RetainSynth},
	Benchmark: {
		ForgetIdentity: Forget, ForgetAssociation: Forget, RetainJoint: RetainSynth, RetainJointEval: RetainSynth,
		RetainDisjoint: RetainSynth, FragileSet: RetainSynth,
	},
}

// Splits are all splits of a data set, those with files first.
func (k Kind) Splits() []Split {
	splits := slices.Clone(stored[k])
	for _, split := range []Split{ForgetIdentity, ForgetAssociation, RetainJoint, RetainJointEval, RetainDisjoint,
		FragileSet} {
		if _, has := derived[k][split]; has {
			splits = append(splits, split)
		}
	}
	return splits
}

// source is the split in whose files a split's rows lie.
func (k Kind) source(split Split) (Split, error) {
	if slices.Contains(stored[k], split) {
		return split, nil
	}
	if from, has := derived[k][split]; has {
		return from, nil
	}
	return "", fmt.Errorf("the %s data have no split %q; they have %v", k, split, k.Splits())
}

// published is how many rows and people the published data have. Where two numbers of rows are possible, the papers'
// results do not decide between them. Zero is unknown.
var published = map[Kind]map[Split]struct {
	rows   []int
	people int
}{
	Training: {Sensitive: {[]int{60053}, 774}, RetainSynth: {[]int{16741}, 0}},
	Benchmark: {
		Forget: {[]int{30468}, 580}, HoldoutAssociation: {[]int{14943}, 387}, HoldoutIdentity: {[]int{14642}, 194},
		RetainSynth:    {[]int{16741}, 0},
		ForgetIdentity: {[]int{15342}, 193}, ForgetAssociation: {[]int{15126}, 387},
		RetainJointEval: {[]int{749, 1498}, 0}, FragileSet: {[]int{1574, 787}, 0},
	},
}

// Name is the name under which a data set is registered in the store, where the paper preset looks for it.
func (k Kind) Name() string { return "salmu/" + string(k) }
