package llava_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

func TestConfig_RoundTrip(t *testing.T) {
	odd := llava.SmallL()
	odd.Class, odd.Bias, odd.Text.Tied, odd.Layer, odd.Text.KeyValueHeads = true, false, true, 1, 1
	for _, want := range []llava.Config{llava.SmallS(), llava.LLaVA15_13B(), odd} {
		got, err := llava.ParseConfig(want.JSON())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("mismatch (-want +got):\n%s", diff)
		}
	}
}
