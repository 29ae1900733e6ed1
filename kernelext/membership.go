package kernelext

import (
	"fmt"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// MIA shows how well membership inference separates members of a training set from other examples by a model's losses,
// with intervals. It prints the table of unlearnlab attack mia, whose flags may follow:
//
//	kx.MIA(forgetLosses, testLosses)
//	kx.MIA(forgetScores, testScores, "--scores")
//
// The command does the computing, so a cell links no statistics.
func MIA(members, nonMembers []float64, flags ...string) {
	attackFiles("membership", func(folder string) ([]string, error) {
		args := []string{"attack", "mia"}
		for _, list := range []struct {
			name   string
			values []float64
		}{{"members", members}, {"non-members", nonMembers}} {
			if len(list.values) == 0 {
				return nil, fmt.Errorf("there are no %s; give the losses of some", list.name)
			}
			path := filepath.Join(folder, list.name+".npy")
			array := &safefile.Array{Shape: []int{len(list.values)}, Values: list.values}
			if err := safefile.WriteNpy(path, array); err != nil {
				return nil, err
			}
			args = append(args, "--"+list.name, path)
		}
		return append(args, flags...), nil
	})
}
