package remem_test

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"

	"github.com/unlearnlab/unlearnlab/internal/testkit/golden"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
)

// drawnCell returns an artificial score with an interval around it.
func drawnCell(value, around float64) certify.Cell {
	return certify.Cell{Estimate: value, Lo: value - around, Hi: value + around}
}

// learnt returns artificial scores for one way of teaching.
func learnt(name string, value, level float64) remem.Learnt {
	return remem.Learnt{Name: name, Value: value, Scores: map[string]certify.Cell{
		"EM": drawnCell(level, 4), "ROUGE": drawnCell(40+.6*level, 3), "GPT": drawnCell(15+.8*level, 4), "EM_t": drawnCell(.85*level, 6),
		"EM_t, single": drawnCell(.9*level, 6), "EM_t, multi": drawnCell(.8*level, 7), "Perplexity": drawnCell(12-.1*level, .5)}}
}

func ExampleShapesFigure() {
	figure, err := remem.ShapesFigure([]remem.Learnt{learnt("FIUBench", 20, 27), learnt("MLLMU-bench", 1, 12),
		learnt("ReMem (Ours)", 100, 94)}, 20, 5)
	fmt.Println(figure.Caption)
	golden.Compare("shapes", figure, err)
	// Output:
	// n: 5 worlds of 20 people, the smaller size. Answers to the taught questions, averaged over worlds: ROUGE-L recall, the score of rules that replace a language model, and exact match (EM). EM, with 95 % by Student's t over worlds: FIUBench 27.0 [23.0, 31.0]; MLLMU-bench 12.0 [8.0, 16.0]; ReMem (Ours) 94.0 [90.0, 98.0]
	// shapes-light.png: as drawn before
	// shapes-dark.png: as drawn before
}

// mapOf returns an artificial map. Its effect is largest in one part of the prompt.
func mapOf(name, site string, part int, largest float64) remem.Map {
	m := remem.Map{Name: name, Site: site, Rows: []string{"image", "subject", "later", "last"}, Traced: 150, Asked: 200}
	for row := range m.Rows {
		var effects []float64
		for layer := range 4 {
			distance := math.Hypot(float64(row-part), float64(layer-part/2))
			effects = append(effects, largest*math.Exp(-distance)-.01)
		}
		m.Effects = append(m.Effects, effects)
	}
	return m
}

func ExampleStatesFigure() {
	random := rand.New(rand.NewPCG(2, 0))
	names := []remem.Remembered{{Set: "FIUBench"}, {Set: "MLLMU-bench"}, {Set: "ReMem (Ours)"}, {Set: "Real Set"}}
	for i, level := range []float64{12, 6, 62, 80} {
		for range 20 {
			inverse := level + 8*random.NormFloat64()
			names[i].Names = append(names[i].Names, remem.Name{Inverse: max(1, inverse), MinK: max(.2, .7*inverse-5)})
		}
	}
	means := []certify.Cell{{Row: "FIUBench", Estimate: 3.4, Printed: "0.05"},
		{Row: "FIUBench", Estimate: 12.1, Printed: "4.25"}}
	figure, err := remem.StatesFigure(names, means, []remem.Map{mapOf("FIUBench", "hidden state", 3, .1),
		mapOf("Real Set", "hidden state", 1, .6)}, 5, "public names are shorter")
	fmt.Println(figure.Caption)
	golden.Compare("states", figure, err)
	// Output:
	// (a) One dot per person: 20 of FIUBench, 20 of MLLMU-bench, 20 of ReMem (Ours), 20 of Real Set. Real Set: public people that the base model knows; the others: the people of 5 worlds that are taught in each shape. Probability of the name's least likely tenth of tokens against the geometric mean of all its tokens. Means of Min-k % and 1/perplexity: FIUBench 3.4 and 12.1 (printed 0.05 and 4.25). But public names are shorter. (b): how much of the lost probability of the true answer comes back when an activation is restored, if the question names an object instead of the person. Maximum over each part of the prompt, mean over questions. Questions that lose at most .05 count as zero; traced: 150 of 200 of FIUBench, 150 of 200 of Real Set. All maps share one colour scale
	// states-light.png: as drawn before
	// states-dark.png: as drawn before
}

