package stat_test

import (
	"fmt"
	"math"

	"github.com/unlearnlab/unlearnlab/unlearnkit/stat"
)

func ExampleHolm() {
	p := []float64{.01, .04, math.NaN(), .03}
	adjusted := stat.Holm(nil, p)
	fmt.Printf("%.2f %v\n", adjusted, stat.Reject(nil, adjusted, .05))
	// Output:
	// [0.03 0.06 NaN 0.06] [true false false false]
}
