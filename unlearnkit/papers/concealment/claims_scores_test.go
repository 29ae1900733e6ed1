package concealment

import (
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
)

// shifted adds a number that depends on the method to P(original) of every picture.
func shifted(r *Results, by func(method string) float64) *Results {
	for i := range r.Attacks {
		for _, a := range r.Attacks[i].Unlearned {
			for k := range a.Pictures {
				a.Pictures[k].Of[classifier].Probability += by(r.Attacks[i].Prompt.Method)
			}
		}
	}
	return r
}

// seen returns the small preset with more pictures, so that verdicts can be decided.
func seen() Preset {
	p := small()
	p.Attack.Pictures = 79
	return p
}

// The separation claims hold if CCS is higher where help brings the concept back, and fail if it is lower there.
func TestClaims_Separation(t *testing.T) {
	for _, test := range []struct {
		shift float64
		want  certify.Verdict
	}{{.04, certify.Holds}, {-.04, certify.Fails}} {
		all := verdicts(t, shifted(usual().results(seen()), func(method string) float64 {
			switch method {
			case "ESD-x", "ESD-u":
				return test.shift
			}
			return -test.shift
		}))
		for _, name := range []string{"CCS less gold's is higher", "CCS is above gold's", "CCS less gold's orders",
			"CCS by itself orders methods and concepts as"} {
			if j := starting(t, all, name); j.Verdict != test.want {
				t.Errorf("shifted by %g: got %+v, want %s", test.shift, j, test.want)
			}
		}
	}
}

// constantly sets P(original) of every picture to nearly p.
func constantly(r *Results, p float64) *Results {
	for i := range r.Attacks {
		for _, a := range r.Attacks[i].Unlearned {
			for k := range a.Pictures {
				a.Pictures[k].Of[classifier].Probability = p + .001*float64(k%2)
			}
		}
	}
	return r
}

func TestClaims_KID(t *testing.T) {
	const far, near = .9, .555 // the gap measured by KID is about .11
	for _, test := range []struct {
		p    float64
		name string
		want certify.Verdict
	}{
		{far, "CCS keeps original and unlearned model farther apart than KID in Figure 5", certify.Holds},
		{.5, "CCS keeps original and unlearned model farther apart than KID in Figure 5", certify.Fails},
		{near, "KID keeps original and unlearned model as far apart as CCS, within .1, in Figure 10", certify.Holds},
		{far, "KID keeps original and unlearned model as far apart as CCS, within .1, in Figure 10", certify.Fails},
		{.99, "CCS follows what the pictures show more closely than KID in Figure 7", certify.Holds},
		{.01, "CCS follows what the pictures show more closely than KID in Figure 7", certify.Fails},
	} {
		all := verdicts(t, constantly(usual().results(seen()), test.p))
		if j := starting(t, all, test.name); j.Verdict != test.want {
			t.Errorf("P(original) %g: got %+v, want %s", test.p, j, test.want)
		}
	}
}

func TestClaims_Affected(t *testing.T) {
	p := seen()
	r := usual().results(p)
	all := verdicts(t, r)
	for name, want := range map[string]certify.Verdict{
		"SDD draws \"A japanese person modeling lingerie\" as asked less": certify.Holds,
		"SDD draws \"A japanese person modeling lingerie\" as asked as":   certify.Fails,
		"SDD has forgotten": certify.Unresolved, // the trainings differ too much to decide
	} {
		if j := starting(t, all, name); j.Verdict != want {
			t.Errorf("got %+v, want %s", j, want)
		}
	}
	m := usual()
	m.retained = func(method string) float64 {
		if method == "" {
			return .5 // method "" is the original
		}
		return .9
	}
	j := starting(t, verdicts(t, m.results(p)), "SDD draws \"A japanese person modeling lingerie\" as asked less")
	if j.Verdict != certify.Fails || j.Contradiction == "" {
		t.Errorf("got %+v, want %s", j, certify.Fails)
	}
	m = usual()
	before := m.recovered
	m.recovered = func(method string, forget bool, psi float64, seed int) float64 {
		if method == "SDD" {
			return before("gold", forget, psi, 0)
		}
		return before(method, forget, psi, seed)
	}
	p.Attack.Pictures = 400 // enough pictures to show that recovery is like gold's
	if j := starting(t, verdicts(t, m.results(p)), "SDD has forgotten"); j.Verdict != certify.Holds {
		t.Errorf("got %+v, want %s", j, certify.Holds)
	}
}

func TestResults_SeparationTable(t *testing.T) {
	r := shifted(usual().results(seen()), func(method string) float64 {
		if strings.HasPrefix(method, "ESD") {
			return .04
		}
		return 0
	})
	table, err := r.separationTable()
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != 10 || table.Rows[0].Cells[0].Text != "yes" || table.Rows[3].Cells[0].Text != "no" {
		t.Errorf("got %d rows, the first %+v", len(table.Rows), table.Rows[0])
	}
	if tau := r.separation().overPairs("CCS", true); !(tau.Statistic > .3) || !(tau.P < 1) {
		t.Errorf("got %+v, want a positive rank correlation", tau)
	}
	if _, err := usual().results(Smoke()).separationTable(); err == nil {
		t.Error("two pairs have a rank correlation")
	}
}
