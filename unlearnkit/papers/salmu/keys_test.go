package salmu

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
	whole := Download{Benchmark: "b", Clean: "c", Compromised: "d", Independent: "e", ImageNet: "i", Retain: "r",
		Image: 224}
	part := Download{Benchmark: "b", Clean: "c", Compromised: "d", Image: 224}
	settled := Mini()
	settled.Trials = nil
	for _, test := range []struct {
		name   string
		preset Preset
		want   string
	}{
		{"smoke", Smoke(), "33 bac1f2151b25fb0d93a5384d037c71da4095962c72600b01d4b70d141f51a26a"},
		{"quick", Quick(), "82 85d547d4fbb05b7c7ccde34c44a0a0cabb7a7076553bb712d46af02c218a3ce1"},
		{"mini", Mini(), "236 60914ec0d1afb1bb0946050c51318fb4c4cb05579e018b202a5e830636319fcc"},
		{"mini, without trials", settled, "200 94a08bdd058e45558fdb61f03bf4cb2439c466d8db23cab2a7dc5bfecc48ade8"},
		{"worlds", TenWorlds(), "280 9102942898ae48112b3c26ca03ebe6f224723d2901adabc67953b5ebbbe7fa16"},
		{"paper, with all", Paper(whole), "32 f1eb02129c6336b597c3f804062ec039cfbf5952dd094fa58abeb2c585875b1f"},
		{"paper, in part", Paper(part), "23 3b5a3625427f47eb3aefad379b12993e002bb7fc42091e927edcf9117f09519e"},
	} {
		if got := keysOf(NewPlan(test.preset)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
