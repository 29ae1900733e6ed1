package metric

import (
	"fmt"
	"math"
	"testing"
)

var (
	salmuClean       = FailureScores{RetFail: .001, AssocStr: .142, GenKnow: .633, InterIdSim: .143, IntraIdSim: .143}
	salmuCompromised = FailureScores{RetFail: .236, AssocStr: .322, GenKnow: .638, InterIdSim: .321, IntraIdSim: .321}
)

// SALMUBench Table 5 at budget 5x. The paper and its project page label the first six; §13 repeats the labels of
// Generic Captions and Negative Gradient.
func TestTaxonomy_Table5(t *testing.T) {
	for _, test := range []struct {
		method    string
		scores    FailureScores
		want      FailureType
		efficient bool
	}{
		{"Generic Captions", FailureScores{.055, .288, .629, .288, .288}, Ineffective, false},
		{"Shuffled Captions", FailureScores{.004, .212, .548, .212, .212}, Catastrophic, false},
		{"Direct Similarity Minimization", FailureScores{.001, -.429, .615, -.420, -.425}, Catastrophic, false},
		{"Negative Gradient", FailureScores{.009, .055, .630, .063, .061}, OverGeneralised, false},
		{"DELETE", FailureScores{.001, .022, .632, .023, .023}, OverGeneralised, true},
		{"CLIPErase", FailureScores{.001, .023, .634, .024, .024}, OverGeneralised, true},
		{"the clean model", salmuClean, OverGeneralised, true},
		{"the compromised model", salmuCompromised, Ineffective, false},
		{"associations below clean", FailureScores{.001, .1, .638, .321, .321}, OverGeneralised, true},
		{"ideal", FailureScores{.001, .142, .638, .321, .321}, Precise, true},
	} {
		t.Run(test.method, func(t *testing.T) {
			got := DiagnoseFailure(test.scores, salmuClean, salmuCompromised, DefaultFailureThresholds())
			if got.Type != test.want || got.UtilityEfficient != test.efficient ||
				got.Precise != (test.want == Precise) {
				t.Errorf("%v, efficient %v: %+v", got.Type, got.UtilityEfficient, got)
			}
		})
	}
}

func TestDiagnoseFailure_Numbers(t *testing.T) {
	got := DiagnoseFailure(FailureScores{.009, .055, .630, .063, .061}, salmuClean, salmuCompromised,
		DefaultFailureThresholds())
	if !near(got.LeakRemoved, 1-.009/.236, 1e-15) || !near(got.GenKnowDrop, .008/.638, 1e-15) ||
		!near(got.HoldoutDrop, .260/.321, 1e-15) {
		t.Errorf("%+v", got)
	}
}

func TestDiagnoseFailure_NoReference(t *testing.T) {
	ideal := FailureScores{.001, .142, .638, .321, .321}
	nan := ideal
	nan.AssocStr = math.NaN()
	noLeak := salmuCompromised
	noLeak.RetFail = 0
	for name, got := range map[string]Failure{
		"NaN":                         DiagnoseFailure(nan, salmuClean, salmuCompromised, DefaultFailureThresholds()),
		"the compromised has no leak": DiagnoseFailure(ideal, salmuClean, noLeak, DefaultFailureThresholds()),
	} {
		if got.Type != FailureUndefined || got.Precise {
			t.Errorf("%s: got %+v, want Type %v, Precise false", name, got, FailureUndefined)
		}
	}
}

func ExampleDiagnoseFailure() {
	clean := FailureScores{RetFail: .001, AssocStr: .142, GenKnow: .633, InterIdSim: .143, IntraIdSim: .143}
	compromised := FailureScores{RetFail: .236, AssocStr: .322, GenKnow: .638, InterIdSim: .321, IntraIdSim: .321}
	negativeGradient := FailureScores{RetFail: .009, AssocStr: .055, GenKnow: .630, InterIdSim: .063, IntraIdSim: .061}
	f := DiagnoseFailure(negativeGradient, clean, compromised, DefaultFailureThresholds())
	fmt.Printf("%v: leak %.2f, general knowledge %.3f, holdouts %.2f\n", f.Type, f.LeakRemoved, f.GenKnowDrop,
		f.HoldoutDrop)
	// Output: over-generalised forgetting (Type 2): leak 0.96, general knowledge 0.013, holdouts 0.81
}
