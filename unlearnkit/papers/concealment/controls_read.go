package concealment

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// part reads the results that are complete. If the preset has controls, it reads the whole study and the complete
// controls. Otherwise it reads the methods and concepts whose runs are all complete.
func (p *Plan) part(s *store.Store) (*Results, error) {
	if len(p.Preset.Controls.Concepts) == 0 {
		whole, err := p.completePreset(s)
		if err != nil {
			return nil, err
		}
		return NewPlan(whole).Read(s)
	}
	r, err := NewPlan(p.Preset.uncontrolled()).Read(s)
	if err != nil {
		return nil, err
	}
	r.Preset, r.plan = p.Preset, p
	return r, p.controls.read(s, r)
}

// completePreset returns the preset restricted to the methods and concepts whose runs are all complete.
func (p *Plan) completePreset(s *store.Store) (Preset, error) {
	var of []selection
	for _, pair := range p.Pairs {
		one := selection{pair.Method.Title, pair.Erasure.Paper}
		missing, err := p.Missing(s, p.selected(one)...)
		if err != nil {
			return Preset{}, err
		}
		if len(missing) == 0 {
			of = append(of, one)
		}
	}
	if len(of) == 0 {
		return Preset{}, p.Complete(s)
	}
	return p.Preset.restricted(of), nil
}

// read reads the controls whose runs are all complete.
func (c controlRuns) read(s *store.Store, r *Results) error {
	for _, gold := range c.Golds {
		control := control{Name: "gold: " + gold.Name, Erasure: gold.Erasure, attacks: map[string]controlled{},
			look: gold.Look}
		look, err := ifMade(s, gold.Look)
		if err != nil {
			return err
		}
		if look == nil {
			continue
		}
		if control.gold, err = ReadViews(look, ViewsFile); err != nil {
			return fmt.Errorf("%s: %w", gold.Look.Title, err)
		}
		whole := true
		for _, a := range gold.Attacked {
			attacked, err := readOne(s, a.Run)
			if err != nil {
				return err
			}
			if whole = whole && attacked != nil; whole {
				control.attacks[a.Prompt.Prompt] = controlled{gold: attacked, run: a.Run}
			}
		}
		if whole {
			r.take(control, gold.Said == concept.Unread)
		}
	}
	if err := c.readMoves(s, r); err != nil {
		return err
	}
	if err := c.Second.read(s, r); err != nil {
		return err
	}
	return c.readFinished(s, r)
}

// take adds a control. If the control is another training of gold, take also adds its attacks to the rows, so that
// intervals include all trainings of gold.
func (r *Results) take(c control, trainedAgain bool) {
	if trainedAgain {
		count := 1
		for _, other := range r.controls {
			if other.Erasure == c.Erasure && other.again {
				count++
			}
		}
		c.Name, c.again = fmt.Sprintf("%s %d", c.Name, count), true
		for i := range r.Attacks {
			if a, there := c.attacks[r.Attacks[i].Prompt.Prompt]; there {
				r.Attacks[i].Others = append(r.Attacks[i].Others, a.gold)
			}
		}
	}
	r.controls = append(r.controls, c)
}

// readFinished reads the attacks in which completing models get a different prompt. All attacks on a concept with one
// finish form one control. An attack belongs to both finishes if they give the same prompt.
func (c controlRuns) readFinished(s *store.Store, r *Results) error {
	for _, paper := range r.Preset.Controls.Concepts {
		e := erasure(paper)
		for _, f := range finishes {
			control := control{Name: "finished " + f.Name, Erasure: e, attacks: map[string]controlled{}, ends: true}
			whole := true
			for _, finished := range c.Finished {
				if finished.Prompt.Erased != paper || finished.Told != f.of(finished.Prompt.Prompt, e) {
					continue
				}
				attacks, err := finished.read(s)
				if err != nil {
					return err
				}
				if whole = whole && attacks.gold != nil; whole {
					control.attacks[finished.Prompt.Prompt] = attacks
				}
			}
			if whole && len(control.attacks) > 0 {
				r.take(control, false)
			}
		}
	}
	return nil
}

// read reads the attacks. The result has no gold if a run is not complete.
func (f finished) read(s *store.Store) (c controlled, err error) {
	for _, run := range f.Unlearned {
		attacked, err := readOne(s, run)
		if err != nil || attacked == nil {
			return controlled{}, err
		}
		c.unlearned = append(c.unlearned, attacked)
	}
	c.gold, err = readOne(s, f.Gold)
	return c, err
}

// readOne reads an attack. It returns nil if the attack is not complete.
func readOne(s *store.Store, run *study.Run) (*Attacked, error) {
	artifact, err := ifMade(s, run)
	if err != nil || artifact == nil {
		return nil, err
	}
	attacked, _, err := readAttack(s, run, nil)
	return attacked, err
}

// withControl returns the results with a control's attacks in place of the study's own. If c is nil, it returns the
// study's own results with a single training of gold.
func (r *Results) withControl(c *control) *Results {
	other := *r
	other.Attacks, other.controlled = slices.Clone(r.Attacks), c
	for i := range other.Attacks {
		a := &other.Attacks[i]
		a.Others = nil
		if c == nil || a.Prompt.Erased != c.Erasure.Paper {
			continue
		}
		if instead, there := c.attacks[a.Prompt.Prompt]; there {
			a.Gold = instead.gold
			if instead.unlearned != nil {
				a.Unlearned = instead.unlearned
			}
		}
	}
	return &other
}
