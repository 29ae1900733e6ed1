package exposure_test

import (
	"context"
	"fmt"
	"os"

	"github.com/unlearnlab/unlearnlab/internal/testkit/languagetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/exposure"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
)

// tiny opens a model with random weights, in place of a trained one.
func tiny() (m *language.Model, done func(), err error) {
	dir, err := os.MkdirTemp("", "model")
	if err != nil {
		return nil, nil, err
	}
	done = func() { os.RemoveAll(dir) }
	if err = languagetest.Fill(dir, "llava"); err != nil {
		return nil, done, err
	}
	d, err := device.Open("go")
	if err != nil {
		return nil, done, err
	}
	m, err = language.Open(d, dir, "")
	return m, done, err
}

func ExampleRanker_Rank() {
	m, done, err := tiny()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer done()
	image, err := m.Pixels("testdata/image.png")
	if err != nil {
		fmt.Println(err)
		return
	}
	ranker := exposure.New(m)
	defer ranker.Close()
	ranking, err := ranker.Rank(context.Background(), exposure.Item{Prefix: "The job of the person in the image is",
		Image: image, Candidates: []string{"baker", "judge", "nurse", "cook"}, Truth: "baker"})
	if err != nil {
		fmt.Println(err)
		return
	}
	ranking.Table().Text(os.Stdout)
	// Output:
	// Candidates after "The job of the person in the image is"
	// rank  candidate     perplexity  Exposure  inverse  Min-10 %  tokens
	// ───────────────────────────────────────────────────────────────────
	// 1     cook               63.82     100.0   0.0157    0.0033       5
	// 2     baker (true)       101.1      66.7   0.0099    0.0056       4
	// 3     nurse              107.7      33.3   0.0093    0.0011       6
	// 4     judge              115.5       0.0   0.0087    0.0037       5
	// "baker" has rank 2 of 4, Exposure 66.7; chance gives 50.0, and a rank at least as good with probability 0.5.
}

func ExampleSummarize() {
	m, done, err := tiny()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer done()
	ranker := exposure.New(m)
	defer ranker.Close()
	var rankings []*exposure.Ranking
	for name, job := range map[string]string{"ann": "baker", "bob": "nurse", "cleo": "cook", "dan": "judge"} {
		ranking, err := ranker.Rank(context.Background(), exposure.Item{Prefix: "The job of " + name + " is",
			Candidates: []string{"baker", "judge", "nurse", "cook"}, Truth: job})
		if err != nil {
			fmt.Println(err)
			return
		}
		rankings = append(rankings, ranking)
	}
	summary, err := exposure.Summarize(rankings)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f [%.1f, %.1f] by %s\n", summary.Mean, summary.Lo, summary.Hi, summary.Basis)
	// Output: 41.7 [7.0, 87.1] by Student's t, 4 secrets (nested), 3 degrees of freedom
}
