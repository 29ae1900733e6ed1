package judge_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/judge"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// A Remembering judge asks the endpoint once. The second time, it reads the stored answer.
func Example() {
	server := newServer(says(`{"reasoning": "the job is there", "score": 92.5}`))
	defer server.Close()
	dir, err := os.MkdirTemp("", "judge")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	cases := []metric.JudgeCase{{Question: "What is their job?", GroundTruth: "They work as a nurse.",
		Output: "A nurse, I think."}}
	for range 2 {
		answers, err := judge.OpenAnswers(filepath.Join(dir, "answers.jsonl"))
		if err != nil {
			fmt.Println(err)
			return
		}
		endpoint := &judge.Endpoint{Base: server.URL + "/v1", Model: "small"}
		remembering := judge.NewRemembering(endpoint, "small", answers)
		judgments, err := judge.All(context.Background(), remembering, cases, 4, nil)
		answers.Close()
		fmt.Println(judgments[0].Score, judgments[0].Reasoning, err, server.requests(), "request")
	}
	// Output:
	// 92.5 the job is there <nil> 1 request
	// 92.5 the job is there <nil> 1 request
}

func ExampleSummarize() {
	s := judge.Summarize([]metric.Judgment{{Score: 80}, {Score: 90}, {Score: 10}, {Score: 20}},
		[]string{"ann", "ann", "bob", "cleo"})
	fmt.Printf("%.1f over %d groups\n", s.Mean, s.Groups)
	// Output: 50.0 over 3 groups
}
