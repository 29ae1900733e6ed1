package paritytest

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
)

// Endure trains a model several times: with several numbers of processors, then concurrently. It fails the test if a
// training hangs or differs in any bit from the first. train creates its own store and returns the results after the
// given number of steps. The slow test set trains for 200 steps, on 1, 2 and 4 processors, then three times
// concurrently; otherwise the numbers are small.
func Endure(t *testing.T, train func(steps int) ([]float64, error)) {
	t.Helper()
	steps, processors, atOnce, limit := 3, []int{1}, 2, 10*time.Minute
	if os.Getenv("UNLEARNLAB_SLOW") != "" {
		steps, processors, atOnce, limit = 200, []int{1, 2, 4}, 3, 40*time.Minute
	}
	devicetest.Watch(t, limit)
	want, err := train(steps)
	if err != nil {
		t.Fatal(err)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, count := range processors {
		runtime.GOMAXPROCS(count)
		got, err := train(steps)
		if err = differ(got, want, err); err != nil {
			t.Errorf("on %d processor(s): %v", count, err)
		}
	}
	ends := make(chan error)
	for range atOnce {
		go func() {
			got, err := train(steps)
			ends <- differ(got, want, err)
		}()
	}
	for range atOnce {
		if err := <-ends; err != nil {
			t.Errorf("%d at once: %v", atOnce, err)
		}
	}
}

func differ(got, want []float64, err error) error {
	if err == nil && !slices.Equal(got, want) {
		return fmt.Errorf("the training returned %v, but %v before", got, want)
	}
	return err
}
