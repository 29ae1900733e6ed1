package compare_test

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/compare"
)

func ExampleRuns() {
	var logs []*compare.Log
	for _, path := range []string{"testdata/graddiff/TOFU_EVAL.json", "testdata/retain/TOFU_EVAL.json"} {
		log, err := compare.Read(path)
		if err != nil {
			fmt.Println(err)
			return
		}
		logs = append(logs, log)
	}
	compare.Name(logs)
	report := compare.Runs(logs[:1], logs[1], compare.Options{Margin: .05, Metrics: []string{"forget_Q_A_Prob", "privleak"}})
	for _, c := range report.Comparisons {
		fmt.Printf("%s of %s: %+.2f [%+.2f, %+.2f], %s\n", c.Metric, c.Run, c.Cell.Difference, c.Cell.DifferenceLo,
			c.Cell.DifferenceHi, c.Result)
	}
	for _, s := range report.Skipped {
		fmt.Printf("%s: %s\n", s.Metric, s.Why)
	}
	// Output:
	// forget_Q_A_Prob of graddiff: +0.32 [+0.25, +0.39], higher
	// privleak: one number per run, no values of questions
}
