package concealment

import (
	"fmt"
	"image"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// SecondFile is the name of the file with the second judge's labels.
const SecondFile = "second.parquet"

// secondRow is a row of the file of the second judge's labels.
type secondRow struct {
	Attack int32 `parquet:"attack"`
	Other  bool  `parquet:"other"`
	viewRow
}

// WriteParquet writes one row per picture.
func (v SecondViews) WriteParquet(path string) error {
	rows := make([]secondRow, len(v))
	for i, view := range v {
		rows[i] = secondRow{int32(view.Attack), view.Other,
			viewRow{view.Prompt, int32(view.Number), rowOf(view.Labels)}}
	}
	return safefile.WriteRows(path, rows)
}

// SheetColumns is the number of pictures in a row of a sheet. A sheet shows pictures that a model draws without
// another's help.
const SheetColumns = 5

// StoredPictures returns the stored pictures of each attack: first those that the original draws alone, then those that
// the other model draws alone. It also returns the first judge's labels of these pictures.
func StoredPictures(attacks []*store.Artifact) (all SecondViews, pictures []*image.NRGBA, err error) {
	for number, attack := range attacks {
		for _, set := range []struct {
			other        bool
			views, sheet string
		}{{false, originalFile, OriginalSheet}, {true, unlearnedFile, UnlearnedSheet}} {
			views, err := ReadViews(attack, set.views)
			if err != nil {
				return nil, nil, err
			}
			sheet, err := readSheet(attack, set.sheet)
			if err != nil {
				return nil, nil, err
			}
			tiles := concept.Tiles(sheet, SheetColumns)
			count := min(len(views), len(tiles))
			pictures = append(pictures, tiles[:count]...)
			for _, view := range views[:count] {
				all = append(all, SecondView{number, set.other, view})
			}
		}
	}
	return all, pictures, nil
}

// second plans the run of the second judge.
func (p *Plan) second(judge JudgeSpec) {
	look := &p.controls.Second
	spec := SecondSpec{Judge: Judge.Add(&p.Plan, "another judge, training", 4, judge).Input()}
	for row, a := range p.Attacked {
		spec.Attacks, look.of = append(spec.Attacks, a.Gold.Input()), append(look.of, lookedAt{row, true})
		if len(a.Unlearned) > 0 {
			spec.Attacks, look.of = append(spec.Attacks, a.Unlearned[0].Input()), append(look.of, lookedAt{row, false})
		}
	}
	look.Run = Second.AddAs(study.Labels{controlLabel: "another judge"}, &p.Plan,
		"what another judge sees in the same pictures", .2, spec)
}

// read reads the second judge's labels if the run is complete.
func (l secondLook) read(s *store.Store, r *Results) error {
	if l.Run == nil {
		return nil
	}
	artifact, err := ifMade(s, l.Run)
	if err != nil || artifact == nil {
		return err
	}
	rows, err := store.ReadRows[secondRow](artifact, SecondFile)
	views := make([]SecondView, len(rows))
	for i, row := range rows {
		v := SecondView{int(row.Attack), row.Other, row.view()}
		if v.Attack < 0 || v.Attack >= len(l.of) || v.Number < 0 {
			err = fmt.Errorf("row %d is of attack %d of %d, picture %d", i+1, v.Attack, len(l.of), v.Number)
			break
		}
		views[i] = v
	}
	if err != nil {
		return fmt.Errorf("%s: %w", l.Run.Title, err)
	}
	r.Second = views
	return nil
}

// bothJudged counts how often each judge sees something in the same pictures, and how often the judges agree.
type bothJudged struct {
	name, of      string
	mistakes      bool // seeing it is a mistake, because gold cannot draw it
	first, second share
	agree         int
}

func (b *bothJudged) add(what concept.Concept, first, second concept.Labels) {
	one, other := what.Covers(first), what.Covers(second)
	b.first.add(one)
	b.second.add(other)
	if one == other {
		b.agree++
	}
}

// twiceJudged compares the two judges on the pictures that both have labelled. For the original's pictures, it counts
// how often the judges see what the prompt asks for. For pictures of gold and of erased models, it counts how often
// they see the erased concept.
func (r *Results) twiceJudged() []*bothJudged {
	var all []*bothJudged
	row := func(name, of string, mistakes bool) *bothJudged {
		at := len(all) // index after the rows of the same name
		for i, known := range all {
			if known.name == name && known.of == of {
				return known
			}
			if known.name == name {
				at = i + 1
			}
		}
		met := &bothJudged{name: name, of: of, mistakes: mistakes}
		all = slices.Insert(all, at, met)
		return met
	}
	for _, kind := range labelKinds {
		row(kind+" asked for", "the original", false)
	}
	for _, v := range r.Second {
		at := r.plan.controls.Second.of[v.Attack]
		attack := &r.Attacks[at.row]
		a, whose := attack.Gold, "gold"
		if !at.gold {
			a, whose = attack.Unlearned[0], attack.Prompt.Method
		}
		if !v.Other {
			if first, there := a.Original.labels(v.View); there && at.gold && !r.samePromptBefore(at.row) {
				for k, what := range askedFor(v.Prompt) {
					if what != (concept.Concept{}) {
						row(labelKinds[k]+" asked for", "the original", false).add(what, first, v.Labels)
					}
				}
			}
			continue
		}
		if first, there := a.Unlearned.labels(v.View); there {
			told := "another prompt"
			if attack.Prompt.Forget {
				told = "prompt with its word"
			}
			row(attack.Erasure.Paper+", "+told, whose, at.gold).add(attack.Erasure.Concept, first, v.Labels)
		}
	}
	return all
}

// judgesTable tabulates how often the two judges see the same in a picture.
func (r *Results) judgesTable() (*report.Table, error) {
	if len(r.Second) == 0 {
		why := "has one judge; controls has another"
		if r.Preset.Controls.Judge != nil {
			why = "was not yet judged a second time; do it with: unlearnlab run concealment --preset controls " +
				"--method judge"
		}
		return nil, &study.Lacks{Preset: r.Preset.Name, Why: why}
	}
	t := &report.Table{Title: fmt.Sprintf("Two judges on the same pictures (%s)", r.Preset.Name),
		Corners: []string{"What", "Drawn by"},
		Columns: []report.Column{{Name: "Pictures"}, {Name: "The study's"}, {Name: "Another"}, {Name: "Agree"}}}
	t.Columns = append(t.Columns, words("A mistake?")...)
	for _, b := range r.twiceJudged() {
		if b.first.of == 0 {
			continue
		}
		agree := float64(b.agree) / float64(b.first.of)
		t.Rows = append(t.Rows, report.Named(b.name, b.of).With(
			report.Number(fmt.Sprint(b.first.of), float64(b.first.of)), b.first.cell(), b.second.cell(),
			report.Number(fmt.Sprintf("%.3f", agree), agree), yes(b.mistakes)))
	}
	t.Note = "Share of pictures in which each judge sees the concept, with Wilson's 95 % intervals, and how " +
		"often the two agree. The second judge was trained like the study's, but on pictures with a little " +
		"noise, as drawn pictures have. The pictures are those that attacks keep for viewing: the first that " +
		"each model draws alone for each prompt (for methods, with the first training seed). Gold has never " +
		"seen the erased concept."
	return t, nil
}
