package salmu

import (
	"fmt"
	"strconv"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// AttackKind is an attack with its lessons and budgets. At several rates, it is run at each of them.
type AttackKind struct {
	Name    string // in tables
	Attack  Attack
	Lessons Lessons
	Rates   []float64 // learning rates; a single 0 if nothing is trained
	Budgets []int
}

// attackBatch is the number of pairs in a step of relearning.
const attackBatch = 64

// attackKinds lists the attacks of the study.
func attackKinds() []AttackKind {
	rates, steps := []float64{1e-4, 5e-4}, []int{1, 2, 4, 8, 16, 32, 64}
	return []AttackKind{
		{"retained pairs", Relearning, OfRetained, rates, steps},
		{"others' facts", Relearning, OfRelated, rates, steps},
		{"half of the facts", Relearning, OfHalf, rates, steps},
		{"a map, half of the facts", Alignment, OfHalf, []float64{0}, []int{16, 32, 64, 128, 256}},
		{"a map, retained pairs", Alignment, OfRetained, []float64{0}, []int{64, 128, 256, 512, 1024}},
	}
}

// recoveryBudget is the number of passes after which methods are attacked, that of the paper's main table.
const recoveryBudget = 5

// Recovery returns [TenWorlds] with attacks on the models of Table 5. The attacks were chosen by what they bring back in
// the first two worlds, so these are left out.
func Recovery() Preset {
	p := TenWorlds()
	p.Name, p.Attacked, p.Attacks, p.Looked = recoveryPreset, methods(recoveryBudget), attackKinds(), 2
	return p
}

// recoveryPreset names the preset and the table of attacks.
const recoveryPreset = "recovery"

// plannedAttack is an attack on one model.
type plannedAttack struct {
	world  int
	start  string // compromised or clean
	method int    // index of the method that was run from start; -1 for start itself
	kind   AttackKind
	rate   int // index in the kind's rates
	run    *study.Run
}

// attacksOn plans the attacks of a world: on the base models, and on what each method makes of either. What a method
// makes of Clean shows how much the damage that it does slows an attack down.
func (p *Plan) attacksOn(world int, models map[string]*study.Run) {
	for _, start := range []string{compromised, clean} {
		p.attack(world, start, -1, models[start])
		for m, method := range p.Preset.Attacked {
			p.attack(world, start, m, p.forgetful(world, start, models[start], method))
		}
	}
}

// forgetful plans the run that keeps the model which a method leaves.
func (p *Plan) forgetful(world int, start string, base *study.Run, m Method) *study.Run {
	corpus := p.Preset.corpus(world)
	return Forgetful.AddAs(study.Labels{startLabel: start}, &p.Plan,
		fmt.Sprintf("world %d: %s from %s, model", world, m.Title, modelTitles[start]), cost(m), UnlearnedSpec{
			Corpus: corpus, Start: base.Input(), Method: m.Name, Version: m.Version, Values: m.Values,
			Budgets: m.Budgets, Each: p.Preset.Each, Retain: p.Preset.Retain, Seed: corpus.root(),
		})
}

// attack plans all attacks on a model.
func (p *Plan) attack(world int, start string, method int, model *study.Run) {
	corpus, name, named := p.Preset.corpus(world), modelTitles[start], start
	if method >= 0 {
		named = p.Preset.Attacked[method].Name
		name = p.Preset.Attacked[method].Title + " from " + name
	}
	for _, kind := range p.Preset.Attacks {
		for i, rate := range kind.Rates {
			title := fmt.Sprintf("world %d: %s, %s", world, name, kind.Name)
			if rate > 0 {
				title += " at rate " + strconv.FormatFloat(rate, 'g', -1, 64)
			}
			spec := AttackedSpec{Corpus: corpus, Model: model.Input(), Attack: kind.Attack, Lessons: kind.Lessons,
				Rate: rate, Budgets: kind.Budgets, Each: p.Preset.Each, Seed: corpus.root()}
			if kind.Attack == Relearning {
				spec.Batch = attackBatch
			}
			run := Attacked.AddAs(study.Labels{startLabel: start, methodLabel: named}, &p.Plan, title, 5, spec)
			p.attacks = append(p.attacks, plannedAttack{world, start, method, kind, i, run})
		}
	}
}
