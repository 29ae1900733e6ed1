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

// scored returns the scores of one row's models, averaged over worlds, by column name.
func (r *Results) scored(size int, l line, columns []study.Metric) map[string]certify.Cell {
	p := r.lay(size, study.WithTarget("", columns), l)
	cells := map[string]certify.Cell{}
	for _, cell := range table.Cells(p.Rows, p.Columns) {
		cells[cell.Column] = cell
	}
	return cells
}

// Learnt holds what the smaller models learn about people from one kind of teaching.
type Learnt struct {
	Name   string  // name of the benchmark, or the number in Value
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

// learntByShape returns the data of Figure 1, in which models are taught about all people with the questions of each
// benchmark.
func (r *Results) learntByShape() []Learnt {
	shapes := r.Preset.Shapes
	return r.learnt(len(shapes), func(i int) (string, float64) {
		return shapeName(shapes[i].Name), float64(shapes[i].Questions())
	}, func(s *SizeScores) []*Model { return s.Shapes })
}

// learntByCount returns the data of Figures 3a and b, in which models are taught about one person with different
// numbers of questions.
func (r *Results) learntByCount() []Learnt {
	counts := r.Preset.Counts
	return r.learnt(len(counts), func(i int) (string, float64) { return fmt.Sprint(counts[i]), float64(counts[i]) },
		func(s *SizeScores) []*Model { return s.Counts })
}

// learntByShare returns the data of Figure 3c, in which models are taught about one person. The percentage of questions
// that name the person varies.
func (r *Results) learntByShare() []Learnt {
	shares := r.Preset.Shares
	return r.learnt(len(shares), func(i int) (string, float64) { return fmt.Sprint(shares[i]), float64(shares[i]) },
		func(s *SizeScores) []*Model { return s.Shares })
}

// Remembered holds how well one kind of model has memorised names.
type Remembered struct {
	Set   string
	Names []Name
}

// Name measures how well one name is memorised, in percent.
type Name struct {
	World, Identity int
	MinK            float64 // mean probability of the least likely tenth of the name's tokens
	Inverse         float64 // inverse perplexity: the geometric mean probability of all tokens
}

// Names returns the points of Figure 2; Table 5 averages them. Public people appear once, because all worlds share
// them. The people of each world appear once for each benchmark that teaches them.
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

// Forgetful holds a model's scores for each number of people to forget.
type Forgetful struct {
	Model  string
	Guest  bool                      // an imported model
	Scores []map[string]certify.Cell // scores by column, for each of the preset's numbers of people; nil if unknown
}

// RatioColumns lists the columns that Figures 6 and 7 draw, in the order of their panels.
var RatioColumns = []string{"ROUGE", "EM_r", "EM_f", "EM_t", "GPT", "Exp"}

// byRatio returns the data of Figure 6 or 7: the taught model, gold, the paper's methods and imported models, in this
// order, over both kinds of questions. Imported models have scores at the largest number of people alone.
func (r *Results) byRatio(size int) (all []Forgetful) {
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
	r.guests(size, func(own, _ *Results) {
		lines := own.methodLines(0, 0)
		f := Forgetful{Model: lines[2].model(), Guest: true,
			Scores: make([]map[string]certify.Cell, len(r.Preset.Forget))}
		f.Scores[r.Preset.last()] = own.scored(0, lines[2], hopColumns("", ""))
		all = append(all, f)
	})
	return all
}

// Exposed holds the Exposure of the people to forget, for one model.
type Exposed struct {
	Model  string
	Guest  bool         // an imported model
	People []float64    // Exposure of each person, world by world
	Mean   certify.Cell // mean Exposure over worlds
}

// exposures returns the Exposure of the people to forget, for the taught model, gold, the methods and imported models,
// in this order. It uses the largest number of people.
func (r *Results) exposures(size int) (all []Exposed) {
	for _, l := range r.methodLines(size, r.Preset.last()) {
		all = append(all, r.exposed(size, l))
	}
	r.guests(size, func(own, _ *Results) {
		e := own.exposed(0, own.methodLines(0, 0)[2])
		e.Guest = true
		all = append(all, e)
	})
	return all
}

// exposed returns the Exposure of the people to forget, for one model.
func (r *Results) exposed(size int, l line) Exposed {
	e := Exposed{Model: l.model(), Mean: r.scored(size, l, []study.Metric{exposure("Exp", "")})["Exp"]}
	for world := range r.Worlds {
		if m := l.of(&r.Worlds[world].Sizes[size]); !m.lost() {
			e.People = append(e.People, m.exposures()...)
		}
	}
	return e
}

// exposures returns the mean Exposure of each person over attributes and kinds of questions, in the order of the
// people.
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

// Pipeline counts the people, pictures and questions that are generated for the first world.
type Pipeline struct {
	People, Public int
	Single, Multi  int // number of training questions about each person
	Test           int // number of test questions, with unseen words, about each person
	Otherwise      int // number of paraphrases, reverse questions and questions in the first person about each person
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
		case record.Identity > 0: // count one person only, because all have the same number of questions
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

// worlds caches generated worlds, because generating one takes seconds.
var worlds memo.Map[profile.Spec, *profile.World]

// people returns the generated people of a spec. They are generated once per process.
func people(spec profile.Spec) (*profile.World, error) {
	return worlds.Get(spec, func() (*profile.World, error) { return profile.Generate(spec) })
}

// firstWorld generates the people of the first world. For a download it returns an error, because its people are not
// generated.
func (r *Results) firstWorld() (*profile.World, error) {
	if r.Preset.Download != nil {
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: "has published people and does not show them"}
	}
	return people(r.Preset.world(0).Spec)
}

// lacks returns an error for data that a preset lacks.
func lacks(r *Results, why string) error { return &study.Lacks{Preset: r.Preset.Name, Why: why} }

// place returns the index of a shape in the preset.
func place(r *Results, shape profile.Shape) (at int, there bool) {
	at = slices.IndexFunc(r.Preset.Shapes, func(s profile.Shape) bool { return s.Name == shape.Name })
	return at, at >= 0
}

// compared lists the benchmarks that Figures 1 and 2 compare.
var compared = []profile.Shape{profile.FIUBench, profile.MLLMU, profile.FullShape}

// bounds holds the limits of a score. Parts of intervals outside the limits are not drawn.
type bounds struct{ lo, hi float64 }

// bands returns a caption for bands: how many worlds they are computed from.
func bands(worlds int) string {
	if worlds == 1 {
		return "One world, without intervals"
	}
	return fmt.Sprintf("Bands: 95 %% over %s, by Student's t", Worlds.Count(worlds))
}

// whiskers returns a caption for vertical lines at marks, as bands does.
func whiskers(worlds int) string {
	return strings.Replace(bands(worlds), "Bands", "Vertical lines", 1)
}
