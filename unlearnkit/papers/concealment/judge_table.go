package concealment

import (
	"fmt"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// judged counts the pictures in which the judge sees something.
type judged struct {
	name     string
	of       string // name of the model that drew the pictures
	seen     share
	mistakes bool // seeing it is a mistake, because the model cannot draw it
	told     bool // the pictures are gold's, and their prompt names the erased concept
	erased   string
}

// labelKinds names the kinds of labels that a prompt may ask for. Spots and bands are textures, which are judged
// separately.
var labelKinds = [...]string{"object", "style", "colour", "spots", "bands"}

// askedFor returns what a prompt asks for, for each kind of label. If it does not ask for a kind, the concept is empty.
func askedFor(prompt string) (kinds [len(labelKinds)]concept.Concept) {
	asked, err := shown(prompt)
	if err != nil {
		return kinds
	}
	return [...]concept.Concept{{Object: asked.Object}, {Style: asked.Style}, {Colour: asked.Colour},
		{Texture: textureWord(asked.Texture, concept.Spotted)}, {Texture: textureWord(asked.Texture, concept.Banded)}}
}

// judgements returns, for each kind of label, how often the judge sees what the prompt asks for in the original's
// pictures. It also returns how often the judge sees a concept in pictures of gold, which was not trained on it.
func (r *Results) judgements() []judged {
	var all []judged
	for _, kind := range labelKinds {
		all = append(all, judged{name: kind + " asked for", of: "the original"})
	}
	spots := judged{name: "spots, bands asked for", of: "the original", mistakes: true}
	for i := range r.Attacks {
		row := &r.Attacks[i]
		if r.samePromptBefore(i) || row.Gold == nil {
			continue // for the same prompt, the original draws the same pictures
		}
		asked := askedFor(row.Prompt.Prompt)
		for _, v := range row.Gold.Original {
			for k, what := range asked {
				if what != (concept.Concept{}) {
					all[k].seen.add(what.Covers(v.Labels))
				}
			}
			if asked[len(asked)-1] != (concept.Concept{}) {
				spots.seen.add(v.Labels.Texture == concept.Spotted)
			}
		}
	}
	return append(append(all, spots), r.falseSights()...)
}

// samePromptBefore reports whether an earlier row has the same prompt.
func (r *Results) samePromptBefore(at int) bool {
	for i := range at {
		if r.Attacks[i].Prompt.Prompt == r.Attacks[at].Prompt.Prompt {
			return true
		}
	}
	return false
}

// falseSights returns how often the judge sees a concept in pictures of gold, which was not trained on it. Prompts that
// ask for the concept are counted separately from other prompts.
func (r *Results) falseSights() (all []judged) {
	for _, e := range r.Preset.erasures() {
		with := judged{name: e.Paper + ", prompt with its word", of: "gold", mistakes: true, told: true, erased: e.Paper}
		without := judged{name: e.Paper + ", another prompt", of: "gold", mistakes: true}
		for i := range r.Attacks {
			row := &r.Attacks[i]
			if row.Erasure.Paper != e.Paper || row.Gold == nil {
				continue
			}
			into := &without
			if row.Prompt.Forget {
				into = &with
			}
			for _, gold := range r.golds(row) {
				for _, v := range gold.Unlearned {
					into.seen.add(e.Concept.Covers(v.Labels))
				}
			}
		}
		looks := []Views{r.Golds[e.Paper]}
		for _, f := range r.further {
			looks = append(looks, f.Golds[e.Paper])
		}
		for _, v := range slices.Concat(looks...) {
			if !asks(v.Prompt, e.Concept) {
				without.seen.add(e.Concept.Covers(v.Labels))
			}
		}
		all = append(all, with, without)
	}
	return all
}

// golds returns the attacks of a row on the study's own gold models: a single one, or one for each training seed.
func (r *Results) golds(row *AttackScores) []*Attacked {
	if len(r.further) == 0 {
		return []*Attacked{row.Gold}
	}
	return append([]*Attacked{row.Gold}, row.Others...)
}

// textureWord returns word if word is the name of the texture. Otherwise it returns "".
func textureWord(word string, texture concept.Texture) string {
	if word == texture.String() {
		return word
	}
	return ""
}

// judgeTable tabulates how reliable the judge is for pictures that models have drawn.
func (r *Results) judgeTable() (*report.Table, error) {
	t := &report.Table{Title: fmt.Sprintf("The judge on drawn pictures (%s)", r.Preset.Name),
		Corners: []string{"What", "Drawn by"},
		Columns: []report.Column{{Name: "Pictures"}, {Name: "Seen"}}}
	t.Columns = append(t.Columns, words("A mistake?")...)
	for _, j := range r.judgements() {
		if j.seen.of == 0 {
			continue
		}
		t.Rows = append(t.Rows, report.Named(j.name, j.of).With(
			report.Number(fmt.Sprint(j.seen.of), float64(j.seen.of)), j.seen.cell(), yes(j.mistakes)))
	}
	t.Note = "Share of pictures in which the judge sees the concept, with Wilson's 95 % intervals. For the " +
		"original, the concept is what the prompt asks for, as for objects and styles at the gate: a miss is " +
		"either the original's or the judge's. Gold has never seen the erased concept, so what the judge sees " +
		"there is a mistake or a likeness. Verdicts count only what a method shows beyond gold, and none is " +
		"given if gold, prompted with the word, surely shows the concept in more than .05 of its pictures. The " +
		"pictures come from the attacks, and from the gate where its prompts do not ask for the concept."
	return t, nil
}
