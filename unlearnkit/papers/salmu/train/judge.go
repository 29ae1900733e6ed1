package train

import (
	"context"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

// genericCaptions lists the five captions of the domain gap, which consist of words in the small vocabulary. Together
// they fit all portraits equally well.
var genericCaptions = []string{"portrait of a man", "portrait of a woman", "a photo of a man", "a photo of a woman",
	"there is a person"}

// gapPortraits is the number of portraits of each style that the domain gap compares.
const gapPortraits = 100

// examples holds the test examples, encoded by one tokenizer. They are drawn once and shared by all models of a world.
type examples struct {
	sensitive     []persona.Row
	pairs         *table
	forget, named []int      // row indices in sensitive; named are the rows of people forgotten entirely
	core          [2][]int32 // token IDs of "name value" and "value name" for the forget rows
	people        []string   // names of the people forgotten entirely
	names         []int32    // token IDs of people
	truth         []int      // index in people for each row of named
	competing     []string   // captions that compete with an image's own
	gallery       []int32    // token IDs of competing
	probe         metric.ProbeDraw
	retain        []persona.Row // pictures of sensitive people and of strangers, with generic captions
	retainPairs   *table
	objects       []persona.Row
	objectPairs   *table
	prompts       []int32 // token IDs of the prompts for the classes
	templates     int
	gap           []gapSide
	generic       []int32
}

// gapSide holds the portraits of one split of the domain gap.
type gapSide struct {
	split string
	pairs *table
	rows  []int // indices of rows in pairs
}

// newExamples draws the examples of a world. each is the number of captions of each kind that compete with an image's
// own.
func newExamples(r reader, each int) *examples {
	root := seed.Derive(r.corpus.root(), "salmu", "examples")
	e := &examples{sensitive: r.corpus.split(persona.Sensitive)}
	e.pairs = r.table(e.sensitive)
	e.forgotten(r)
	e.compete(r, root, each)
	e.probe = metric.DrawProbe(len(e.forget), seed.Stream(root, "probe"))
	e.retain = append(append([]persona.Row(nil), r.corpus.split(persona.RetainJoint)...),
		r.corpus.split(persona.RetainDisjoint)...)
	e.retainPairs = r.table(e.retain)
	e.objects = r.corpus.split(persona.ObjectTest)
	e.objectPairs = r.table(e.objects)
	classes, templates := r.corpus.classes()
	e.templates = len(templates)
	var prompts []string
	for _, class := range classes {
		for _, template := range templates {
			prompts = append(prompts, fmt.Sprintf(template, class))
		}
	}
	e.prompts = r.ids(prompts)
	e.gap = []gapSide{firstPortraits(r, salmu.GapReal, persona.RealPortraits),
		{salmu.GapGenerated, e.pairs, e.gapRows()}, firstPortraits(r, salmu.GapUnseenReal, persona.UnseenReal),
		firstPortraits(r, salmu.GapUnseenGenerated, persona.UnseenGenerated)}
	e.generic = r.ids(genericCaptions)
	return e
}

// firstPortraits returns the first portraits in a split of the world. If the world lacks the split, there are no rows.
func firstPortraits(r reader, split string, of persona.Split) gapSide {
	rows := r.corpus.split(of)
	pairs := r.table(rows[:min(gapPortraits, len(rows))])
	return gapSide{split, pairs, all(pairs)}
}

// forgotten finds the forget rows and the two shortest forms of their facts. It also finds the names of the people who
// are forgotten entirely.
func (e *examples) forgotten(r reader) {
	label := map[int]int{}
	var core [2][]string
	for i, row := range e.sensitive {
		entirely := row.Split == persona.ForgetIdentity
		if !entirely && row.Split != persona.ForgetAssociation {
			continue
		}
		e.forget = append(e.forget, i)
		core[0], core[1] = append(core[0], row.Name+" "+row.Value), append(core[1], row.Value+" "+row.Name)
		if !entirely {
			continue
		}
		if _, known := label[row.Identity]; !known {
			label[row.Identity] = len(e.people)
			e.people = append(e.people, row.Name)
		}
		e.named, e.truth = append(e.named, i), append(e.truth, label[row.Identity])
	}
	e.core = [2][]int32{r.ids(core[0]), r.ids(core[1])}
	e.names = r.ids(e.people)
}

// compete draws the captions that compete with an image's own caption.
func (e *examples) compete(r reader, root uint64, each int) {
	others := r.corpus.split(persona.RetainDisjoint)
	places := make([]int, len(others))
	for i := range places {
		places[i] = i
	}
	fromForget, fromRetain := metric.DrawGallery(e.forget, places, each, seed.Stream(root, "gallery"))
	for _, row := range fromForget {
		e.competing = append(e.competing, e.sensitive[row].Caption)
	}
	for _, row := range fromRetain {
		e.competing = append(e.competing, others[row].Caption)
	}
	e.gallery = r.ids(e.competing)
}

// judge returns the outcomes of all examples under a model.
func (e *examples) judge(ctx context.Context, m *embedder) (salmu.Scores, error) {
	var scores salmu.Scores
	for _, part := range []func(context.Context, *embedder, *salmu.Scores) error{e.judgeSensitive, e.judgeRetained,
		e.judgeObjects} {
		if err := part(ctx, m, &scores); err != nil {
			return nil, err
		}
	}
	return scores, nil
}

func (e *examples) judgeSensitive(ctx context.Context, m *embedder, scores *salmu.Scores) error {
	images, captions, err := m.table(ctx, e.pairs)
	if err != nil {
		return err
	}
	embedded := map[string]metric.Matrix{}
	for name, ids := range map[string][]int32{"gallery": e.gallery, "name first": e.core[0], "value first": e.core[1],
		"names": e.names} {
		if embedded[name], err = m.words(ctx, ids); err != nil {
			return err
		}
	}
	begin := len(*scores)
	for i, cosine := range metric.MeanSimilarity(images, captions).Cosines {
		row := e.sensitive[i]
		score := salmu.NewScore(row.ID, string(row.Split), row.Identity)
		score.Cosine = single(cosine)
		*scores = append(*scores, score)
	}
	all := (*scores)[begin:]
	forgetImages, forgetCaptions := metric.Subset(images, e.forget), metric.Subset(captions, e.forget)
	ranks := metric.RetFail(forgetImages, forgetCaptions, embedded["gallery"]).Ranks
	core := metric.CoreAssoc(forgetImages, embedded["name first"], embedded["value first"]).Cosines
	for i, row := range e.forget {
		all[row].Rank, all[row].Core = float64(ranks[i]), single(core[i])
	}
	probe := metric.ACS(forgetImages, forgetCaptions, e.probe, metric.CosineFeature)
	for i, example := range probe.Test {
		row := &all[e.forget[example%len(e.forget)]]
		if example < len(e.forget) {
			row.True = oneIf(probe.Correct[i])
		} else {
			row.False = oneIf(probe.Correct[i])
		}
	}
	found := metric.ClassifyZeroShot(metric.Subset(images, e.named), embedded["names"], e.truth)
	for i, row := range e.named {
		all[row].Right = oneIf(found.Correct[i])
	}
	return nil
}

func (e *examples) judgeRetained(ctx context.Context, m *embedder, scores *salmu.Scores) error {
	images, captions, err := m.table(ctx, e.retainPairs)
	if err != nil {
		return err
	}
	for i, cosine := range metric.MeanSimilarity(images, captions).Cosines {
		row := e.retain[i]
		score := salmu.NewScore(row.ID, string(row.Split), row.Identity)
		score.Cosine = single(cosine)
		*scores = append(*scores, score)
	}
	return nil
}

func (e *examples) judgeObjects(ctx context.Context, m *embedder, scores *salmu.Scores) error {
	if len(e.objects) == 0 {
		return nil
	}
	images, err := m.pictures(ctx, e.objectPairs, all(e.objectPairs))
	if err != nil {
		return err
	}
	prompts, err := m.words(ctx, e.prompts)
	if err != nil {
		return err
	}
	truth := make([]int, len(e.objects))
	for i, row := range e.objects {
		truth[i] = row.Class
	}
	for i, right := range metric.ClassifyZeroShot(images, metric.ClassEmbeddings(prompts, e.templates), truth).Correct {
		score := salmu.NewScore(e.objects[i].ID, salmu.Objects, e.objects[i].Class)
		score.Right = oneIf(right)
		*scores = append(*scores, score)
	}
	return nil
}

// judgeGap returns the mean cosine of each portrait with captions that fit every portrait.
func (e *examples) judgeGap(ctx context.Context, m *embedder) (salmu.Scores, error) {
	captions, err := m.words(ctx, e.generic)
	if err != nil {
		return nil, err
	}
	var scores salmu.Scores
	for _, side := range e.gap {
		pictures, err := m.pictures(ctx, side.pairs, side.rows)
		if err != nil {
			return nil, err
		}
		for i, at := range side.rows {
			row := side.pairs.rows[at]
			score := salmu.NewScore(row.ID, side.split, row.Identity)
			score.Cosine = single(meanCosine(pictures, i, captions))
			scores = append(scores, score)
		}
	}
	return scores, nil
}

// gapRows returns indices of sensitive rows, spread evenly over all of them.
func (e *examples) gapRows() []int {
	count := min(gapPortraits, len(e.sensitive))
	rows := make([]int, count)
	for i := range rows {
		rows[i] = i * len(e.sensitive) / count
	}
	return rows
}

// meanCosine returns the mean cosine of image i with all captions.
func meanCosine(images metric.Matrix, i int, captions metric.Matrix) float64 {
	rows, _ := captions.Dims()
	repeated := make([]int, rows)
	for k := range repeated {
		repeated[k] = i
	}
	return metric.MeanSimilarity(metric.Subset(images, repeated), captions).Mean
}

// single rounds a number to float32, the precision of the embeddings, so that score files hold no meaningless digits.
func single(x float64) float64 { return float64(float32(x)) }

func oneIf(right bool) float64 {
	if right {
		return 1
	}
	return 0
}
