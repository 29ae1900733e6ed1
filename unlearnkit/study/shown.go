package study

import (
	"fmt"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Hidden holds the sentence about methods that are not shown. Results that embed it put the sentence below their tables.
type Hidden struct{ sentence string }

func (h *Hidden) hide(sentence string) { h.sentence = sentence }

func (h *Hidden) said() string { return h.sentence }

// Below adds the sentence to the note of a table.
func (h *Hidden) Below(t *report.Table, err error) (*report.Table, error) {
	if err == nil {
		t.Note += h.sentence
	}
	return t, err
}

// Shown returns the part of the plan that can be read from a store: without the methods of which runs are missing, if no
// other run is missing and at least half of the methods remain. So a method that was added to a preset, or not computed
// yet, is a missing row and not a missing preset. In all other cases Shown returns the plan itself.
func (p *PresetPlan) Shown(s *store.Store) (*PresetPlan, error) {
	if p.Without == nil {
		return p, nil
	}
	missing, err := p.Missing(s)
	if err != nil || len(missing) == 0 {
		return p, err
	}
	var hidden, said []string
	for _, method := range p.Methods {
		others, runs := p.Without(method).Keys(), 0
		for _, run := range missing {
			if !others[run.Key()] {
				runs++
			}
		}
		if runs > 0 {
			hidden, said = append(hidden, method), append(said, fmt.Sprintf("%s (%d runs)", method, runs))
		}
	}
	if len(hidden) == 0 || 2*len(hidden) > len(p.Methods) {
		return p, nil
	}
	shown := p.Without(hidden...)
	if rest, err := shown.Missing(s); err != nil || len(rest) > 0 {
		return p, err
	}
	sentence := fmt.Sprintf(" Not shown, because not computed: %s; unlearnlab run %s --preset %s computes them.",
		strings.Join(said, ", "), p.paper, p.Preset)
	read := shown.Read
	shown.Read = func(s *store.Store, tables ...string) (Results, error) {
		found, err := read(s, tables...)
		if noted, is := found.(interface{ hide(sentence string) }); is && err == nil {
			noted.hide(sentence)
		}
		return found, err
	}
	return shown, nil
}
