package remem

import (
	"fmt"
	"slices"
	"sync"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Results holds the raw scores of a preset. Every table, figure and claim is a function of them.
type Results struct {
	Preset Preset
	Worlds []WorldScores
	Guests []GuestScores // models from elsewhere

	store  *store.Store // store that the scores were read from
	judged bool         // judged by another judge than the rules
	lack   string       // what is missing, in words; empty if the results are complete
}

// WorldScores holds the models of one world, by size.
type WorldScores struct{ Sizes []SizeScores }

// SizeScores holds the models of one size in one world. A model without scores in the preset is nil.
type SizeScores struct {
	Base, Public, Taught *Model
	// Befores is the taught model with the answers to the methods' questions, by ratio.
	Befores []*Model
	Gold    *Model
	Methods [][]*Model // by ratio and method
	golds   []*Model   // gold on the people to forget, by ratio
	// Helped holds the taught model, gold and the methods at the last ratio, in this order.
	Helped                 []Helped
	Shapes, Counts, Shares []*Model
	Traces                 []Traces // by shape, then for public people
}

// Helped holds a model's answers after its weights were rounded, and after it relearned.
type Helped struct {
	Rounded  []*Model          // by number of bits
	Relearnt *study.Evaluation // answers before, and after each budget; nil if relearning was not tried
}

// Model holds the scores of a model in one repetition.
type Model struct {
	Scores

	from   study.Reading
	tables map[string]*safefile.Frame // scores as tables; nil for scores in memory
	once   sync.Once
	read   *study.Evaluation // scores as columns read them
}

// GuestScores holds the models of a guest.
type GuestScores struct {
	Name  string
	Sizes [][]GuestModel // by size and world; without a model where the guest has none
}

// GuestModel holds a guest's model and what help brings back.
type GuestModel struct {
	*Model
	Helped Helped
}

// Seeds returns the number of worlds.
func (r *Results) Seeds() int { return len(r.Worlds) }

// count describes the number of worlds and what is missing: "2 worlds of 5 that there should be".
func (r *Results) count() string { return Worlds.Count(len(r.Worlds)) + r.lack }

// evaluation returns the scores as columns read them, or nil if the preset lacks the model.
func (m *Model) evaluation() *study.Evaluation {
	if m == nil {
		return nil
	}
	m.once.Do(func() { m.read = m.evaluate() })
	return m.read
}

func (m *Model) evaluate() *study.Evaluation {
	e := &study.Evaluation{}
	if m.tables == nil && !m.lost() {
		m.tables = map[string]*safefile.Frame{AnswersFile: safefile.FrameOf(m.Answers),
			SecretsFile: safefile.FrameOf(m.Secrets), ChoicesFile: safefile.FrameOf(m.Choices)}
	}
	if !m.lost() {
		e = study.Evaluated(m.tables[AnswersFile])
		e.SetFrame(SecretsFile, m.tables[SecretsFile])
		e.SetFrame(ChoicesFile, m.tables[ChoicesFile])
	}
	e.Reading = m.from
	if m.from.Run != nil {
		spec, _ := Judgement.Spec(m.from.Run)
		e.Exact = spec.Asked == Public
		if spec.Asked == Everybody {
			e.InFile = m.inFile
		}
	}
	return e
}

// inFile returns the rows of the run's file that a selection of the scores was read from. The file of a model that was
// asked about everybody has other parts than the scores, so the rows are selected by IDs or people.
func (m *Model) inFile(file string, s study.Selection) study.Selection {
	s.Where = slices.Clone(s.Where)
	for i, c := range s.Where {
		if c.Column == "part" {
			var ids []string
			for _, a := range among(m.Answers, c.Words[0], "") {
				ids = append(ids, a.ID)
			}
			s.Where[i] = study.Among("id", ids...)
		}
	}
	if file == SecretsFile {
		people := study.Condition{Column: "identity"}
		for _, secret := range m.Secrets {
			if identity := float64(secret.Identity); !slices.Contains(people.Numbers, identity) {
				people.Numbers = append(people.Numbers, identity)
			}
		}
		s.Where = append(s.Where, people)
	}
	return s
}

// lost reports whether a model diverged and has no scores.
func (m *Model) lost() bool { return m == nil || m.Answers == nil }

// score returns a score of the model, or NaN if the model diverged.
func (m *Model) score(c study.Metric) float64 { return c.Mean(m.evaluation(), nil) }

// Read reads the results of a plan. If runs are missing, it returns a [study.Absent]. If none of the named tables needs
// results, it succeeds without them.
func (p *Plan) Read(s *store.Store, tables ...string) (*Results, error) {
	if err := p.Complete(s); err != nil {
		if len(tables) > 0 && !slices.ContainsFunc(tables, needsResults) {
			return &Results{Preset: p.Preset, store: s}, nil
		}
		return nil, err
	}
	return p.readAll(s)
}

// readAll reads the results of all runs.
func (p *Plan) readAll(s *store.Store) (*Results, error) {
	r := &Results{Preset: p.Preset, store: s}
	for world, w := range p.Worlds {
		scores := WorldScores{}
		for _, size := range w.Sizes {
			read, err := p.read(s, world, size)
			if err != nil {
				return nil, err
			}
			scores.Sizes = append(scores.Sizes, read)
		}
		r.Worlds = append(r.Worlds, scores)
	}
	return r, nil
}

func (p *Plan) read(s *store.Store, world int, runs SizeRuns) (scores SizeScores, err error) {
	for _, part := range []struct {
		into *(*Model)
		run  *study.Run
	}{{&scores.Base, runs.Base}, {&scores.Public, runs.Public}, {&scores.Taught, runs.Taught.Scores},
		{&scores.Gold, runs.Gold.Scores}} {
		if *part.into, err = readModel(s, world, part.run); err != nil {
			return scores, err
		}
	}
	for _, part := range []struct {
		into *[]*Model
		runs []*study.Run
	}{{&scores.Shapes, runs.Shapes}, {&scores.Counts, runs.Counts}, {&scores.Shares, runs.Shares}} {
		if *part.into, err = readModels(s, world, part.runs); err != nil {
			return scores, err
		}
	}
	for _, row := range runs.Methods {
		var models []*study.Run
		for _, m := range row {
			models = append(models, m.Scores)
		}
		read, err := readModels(s, world, models)
		if err != nil {
			return scores, err
		}
		scores.Methods = append(scores.Methods, read)
		scores.Befores = append(scores.Befores, scores.Taught.asked(read...))
	}
	scores.compareTheSamePeople()
	scores.compareGold()
	helped := append([]ModelRuns{runs.Taught, runs.Gold}, runs.Methods[len(runs.Methods)-1]...)
	for _, m := range helped {
		h, err := p.readHelped(s, world, m)
		if err != nil {
			return scores, err
		}
		scores.Helped = append(scores.Helped, h)
	}
	for _, run := range runs.Traces {
		artifact, err := s.Get(run.Key())
		if err != nil {
			return scores, fmt.Errorf("%s: %w", run.Title, err)
		}
		traces, err := ReadTraces(artifact)
		if err != nil {
			return scores, fmt.Errorf("%s: %w", run.Title, err)
		}
		scores.Traces = append(scores.Traces, traces)
	}
	return scores, nil
}

// compareTheSamePeople restricts the retained people to those that all ratios retain. Gold is asked about no others,
// and ratios would otherwise be compared on different people.
func (s *SizeScores) compareTheSamePeople() {
	kept := map[int32]bool{}
	for _, m := range append([]*Model{s.Gold}, s.Methods[len(s.Methods)-1]...) {
		if m.lost() {
			continue
		}
		for _, a := range among(m.Answers, PartRetain, "") {
			kept[a.Identity] = true
		}
		break
	}
	if len(kept) == 0 {
		return
	}
	for ratio, models := range s.Methods {
		for i := range models {
			models[i] = models[i].keeping(kept)
		}
		s.Befores[ratio] = s.Befores[ratio].keeping(kept)
	}
}

// compareGold restricts gold to the people to forget at each ratio. Gold lacks the people of the largest ratio.
func (s *SizeScores) compareGold() {
	s.golds = nil
	for ratio, before := range s.Befores {
		if ratio < len(s.Befores)-1 {
			s.golds = append(s.golds, s.Gold.about(before))
		}
	}
	s.golds = append(s.golds, s.Gold)
}

// keeping returns the scores of a model, with retained people restricted to the given ones.
func (m *Model) keeping(people map[int32]bool) *Model {
	if m.lost() {
		return m
	}
	view := m.Scores
	view.Answers = slices.DeleteFunc(slices.Clone(m.Answers), func(a Answer) bool {
		return a.Part == PartRetain && !people[a.Identity]
	})
	if len(view.Answers) == len(m.Answers) {
		return m
	}
	return &Model{Scores: view, from: m.from}
}

func (p *Plan) readHelped(s *store.Store, world int, runs ModelRuns) (h Helped, err error) {
	if h.Rounded, err = readModels(s, world, runs.Rounded); err != nil || runs.Relearnt == nil {
		return h, err
	}
	h.Relearnt, err = p.Preset.relearning().Load(s, study.Reading{Run: runs.Relearnt, For: study.ForValue,
		Repetition: world, File: RelearntFile(0)}, nil)
	return h, err
}

// relearning describes the files of a model that relearns.
func (p Preset) relearning() study.Layout {
	l := study.Layout{Repetitions: Worlds, Fields: files.Fields, Files: map[string][]safefile.Field{}}
	for _, passes := range p.Relearning.budgets() {
		l.Files[RelearntFile(passes)] = files.Fields
	}
	return l
}

// readModel reads the scores of a run, or returns nil if run is nil.
func readModel(s *store.Store, world int, run *study.Run) (*Model, error) {
	if run == nil {
		return nil, nil
	}
	artifact, err := s.Get(run.Key())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", run.Title, err)
	}
	var scores Scores
	var tables map[string]*safefile.Frame
	if artifact.Has(AnswersFile) {
		if scores, tables, err = readScores(artifact); err != nil {
			return nil, fmt.Errorf("%s: %w", run.Title, err)
		}
	}
	return &Model{Scores: scores, tables: tables,
		from: study.Reading{Run: run, Repetition: world, File: AnswersFile}}, nil
}

