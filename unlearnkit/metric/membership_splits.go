package metric

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Split divides examples into a part that a classifier is fitted on and a part that it is tested on.
type Split struct {
	Train, Test []int
}

// StratifiedSplits draws count independent divisions of n examples, like scikit-learn's StratifiedShuffleSplit. Each
// has ⌈testShare·n⌉ examples in the test part, with both labels in proportion. If one example could have either label,
// the choice is random.
//
// Special cases are:
//
//	testShare outside [0, 1]  →  panic
func StratifiedSplits(labels []bool, count int, testShare float64, random *rand.Rand) []Split {
	if !(testShare >= 0 && testShare <= 1) {
		panic(fmt.Sprintf("metric: test share %v", testShare))
	}
	var classes [2][]int
	for i, y := range labels {
		if y {
			classes[1] = append(classes[1], i)
		} else {
			classes[0] = append(classes[0], i)
		}
	}
	test := int(math.Ceil(testShare * float64(len(labels))))
	splits := make([]Split, count)
	for s := range splits {
		fromFirst := proportional(test, len(classes[0]), len(labels), random)
		for c, size := range [2]int{fromFirst, test - fromFirst} {
			for j, at := range random.Perm(len(classes[c])) {
				if j < size {
					splits[s].Test = append(splits[s].Test, classes[c][at])
				} else {
					splits[s].Train = append(splits[s].Train, classes[c][at])
				}
			}
		}
		for _, part := range [][]int{splits[s].Train, splits[s].Test} {
			random.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
		}
	}
	return splits
}

// proportional returns n·part/whole, rounded to the nearest integer. It rounds a half up or down at random.
func proportional(n, part, whole int, random *rand.Rand) int {
	if whole == 0 {
		return 0
	}
	quotient, remainder := n*part/whole, n*part%whole
	if 2*remainder > whole || 2*remainder == whole && random.IntN(2) == 1 {
		quotient++
	}
	return quotient
}
