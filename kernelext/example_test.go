package kernelext_test

import (
	"context"
	"errors"
	"os"

	kx "github.com/unlearnlab/unlearnlab/kernelext"
	figures "github.com/unlearnlab/unlearnlab/plots/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/bench/salmu"
)

func ExampleTable() {
	type score struct {
		Method string
		GUM    float64
	}
	kx.Table([]score{{"FT", .517}, {"NG", .816}})
	// Output:
	//    Method    GUM
	// ────────────────
	// 0  FT      0.517
	// 1  NG      0.816
}

func ExampleShow() {
	kx.Show("three seeds", 0.816)
	// Output:
	// three seeds
	// 0.816
}

// What ships of a study is there at once, by the names that the command knows.
func ExampleStudy() {
	os.Setenv(kx.PresetVariable, "mini")
	defer os.Unsetenv(kx.PresetVariable)
	found := kx.Study(salmu.Study)
	found.Table("4")
	found.Figure(figures.Drawings, "6")
	// Output:
	// Table 4. Association metrics of the base models (mini)
	// Model        RetFail  AssocStr     ACS   IdZSC  CoreAssoc
	// ─────────────────────────────────────────────────────────
	// Clean          0.013     0.200   0.542   0.098      0.323
	// Independent   0.012*    0.206*  0.548*  0.109*     0.328*
	// Compromised   0.765_    0.791_  0.966_  0.573_     0.639_
	// n: 5 worlds; RetFail 768, AssocStr 768, ACS 768, IdZSC 384, CoreAssoc 768 examples in each. Bold is nearest to the target among methods of one budget.
	// Histogram: Two styles of portraits under Clean. Mean cosine of a portrait with five captions that fit all; n = 500 and 500; Kolmogorov-Smirnov D = 0.192, p = < .0001. [576×384]
}

func ExampleRun() {
	kx.Run(func(ctx context.Context) error {
		if ctx.Err() != nil {
			return errors.New("the stop button was pressed before anything began")
		}
		kx.Text("trained")
		return nil
	})
	// Output: trained
}