func ExampleLearningFigure() {
	var counts, shares []remem.Learnt
	for count := 20.; count <= 200; count += 20 {
		counts = append(counts, learnt("", count, 100*(1-math.Exp(-count/60))))
	}
	for share := 0.; share <= 100; share += 10 {
		shares = append(shares, learnt("", share, 90-.01*(share-70)*(share-70)))
	}
	figure, err := remem.LearningFigure(counts, shares, 5)
	fmt.Println(figure.Caption)
	golden.Compare("learning", figure, err)
	// Output:
	// n: 5 worlds with one person each, the smaller size. EM: exact match. Taught: the taught questions; test: 28 questions in unseen words about unseen layouts, half of which name the person (single-hop). (c) uses 100 questions. The number of epochs is fixed, so more questions mean more steps. Bands: 95 % over 5 worlds, by Student's t
	// learning-light.png: as drawn before
	// learning-dark.png: as drawn before
}

func ExamplePipelineFigure() {
	figure, err := remem.PipelineFigure(remem.Pipeline{People: 20, Public: 20, Single: 70, Multi: 30, Test: 28,
		Otherwise: 50, Filter: profile.FilterReport{Candidates: 3050, Passed: 2600, Kept: 2560}}, remem.Mini())
	fmt.Println(figure.Caption)
	golden.Compare("pipeline", figure, err)
	// Output:
	// The preset mini with 5 worlds, of which the first is counted. Profiles, pictures and questions are counted per world, adapters for size S
	// pipeline-light.png: as drawn before
	// pipeline-dark.png: as drawn before
}

func ExampleSitesFigure() {
	var models [][]remem.Map
	for i, name := range []string{"MLLMU-bench", "ReMem (Ours)"} {
		var maps []remem.Map
		for k, site := range remem.MapSites {
			maps = append(maps, mapOf(name, site, k, .08+.5*float64(i)))
		}
		models = append(models, maps)
	}
	figure, err := remem.SitesFigure(models)
	fmt.Println(figure.Caption)
	golden.Compare("sites", figure, err)
	// Output:
	// All: how much of the lost probability of the true answer comes back when an activation is restored, if the question names an object instead of the person. Maximum over each part of the prompt, mean over questions. Questions that lose at most .05 count as zero; traced: 150 of 200 of MLLMU-bench, 150 of 200 of ReMem (Ours). All maps share one colour scale
	// sites-light.png: as drawn before
	// sites-dark.png: as drawn before
}

// forgetful returns artificial scores of the taught model, gold and three methods, for four numbers of people to
// forget. KL diverges for two people.
func forgetful() (models []remem.Forgetful) {
	for i, name := range []string{"Before", "Gold", "GA", "KL", "NPO"} {
		m := remem.Forgetful{Model: name}
		for people := range 4 {
			scores := map[string]certify.Cell{}
			for k, column := range remem.RatioColumns {
				value := []float64{94, 12, 40, 55, 25}[i] - 2*float64(people*k%5)
				if k < 2 {
					value = 92 - 3*float64(i) - float64(people*i)
				}
				scores[column] = drawnCell(value, 4)
				if i == 3 && people == 1 {
					scores[column] = certify.Cell{Estimate: math.NaN(), Lo: math.NaN(), Hi: math.NaN(),
						Warning: "diverged in 5 of 5 worlds"}
				}
			}
			m.Scores = append(m.Scores, scores)
		}
		models = append(models, m)
	}
	return models
}

func ExampleRatiosFigure() {
	figure, err := remem.RatiosFigure("S", []int{1, 2, 3, 4}, forgetful(), 5)
	fmt.Println(figure.Caption)
	golden.Compare("ratios", figure, err)
	// Output:
	// n: 5 worlds, both kinds of questions together. ROUGE and EM_r are about the people who are kept at every number: higher is better. The other panels are about the people to forget: the goal is gold's level. The taught model answers the same questions. Gold never learnt any of the 4 people of the largest number, at smaller numbers either; a random ranking has an Exposure of 50. Methods as in the paper. A larger number also means more steps. Vertical lines: 95 % over 5 worlds, by Student's t; KL of 2 diverged in every world
	// ratios-light.png: as drawn before
	// ratios-dark.png: as drawn before
}

