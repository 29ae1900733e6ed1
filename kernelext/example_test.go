package kernelext_test

import (
	"context"
	"errors"

	kx "github.com/unlearnlab/unlearnlab/kernelext"
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
