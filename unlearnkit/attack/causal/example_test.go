package causal_test

import (
	"context"
	"fmt"
	"os"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/causal"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/language/languagetest"
)

func ExampleTracer_Trace() {
	dir, err := os.MkdirTemp("", "model")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := languagetest.Fill(dir, "llava"); err != nil { // a model of random numbers: it knows nobody
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
	// What carries "baker" from "ann", against "bob"
	//                     perceptron            attention             hidden state
	// token      part     layer      IE  of TE  layer      IE  of TE  layer      IE  of TE
	// ────────────────────────────────────────────────────────────────────────────────────
	// (space) *  subject      –       –      –      –       –      –      –       –      –
	// an *       subject      –       –      –      0  0.0001  0.184      –       –      –
	// n *        subject      –       –      –      0  0.0001  0.217      –       –      –
	// is         later        –       –      –      0  0.0000  0.024      0  0.0000  0.024
	// the        last         0  0.0017  3.446      0  0.0014  2.861      0  0.0014  2.861
	// P(answer) is 0.0034 clean and 0.0029 corrupted, TE 0.0005; one layer is restored at a time. A star marks the subject.
}
