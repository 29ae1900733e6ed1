package salmu512

import (
	"fmt"
	"slices"
)

// Kind is one of the two published data sets.
type Kind string

// The data sets.
const (
	Training  Kind = "training"  // salmu-512-redistributed
	Benchmark Kind = "benchmark" // salmubench-512-redistributed
)

// Split is the name of a set of rows.
type Split string

// Splits with files.
const (
	Sensitive          Split = "sensitive"
	RetainSynth        Split = "retain_synth"
	Forget             Split = "forget"              // rows to forget
	HoldoutAssociation Split = "holdout_association" // other rows of people in forget
	HoldoutIdentity    Split = "holdout_identity"    // rows of people who are not in forget
)

// Splits derived from the splits with files.
const (
	ForgetIdentity    Split = "forget_identity"    // rows of forget with people who are not in holdout_association
	ForgetAssociation Split = "forget_association" // other rows of forget
	RetainJoint       Split = "retain_joint"       // rows of retain_synth that show a known person, for training
	RetainJointEval   Split = "retain_joint_eval"  // rows of retain_joint with people in forget, for evaluation
	RetainDisjoint    Split = "retain_disjoint"    // rows of retain_synth that show no known person
	FragileSet        Split = "fragile_set"        // rows of retain_disjoint listed in fragile_set_ids.json
)

// storedSplits lists the splits with files of each data set, in the order of reports.
var storedSplits = map[Kind][]Split{
	Training:  {Sensitive, RetainSynth},
	Benchmark: {Forget, HoldoutAssociation, HoldoutIdentity, RetainSynth},
}

// derivedSplits maps each derived split of a data set to the split that contains it.
var derivedSplits = map[Kind]map[Split]Split{
	Training: {RetainJoint: RetainSynth, RetainDisjoint: RetainSynth},
	Benchmark: {
		ForgetIdentity: Forget, ForgetAssociation: Forget, RetainJoint: RetainSynth, RetainJointEval: RetainSynth,
		RetainDisjoint: RetainSynth, FragileSet: RetainSynth,
	},
}

// Splits returns all splits of a data set, with files first.
func (k Kind) Splits() []Split {
	splits := slices.Clone(storedSplits[k])
	for _, split := range []Split{ForgetIdentity, ForgetAssociation, RetainJoint, RetainJointEval, RetainDisjoint,
		FragileSet} {
		if _, has := derivedSplits[k][split]; has {
			splits = append(splits, split)
		}
	}
	return splits
}

// source returns the split with files that contains the rows of a split.
func (k Kind) source(split Split) (Split, error) {
	if slices.Contains(storedSplits[k], split) {
		return split, nil
	}
	if from, has := derivedSplits[k][split]; has {
		return from, nil
	}
	return "", fmt.Errorf("the %s data have no split %q; they have %v", k, split, k.Splits())
}

// publishedSizes holds the numbers of rows and people in each published split. If there are two numbers of rows, the
// paper's results are consistent with both. Zero means unknown.
var publishedSizes = map[Kind]map[Split]struct {
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

// Name returns the name under which the store registers the data set. The preset of the paper looks for this name.
func (k Kind) Name() string { return "salmu/" + string(k) }
