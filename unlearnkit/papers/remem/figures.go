package remem

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/memo"
	"github.com/unlearnlab/unlearnlab/unlearnkit/certify"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// scored returns the scores of one model of every world, by column name.
func (r *Results) scored(size int, l line, columns []study.Metric) map[string]certify.Cell {
	p := r.lay(size, study.WithTarget("", columns), l)
	cells := map[string]certify.Cell{}
	for _, cell := range table.Cells(p.Rows, p.Columns) {
		cells[cell.Column] = cell
	}
	return cells
}

// Learnt holds what the smaller models learn about people from one way of teaching.
type Learnt struct {
	Name   string  // name of the shape
	Value  float64 // number of questions, or the percentage of questions that name the person
	Scores map[string]certify.Cell
}

// learnt returns the scores of models that are taught in n ways.
func (r *Results) learnt(n int, name func(i int) (string, float64), of func(s *SizeScores) []*Model) (all []Learnt) {
	for i := range n {
		l := Learnt{}
		l.Name, l.Value = name(i)
		l.Scores = r.scored(0, line{[]string{l.Name},
			func(s *SizeScores) *Model { return of(s)[i] }}, learningColumns())
		all = append(all, l)
	}
	return all
}

// LearntByShape returns Figure 1: everybody is taught in the shapes of benchmarks.
func (r *Results) LearntByShape() []Learnt {
	shapes := r.Preset.Shapes
	return r.learnt(len(shapes), func(i int) (string, float64) {
		return shapeName(shapes[i].Name), float64(shapes[i].Questions())
	}, func(s *SizeScores) []*Model { return s.Shapes })
}

// LearntByCount returns Figures 3a and b: one person is taught with different numbers of questions.
func (r *Results) LearntByCount() []Learnt {
	counts := r.Preset.Counts
	return r.learnt(len(counts), func(i int) (string, float64) { return fmt.Sprint(counts[i]), float64(counts[i]) },
		func(s *SizeScores) []*Model { return s.Counts })
}

// LearntByShare returns Figure 3c: one person is taught with different percentages of questions that name the person.
func (r *Results) LearntByShare() []Learnt {
	shares := r.Preset.Shares
	return r.learnt(len(shares), func(i int) (string, float64) { return fmt.Sprint(shares[i]), float64(shares[i]) },
		func(s *SizeScores) []*Model { return s.Shares })
}

// Remembered holds the names that one kind of model has memorized.
type Remembered struct {
	Set   string
	Names []Name
}

// Name measures how well one name is memorized, in percent.
type Name struct {
	World, Identity int
	MinK            float64 // mean probability of the least likely tenth of the name's tokens
	Inverse         float64 // inverse perplexity: the geometric mean probability of all tokens
}

// Names returns the points of Figure 2; Table 5 averages them. Public people appear once, because all worlds share
// them. The people of each world appear once per training shape.
func (r *Results) Names() (all []Remembered) {
	public := Remembered{Set: publicRow}
	public.add(0, r.Worlds[0].Sizes[0].Public)
	all = append(all, public)
	for i, shape := range r.Preset.Shapes {
		set := Remembered{Set: shapeName(shape.Name)}
		for world, w := range r.Worlds {
			set.add(world, w.Sizes[0].Shapes[i])
		}
		all = append(all, set)
	}
	return all
}

func (r *Remembered) add(world int, m *Model) {
	for _, s := range m.nameSecrets() {
		r.Names = append(r.Names, Name{World: world, Identity: int(s.Identity), MinK: 100 * float64(s.MinK),
			Inverse: 100 * float64(s.Inverse)})
	}
}

// Forgetful holds a model's scores by the number of people to forget.
type Forgetful struct {
	Model  string
	Scores []map[string]certify.Cell // by the preset's numbers of people
}

// RatioColumns lists the panels of Figures 6 and 7 in order.
var RatioColumns = []string{"ROUGE", "EM_r", "EM_f", "EM_t", "GPT", "Exp"}

// ByRatio returns Figures 6 and 7: the taught model, gold and the paper's methods, in this order, over both kinds of
// questions.
func (r *Results) ByRatio(size int) (all []Forgetful) {
	for place, first := range r.methodLines(size, 0) {
		if place >= 2 && !slices.Contains(paperMethods, r.Preset.Methods[place-2].Name) {
			continue
		}
		f := Forgetful{Model: first.model()}
		for ratio := range r.Preset.Forget {
			f.Scores = append(f.Scores, r.scored(size, r.methodLines(size, ratio)[place], hopColumns("", "")))
		}
		all = append(all, f)
	}
	return all
}