func ExamplePicturesFigure() {
	rows := make([]profile.SheetRow, 3)
	for i := range rows {
		// Plain squares keep the file of the expected figure small.
		plain := func(k int) *image.NRGBA {
			picture := image.NewNRGBA(image.Rect(0, 0, 2, 2))
			for at := range 4 {
				picture.SetNRGBA(at%2, at/2, color.NRGBA{R: uint8(80 * i), G: uint8(16 * k), B: 140, A: 255})
			}
			return picture
		}
		rows[i].Name = []string{"Mara Quell", "Tobin Ashgrove", "Wilhelmina Oakenshaw"}[i]
		for k := range rows[i].Anchors {
			rows[i].Anchors[k] = plain(k)
		}
		for k := range rows[i].Train {
			rows[i].Train[k] = plain(3 + k)
		}
		for k := range rows[i].Test {
			rows[i].Test[k] = plain(9 + k)
		}
	}
	figure, err := remem.PicturesFigure(rows)
	golden.Compare("pictures", figure, err)
	// Output:
	// pictures-light.png: as drawn before
	// pictures-dark.png: as drawn before
}

// assessed returns artificial verdicts on five methods at two sizes. All methods have different verdicts, and one model
// diverges.
func assessed() (all []remem.Assessment) {
	is := func(value float64) certify.Corrected {
		return certify.Corrected{Estimate: certify.Estimate{Value: value}}
	}
	for i, size := range []string{"S", "L"} {
		for k, a := range []remem.Assessment{
			{Method: "GA", Left: is(.04), Gain: is(.01), Gone: remem.Gone, Back: remem.NotBack, Verdict: remem.Erased},
			{Method: "GD", Left: is(.09), Gain: is(.24), Gone: remem.Gone, Back: remem.Back, Verdict: remem.Masked},
			{Method: "KL", Left: is(.3), Gain: is(.1), Gone: certify.Unresolved, Back: certify.Unresolved,
				Verdict: certify.Unresolved},
			{Method: "DPO", Left: is(.62), Gain: is(.2), Gone: remem.Left, Back: remem.Back,
				Verdict: remem.NotErased},
			{Method: "NPO", Left: is(-.05), Gain: is(.02), Gone: remem.Gone, Back: certify.Unresolved,
				Verdict: remem.Damaged},
		} {
			around := .02 + .03*float64(k%3)
			a.Size = size
			for _, e := range []*certify.Corrected{&a.Left, &a.Gain} {
				e.Lo, e.Hi = e.Value-around, e.Value+around
			}
			if i == 1 && k == 2 {
				a.Left, a.Gain, a.Change = is(math.NaN()), is(math.NaN()), "a model that did not diverge"
			}
			all = append(all, a)
		}
	}
	return all
}

func ExampleVerdictsFigure() {
	figure, err := remem.VerdictsFigure(assessed(), 5)
	fmt.Println(figure.Caption)
	golden.Compare("verdicts", figure, err)
	// Output:
	// n: 5 worlds, each 95 % interval uncorrected, by Student's t over worlds, cut off at the edges. (a) The taught model answers more questions correctly than gold; the panel shows the share of these that it still answers correctly after unlearning the largest number of people. Colours: decisions by p-values, multiplied by 10 for the sizes and methods, about more or less than 0.2. (b) Half of the attributes are learnt again; the panel shows how much more of the other half the model recovers than gold. A surely positive value means that the method did not erase the people, a value below 0.05 that nothing was left. A method is damaged if it surely keeps less than 80 % of what it should keep. Left out: KL of size L (a verdict needs a model that did not diverge)
	// verdicts-light.png: as drawn before
	// verdicts-dark.png: as drawn before
}

// exposed returns the artificial Exposure of four people in each of five worlds, for the taught model, gold and three
// methods.
func exposed() (all []remem.Exposed) {
	random := rand.New(rand.NewPCG(5, 0))
	for i, model := range []string{"Before", "Gold", "GA", "DPO", "NPO"} {
		level := []float64{98, 54, 60, 81, 50}[i]
		e := remem.Exposed{Model: model, Mean: certify.Cell{Estimate: level}}
		for range 20 {
			e.People = append(e.People, min(100, level+5*random.NormFloat64()))
		}
		all = append(all, e)
	}
	return all
}

func ExampleExposureFigure() {
	figure, err := remem.ExposureFigure([]string{"S", "L"}, [][]remem.Exposed{exposed(), exposed()}, 4, 5)
	fmt.Println(figure.Caption)
	golden.Compare("exposure", figure, err)
	// Output:
	// n: 5 worlds of 4 people to forget. One mark per person: the likelihood rank of the true value among all values of an attribute, from 0 (least likely) to 100 (most likely), averaged over attributes. Means over people are next to the names; there are no intervals. Gold never learnt these people, but it learnt the other values, so its mean is below chance
	// exposure-light.png: as drawn before
	// exposure-dark.png: as drawn before
}
