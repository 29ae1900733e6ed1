package train

import (
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/persona"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/picturefolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/salmu512"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// published is the corpus of a download, with the user's ImageNet and retain pictures.
type published struct {
	rows               map[persona.Split][]persona.Row
	names, templates   []string
	pictures           *album         // pictures of all rows, except for ObjectTest and RetainReal
	imageNet, retained *album         // pictures for ObjectTest and for RetainReal; nil if missing
	size               int            // width and height of the pictures in pixels
	people             map[string]int // number of each person, by identity
}

// openPublished reads the rows of a download. The artifacts hold the pictures of its folders.
func (l *Lab) openPublished(spec salmu.Corpus, artifacts []*store.Artifact) (corpus, error) {
	p := &published{rows: map[persona.Split][]persona.Row{}, people: map[string]int{}, size: l.found.Image}
	for i, source := range spec.Sources() {
		folder, err := l.found.digests.Folder(source.Digest)
		if err != nil {
			return nil, err
		}
		switch source.Digest {
		case spec.Data:
			err = p.readBenchmark(folder, artifacts[i])
		case spec.ImageNet:
			err = p.readImageNet(folder, artifacts[i])
		default:
			err = p.readRetain(folder, artifacts[i])
		}
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *published) readBenchmark(dir string, artifact *store.Artifact) error {
	data, err := salmu512.Open(dir)
	if err != nil {
		return err
	}
	defer data.Close()
	side, err := data.Side()
	if err != nil {
		return err
	}
	count, first := 0, map[salmu512.Split]int{} // number of pictures so far, and index of each split's first
	for _, split := range benchmarkSplits {
		rows, err := data.Rows(split)
		if err != nil {
			return err
		}
		first[split], count = count, count+len(rows)
	}
	for _, part := range []struct {
		of       salmu512.Split
		as, into persona.Split
	}{
		{salmu512.ForgetIdentity, persona.ForgetIdentity, persona.Sensitive},
		{salmu512.ForgetAssociation, persona.ForgetAssociation, persona.Sensitive},
		{salmu512.HoldoutAssociation, persona.HoldoutAssociation, persona.Sensitive},
		{salmu512.HoldoutIdentity, persona.HoldoutIdentity, persona.Sensitive},
		{salmu512.RetainJoint, persona.RetainJoint, persona.RetainJoint},
		{salmu512.RetainDisjoint, persona.RetainDisjoint, persona.RetainDisjoint},
	} {
		rows, err := data.Rows(part.of)
		if err != nil {
			return err
		}
		for _, from := range rows {
			row, err := p.row(from, part.as, side)
			if err != nil {
				return fmt.Errorf("read %s: %w", dir, err)
			}
			row.Image = first[from.Split] + from.Index
			p.rows[part.into] = append(p.rows[part.into], row)
		}
	}
	p.pictures, err = openAlbum(artifact, count, p.size)
	return err
}

// row converts a published row to the study's format.
func (p *published) row(from salmu512.Row, split persona.Split, side *salmu512.SideFiles) (persona.Row, error) {
	row := persona.Row{ID: from.FileName, Split: split, Identity: -1, Caption: from.Caption, Class: -1}
	if from.Identity != "" {
		number, known := p.people[from.Identity]
		if !known {
			number = len(p.people)
			p.people[from.Identity] = number
		}
		row.Identity = number
	}
	if from.Split == salmu512.RetainSynth {
		row.Generic = row.Caption
		if row.Split == persona.RetainDisjoint && side.Fragile[row.ID] {
			row.Split = salmu.FragileSet
		}
		return row, nil
	}
	row.Generic = side.Generic[row.ID]
	if from.Split != salmu512.Forget {
		return row, nil
	}
	if row.Generic == "" {
		return row, fmt.Errorf("sensitive_set_generic_captions.json: it has no caption of %s", row.ID)
	}
	var err error
	row.Name, row.Value, err = side.Fact(from)
	return row, err
}

func (p *published) readImageNet(dir string, artifact *store.Artifact) error {
	set, err := picturefolder.Sorted(dir)
	if err != nil {
		return err
	}
	p.names, p.templates = set.Classes, picturefolder.Templates()
	for i, example := range set.Examples {
		p.rows[persona.ObjectTest] = append(p.rows[persona.ObjectTest],
			persona.Row{ID: example.File, Split: persona.ObjectTest, Identity: -1, Class: example.Class, Image: i})
	}
	p.imageNet, err = openAlbum(artifact, len(set.Examples), p.size)
	return err
}

func (p *published) readRetain(dir string, artifact *store.Artifact) error {
	pairs, err := picturefolder.Pairs(dir)
	if err != nil {
		return err
	}
	for i, pair := range pairs {
		p.rows[persona.RetainReal] = append(p.rows[persona.RetainReal],
			persona.Row{ID: pair.File, Split: persona.RetainReal, Identity: -1, Caption: pair.Caption,
				Generic: pair.Caption, Class: -1, Image: i})
	}
	p.retained, err = openAlbum(artifact, len(pairs), p.size)
	return err
}

func (p *published) split(name persona.Split) []persona.Row { return p.rows[name] }

// retainRows returns the user's retain sample. It leaves out the published portraits, a negligible part of the training
// data.
func (p *published) retainRows() []persona.Row { return p.rows[persona.RetainReal] }

func (p *published) classes() (names, templates []string) { return p.names, p.templates }

func (p *published) root() uint64 { return salmu.PaperSeed }

func (p *published) draw(row persona.Row, size int, pixels []float32) error {
	if size != p.size {
		return fmt.Errorf("the model looks at %d pixels, the pictures were made with %d", size, p.size)
	}
	from := p.pictures
	switch row.Split {
	case persona.ObjectTest:
		from = p.imageNet
	case persona.RetainReal:
		from = p.retained
	}
	return from.draw(row.Image, pixels)
}
