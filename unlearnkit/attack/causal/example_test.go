package causal_test

import (
	"context"
	"fmt"
	"os"

	"github.com/unlearnlab/unlearnlab/internal/testkit/languagetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/causal"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
)

func ExampleTracer_Trace() {
	dir, err := os.MkdirTemp("", "model")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := languagetest.Fill(dir, "llava"); err != nil { // a model with random weights, which knows nobody
		fmt.Println(err)
		return
	}
	d, err := device.Open("go")
	if err != nil {
		fmt.Println(err)
		return
	}
	m, err := language.Open(d, dir, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	tracer := causal.New(m)
	defer tracer.Close()
	trace, err := tracer.Trace(context.Background(), causal.Sample{Prompt: "the job of ann is the", Subject: "ann",
		Substitute: "bob", Answer: "baker"}, causal.Settings{Least: 1e-4}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	trace.Table().Text(os.Stdout)
	// Output:
	// Layers that carry "baker" from "ann", compared with "bob"
	//                     perceptron              attention               hidden state
	// token      part     layer        IE  of TE  layer        IE  of TE  layer        IE  of TE
	// ──────────────────────────────────────────────────────────────────────────────────────────
	// (space) *  subject      –         –      –      –         –      –      –         –      –
	// an *       subject      –         –      –      0  0.000090   0.18      –         –      –
	// n *        subject      –         –      –      0  0.000106   0.22      –         –      –
	// is         later        –         –      –      0  0.000012   0.02      0  0.000012   0.02
	// the        last         0  0.001688   3.45      0  0.001401   2.86      0  0.001401   2.86
	// P(answer) is 0.00337 clean and 0.00288 corrupted, TE 0.00049; one layer is restored at a time. A star marks the subject.
}
