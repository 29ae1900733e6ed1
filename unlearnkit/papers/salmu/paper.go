package salmu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Stages that only the preset paper has.
var (
	Published = study.Stage[PublishedSpec]{Name: "salmu/published", Version: 1}
	Pictures  = study.Stage[PicturesSpec]{Name: "salmu/pictures", Version: 1}
)

// PublishedSpec identifies a published model.
type PublishedSpec struct {
	Model string `json:"model"` // digest of the model's files
}

// PicturesSpec identifies the preprocessed pictures of a folder.
type PicturesSpec struct {
	Source string `json:"source"` // digest of the folder
	Size   int    `json:"size"`   // width and height in pixels
}

// FragileSet is the split of rows that the published data name as fragile. With generated data, the Compromised model's
// scores select the fragile rows instead.
const FragileSet = "fragile_set"

// retainSample is the number of pairs of the original training data that the paper's methods use.
const retainSample = 80000

// Paper returns the preset with the paper's data, models, rates, batches and budgets. It leaves out what the download
// lacks, and tables report what is left out.
func Paper(d Download) Preset {
	p := Preset{Name: "paper", Worlds: 1, Each: 1000, Retain: retainSample, Download: &d, Methods: paperMethods()}
	p.Clean = fromClean(p.Methods)
	p.Rates = sweep(p.Methods, 0.1, 0.3, 1, 3, 10, 30)
	p.Methods = slices.DeleteFunc(p.Methods, func(m Method) bool { return p.leftOut(m.Name) })
	return p
}

// lacks returns sentences about scores or methods that a table lacks, because the download does not have their data.
// Each sentence begins with a space.
func (p Preset) lacks(table string) string {
	d, text := p.Download, ""
	switch {
	case d == nil:
		return ""
	case table == "4" && d.Independent == "":
		text = " The model of other data is left out: its checkpoint is not among the models."
	case table == "4":
		return ""
	case d.ImageNet == "":
		text = " GenKnow is not judged: ImageNet is not part of the published data (--imagenet DIR judges it)."
	}
	if table == "5" && d.Retain == "" {
		var lost []string
		for _, m := range paperMethods() {
			if m.walksRetain() {
				lost = append(lost, m.Title)
			}
		}
		text += fmt.Sprintf(" Left out are %s: they train on a sample of the training data, which is not part "+
			"of the published data (--retain DIR runs them).", strings.Join(lost, ", "))
	}
	return text
}

// walksRetain reports whether a method of the paper trains on the retain sample.
func (m Method) walksRetain() bool {
	return !slices.Contains([]string{"generic", "shuffled", "direct", "negative"}, m.Name)
}

// leftOut reports whether a method of the paper cannot run because the retain sample is missing.
func (p Preset) leftOut(name string) bool {
	return p.Download != nil && p.Download.Retain == "" && slices.ContainsFunc(paperMethods(), func(m Method) bool {
		return m.Name == name && m.walksRetain()
	})
}

// Source is a folder with pictures that belong to a corpus.
type Source struct{ Title, Digest string }

// Sources returns the folders with a corpus's pictures. Runs pass their pictures in the same order.
func (c Corpus) Sources() []Source {
	all := []Source{{"the benchmark", c.Data}, {"ImageNet", c.ImageNet}, {"the retain sample", c.Retain}}
	return slices.DeleteFunc(all, func(s Source) bool { return s.Digest == "" })
}
