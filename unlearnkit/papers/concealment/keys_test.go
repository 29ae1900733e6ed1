package concealment

import (
	"crypto/sha256"
	"fmt"
	"testing"
)

// keysOf returns a hash of the keys of a plan's runs. The result of a run is stored under its key. If a key changes by
// mistake, hours of computation and the shipped results are lost.
func keysOf(p *Plan) string {
	sum := sha256.New()
	for _, run := range p.Runs() {
		fmt.Fprintln(sum, run.Key())
	}
	return fmt.Sprintf("%d %x", len(p.Runs()), sum.Sum(nil))
}

func TestKeys(t *testing.T) {
	for _, test := range []struct {
		preset Preset
		want   string
	}{
		{Smoke(), "18 8fb8f10c8c0b471547e0f30f2198e03332056f2824049091c4cf4bab447e3fa6"},
		{Quick(), "90 43bea1768ef16e005b5e18da3fb2ce87cd06d3ce303a843dc657a69b62df57b9"},
		{Mini(), "301 a0aa76b4a68e6c9e7a02ffd74ed0c4be86cabe51e35d974c4bd4316f8e0dfe46"},
		{Controlled(), "511 c28e9cec5346a0190ff59008da8c071fb317ea9485625ad2c39b2e3ade2133d8"},
		{Wider(), "223 5b7ed3d7ac7e3df91cc6b58df1616ebe5189da832f88816dbc783449248cca9a"},
		{Captions(), "45 061ddadc8d690637f110f1593248681a6ebd32406a0b28db68a6503ed924f5d0"},
		{Originals(), "111 14dad87365035909b0584085d8258826463b248f4b162fd2cde20622711aaf1b"},
	} {
		if got := keysOf(NewPlan(test.preset)); got != test.want {
			t.Errorf("%s: %s, want %s", test.preset.Name, got, test.want)
		}
	}
}
