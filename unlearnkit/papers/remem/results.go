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

// Results holds the raw scores of a preset. Every table, figure and claim is a function of these scores.
type Results struct {
	study.Hidden
	Preset      Preset
	Worlds      []WorldScores
	guestScores []guestScores    // scores of imported models
	doubts      study.GuestNotes // doubts about imported models

	store  *store.Store // store that the scores were read from
	judged bool         // a judge other than the rules has scored the answers
	lack   string       // sentence about missing worlds and sizes; empty if the results are complete
}

// WorldScores holds the scores of the models in one world, by size.
type WorldScores struct{ Sizes []SizeScores }

// SizeScores holds the scores of the models of one size in one world. A model without scores in the preset is nil.
type SizeScores struct {
	Base, Public, Taught *Model
	// Befores holds the taught model's answers to the methods' questions, by number of people to forget.
	Befores []*Model
	Gold    *Model
	Methods [][]*Model // models by number of people to forget, and by method
	golds   []*Model   // scores of the gold model on the people to forget, by number of people
	// helped holds the attempts to bring back knowledge, for the largest number of people to forget: first for the
	// taught model, then for gold, then for the methods.
	helped                 []helped
	Shapes, Counts, Shares []*Model
	Traces                 []Traces // traces by benchmark; the last ones are of public people
}

// helped holds a model's answers after attempts to bring back knowledge: rounding its weights, and relearning.
type helped struct {
	Rounded  []*Model          // answers with rounded weights, by number of bits
	Relearnt *study.Evaluation // answers before relearning and after each budget; nil if the preset does not relearn
}

// Model holds the scores of a model in one world.
type Model struct {
	Scores

	from   study.Reading
	tables map[string]*safefile.Frame // scores as tables; nil for scores that were not read from a file
	once   sync.Once
	read   *study.Evaluation // scores in the form that columns read
}

// guestScores holds the scores of a user's imported models.
type guestScores struct {
	Name  string
	Sizes [][]guestModel // models by size and world; the model is nil if the user imported none
}

// guestModel holds the scores of an imported model, and its answers after relearning.
type guestModel struct {
	*Model
	Helped helped
}

// Seeds returns the number of worlds.
func (r *Results) Seeds() int { return len(r.Worlds) }

// count describes the number of worlds and what is missing: "2 worlds of the 5 that there should be".
func (r *Results) count() string { return Worlds.Count(len(r.Worlds)) + r.lack }

// evaluation returns the scores in the form that columns read, or nil if the preset lacks the model.
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
			secretsFile: safefile.FrameOf(m.Secrets), choicesFile: safefile.FrameOf(m.Choices)}
	}
	if !m.lost() {
		e = study.Evaluated(m.tables[AnswersFile])
		e.SetFrame(secretsFile, m.tables[secretsFile])
		e.SetFrame(choicesFile, m.tables[choicesFile])
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

// inFile converts a selection of scores to a selection of rows in the run's file. If a model was asked about everybody,
// its file divides the questions into other parts. The rows are then selected by IDs or people instead.
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
	if file == secretsFile {
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

// lost reports whether a model has no scores, because it diverged or the preset lacks it.
func (m *Model) lost() bool { return m == nil || m.Answers == nil }

// score returns a metric of the model, or NaN if the model has no scores.
func (m *Model) score(c study.Metric) float64 { return c.Mean(m.evaluation(), nil) }

// Read reads the results of a plan. If runs have not been computed yet, it returns [study.Absent]. If tables are named
// and none of them needs scores, it succeeds without scores.
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
		scores.helped = append(scores.helped, h)
	}
	for _, run := range runs.Traces {
		artifact, err := s.Get(run.Key())
		if err != nil {
			return scores, fmt.Errorf("%s: %w", run.Title, err)
		}
		traces, err := readTraces(artifact)
		if err != nil {
			return scores, fmt.Errorf("%s: %w", run.Title, err)
		}
		scores.Traces = append(scores.Traces, traces)
	}
	return scores, nil
}

// compareTheSamePeople restricts retained people to the people that are retained for every number of people to forget.
// Otherwise, scores for different numbers would be about different people. Gold is asked about no other people anyway.
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

// compareGold keeps, for each number of people to forget, gold's scores on these people and on retained people. The
// same gold serves all numbers: it was taught about none of the people of the largest number, who include the people of
// the smaller numbers.
func (s *SizeScores) compareGold() {
	s.golds = nil
	for ratio, before := range s.Befores {
		if ratio < len(s.Befores)-1 {
			s.golds = append(s.golds, s.Gold.about(before))
		}
	}
	s.golds = append(s.golds, s.Gold)
}

// keeping returns the model's scores without answers about retained people who are not in people.
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

func (p *Plan) readHelped(s *store.Store, world int, runs ModelRuns) (h helped, err error) {
	if h.Rounded, err = readModels(s, world, runs.Rounded); err != nil || runs.Relearnt == nil {
		return h, err
	}
	h.Relearnt, err = p.Preset.relearning().Load(s, study.Reading{Run: runs.Relearnt, For: study.ForValue,
		Repetition: world, File: RelearntFile(0)}, nil)
	return h, err
}

// relearning describes the files of answers during relearning.
func (p Preset) relearning() study.Layout {
	l := study.Layout{Repetitions: Worlds, Fields: files.Fields, Files: map[string][]safefile.Field{}}
	for _, passes := range p.Relearning.budgets() {
		l.Files[RelearntFile(passes)] = files.Fields
	}
	return l
}

// readModel reads the scores of a run. It returns nil if run is nil.
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

// asked restricts the scores of a model that was asked about everybody to the questions that others were asked. Each
// answer gets its part in the others' scores. Only the secrets of the people to forget are kept.
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

// about keeps gold's scores on retained people and on the people that the other model is to forget. Gold was taught
// about none of the people of the largest number, who include the people of the smaller numbers.
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

// among returns the answers to a part of the questions. If hop is not empty, it returns only answers of that kind.
func among(answers []Answer, part, hop string) (chosen []Answer) {
	for _, a := range answers {
		if a.Part == part && (hop == "" || a.Hop == hop) {
			chosen = append(chosen, a)
		}
	}
	return chosen
}

// nameSecrets returns the ranks of people's full names.
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