func readModels(s *store.Store, world int, runs []*study.Run) (models []*Model, err error) {
	for _, run := range runs {
		m, err := readModel(s, world, run)
		if err != nil {
			return nil, err
		}
		models = append(models, m)
	}
	return models, nil
}

// asked returns the scores of a model that was asked about everybody, restricted to what others were asked. Its
// answers are assigned to the others' parts, and its values are restricted to the others' people.
func (m *Model) asked(others ...*Model) *Model {
	at := slices.IndexFunc(others, func(o *Model) bool { return !o.lost() })
	if at < 0 || m.lost() {
		return &Model{from: m.from}
	}
	parts, people := map[string]string{}, map[int32]bool{}
	for _, a := range others[at].Answers {
		parts[a.ID] = a.Part
		people[a.Identity] = people[a.Identity] || a.Part == PartForget
	}
	view := Scores{Choices: m.Choices}
	for _, a := range m.Answers {
		if part, known := parts[a.ID]; known {
			a.Part = part
			view.Answers = append(view.Answers, a)
		}
	}
	for _, secret := range m.Secrets {
		if people[secret.Identity] {
			secret.Part = PartForget
			view.Secrets = append(view.Secrets, secret)
		}
	}
	return &Model{Scores: view, from: m.from}
}

// about returns the scores of a model about the people that another model is to forget. Gold has left out the people of
// the largest ratio, who include the people of the smaller ratios.
func (m *Model) about(other *Model) *Model {
	people := map[int32]bool{}
	for _, a := range other.Answers {
		people[a.Identity] = people[a.Identity] || a.Part == PartForget
	}
	view := Scores{Choices: m.Choices}
	for _, a := range m.Answers {
		if people[a.Identity] || a.Part == PartRetain {
			view.Answers = append(view.Answers, a)
		}
	}
	for _, secret := range m.Secrets {
		if people[secret.Identity] {
			view.Secrets = append(view.Secrets, secret)
		}
	}
	return &Model{Scores: view, from: m.from}
}

// among returns the answers to a part of the questions, restricted to a hop if hop is not empty.
func among(answers []Answer, part, hop string) (chosen []Answer) {
	for _, a := range answers {
		if a.Part == part && (hop == "" || a.Hop == hop) {
			chosen = append(chosen, a)
		}
	}
	return chosen
}

// nameSecrets returns the ranks of people's names.
func (m *Model) nameSecrets() (names []Secret) {
	if m.lost() {
		return nil
	}
	for _, s := range m.Secrets {
		if s.Attribute == string(profile.FullName) {
			names = append(names, s)
		}
	}
	return names
}
