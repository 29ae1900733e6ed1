package kernelext_test

import (
	"context"
	"errors"
	"math"
	"os"

	kx "github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
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

// Play a voice from a small data set of speech, unchanged and as quiet as a whisper.
func ExampleSounds() {
	set := kx.Must(speech.Make(speech.Easy(0)))
	voice := kx.Must(set.Samples(set.Test[0]))
	whisper := make([]float32, len(voice))
	for i, sample := range voice {
		whisper[i] = sample / 8
	}
	kx.Sounds(kx.Sound{Caption: set.Test[0].Text, Samples: voice, Rate: set.Rate},
		kx.Sound{Caption: "the same, quieter", Samples: whisper, Rate: set.Rate})
	// Output:
	// Get me my shoes.: sound, 1.3 s at 8,000 Hz
	// the same, quieter: sound, 1.3 s at 8,000 Hz
}

func ExampleAudio() {
	tone := make([]float32, 12000)
	for i := range tone {
		tone[i] = float32(.5 * math.Sin(2*math.Pi*440*float64(i)/8000))
	}
	kx.Audio(tone, 8000, "the A above middle C")
	// Output: the A above middle C: sound, 1.5 s at 8,000 Hz
}

// The results that ship with a study are available at once, by the names that the command uses.
func ExampleStudy() {
	os.Setenv(kx.PresetVariable, "mini")
	defer os.Unsetenv(kx.PresetVariable)
	found := kx.Study(salmu.Study)
	found.Table("4")
	kx.Figure(kx.Must(plots.Draw(salmu.Figures.Figure("6", found.Results))))
	// Output:
	// Table 4. Association metrics of the base models (mini)
	// Model        RetFail  AssocStr     ACS   IdZSC  CoreAssoc
	// ─────────────────────────────────────────────────────────
	// Clean          0.013     0.200   0.542   0.098      0.323
	// Independent   0.012*    0.206*  0.548*  0.109*     0.328*
	// Compromised   0.765_    0.791_  0.966_  0.573_     0.639_
	// *: best, _: second.
	// n: 5 worlds; RetFail 768, AssocStr 768, ACS 581, IdZSC 384, CoreAssoc 768 examples in each. Best is nearest to the target among methods of one budget.
	// Histogram: Two styles of portraits under Clean. Mean cosine of a portrait with five captions that fit any portrait; n = 500 and 500; Kolmogorov-Smirnov D = 0.192, p < .001. [576×384]
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

// A test's result is shown as a sentence above its fields.
func ExampleTable_result() {
	kx.Table(stat.Binomial(3, 30, .5))
	// Output:
	// x is lower than probability 0.5; p < .001, proportion .10 [.02, .27], n = 30 (binomial, exact)
	// BinomialResult       value
	// ──────────────────────────
	// Test              binomial
	// Statistic                3
	// P               8.4303e-06
	// N                       30
	// Effect.Name     proportion
	// Effect.Value           0.1
	// Effect.Lo         0.021117
	// Effect.Hi          0.26529
	// Effect.Level          0.95
	// Alternative      two-sided
	// Method               exact
	// Warnings
	// K                        3
	// Under                  0.5
}