// Exposed holds the Exposure of the people to forget in one model.
type Exposed struct {
	Model  string
	People []float64    // Exposure of each person, world by world
	Mean   certify.Cell // mean over worlds
}

// Exposures returns the Exposure of the taught model, gold and the methods, in this order, at the largest number of
// people.
func (r *Results) Exposures(size int) (all []Exposed) {
	columns := []study.Metric{exposure("Exp", "")}
	for _, l := range r.methodLines(size, r.Preset.last()) {
		e := Exposed{Model: l.model(), Mean: r.scored(size, l, columns)["Exp"]}
		for world := range r.Worlds {
			if m := l.of(&r.Worlds[world].Sizes[size]); !m.lost() {
				e.People = append(e.People, m.exposures()...)
			}
		}
		all = append(all, e)
	}
	return all
}

// exposures returns the mean Exposure of each person over attributes and hops, in the order of the people.
func (m *Model) exposures() (people []float64) {
	sums, counts := map[int32]float64{}, map[int32]float64{}
	var order []int32
	for _, s := range m.Secrets {
		if counts[s.Identity] == 0 {
			order = append(order, s.Identity)
		}
		sums[s.Identity] += metric.Exposure(int(s.Rank), int(s.Candidates))
		counts[s.Identity]++
	}
	slices.Sort(order)
	for _, identity := range order {
		people = append(people, sums[identity]/counts[identity])
	}
	return people
}

// Pipeline counts what is generated for the first world before models learn.
type Pipeline struct {
	People, Public int
	Single, Multi  int // training questions about each person
	Test           int // questions in unseen words about each person
	Otherwise      int // paraphrases, questions in reverse and in the first person about each person
	Filter         profile.FilterReport
}

// Pipeline returns the counts of Figure 4.
func (r *Results) Pipeline() (p Pipeline, err error) {
	world, err := r.firstWorld()
	if err != nil {
		return p, err
	}
	private := world.Private
	p = Pipeline{People: len(private.People), Public: len(world.Public.People), Filter: private.Filter}
	for _, record := range private.Records {
		switch {
		case record.Identity > 0: // all people have the same number of questions
		case record.Split == profile.Train && record.Hop == profile.Single:
			p.Single++
		case record.Split == profile.Train:
			p.Multi++
		case record.Split == profile.Test:
			p.Test++
		default:
			p.Otherwise++
		}
	}
	return p, nil
}

// worlds caches generated worlds, since generating one takes seconds.
var worlds memo.Map[profile.Spec, *profile.World]

// people returns the world of a spec, which is generated once per process.
func people(spec profile.Spec) (*profile.World, error) {
	return worlds.Get(spec, func() (*profile.World, error) { return profile.Generate(spec) })
}

// firstWorld generates the people of the first world. It fails for a download, whose people are not generated.
func (r *Results) firstWorld() (*profile.World, error) {
	if r.Preset.Download != nil {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has people of others, whom it does not show"}
	}
	return people(r.Preset.world(0).Spec)
}

// lacks returns the error for something that a preset does not have.
func lacks(r *Results, why string) error { return &study.Lacks{Preset: r.Preset.Name, Why: why} }

// place returns the index of a shape in the preset's shapes.
func place(r *Results, shape profile.Shape) (at int, there bool) {
	at = slices.IndexFunc(r.Preset.Shapes, func(s profile.Shape) bool { return s.Name == shape.Name })
	return at, at >= 0
}

// compared lists the shapes of Figures 1 and 2.
var compared = []profile.Shape{profile.FIUBench, profile.MLLMU, profile.FullShape}

// bounds are the limits of a score; parts of intervals outside are not drawn.
type bounds struct{ lo, hi float64 }

// bands explains the bands.
func bands(worlds int) string {
	if worlds == 1 {
		return "One world, without intervals"
	}
	return fmt.Sprintf("Bands: 95 %% over %s, by Student's t", Worlds.Count(worlds))
}

// whiskers explains vertical lines at marks.
func whiskers(worlds int) string {
	return strings.Replace(bands(worlds), "Bands", "Vertical lines", 1)
}
