package salmu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Stages that only the paper preset has.
var (
	Published = study.Stage[PublishedSpec]{Name: "salmu/published", Version: 1}
	Pictures  = study.Stage[PicturesSpec]{Name: "salmu/pictures", Version: 1}
)

// PublishedSpec determines a published model.
type PublishedSpec struct {
	Model string `json:"model"` // digest of the model's files
}

// PicturesSpec determines the preprocessed pictures of a folder.
type PicturesSpec struct {
	Source string `json:"source"` // digest of the folder
	Size   int    `json:"size"`   // pixels along a side
}

// FragileSet is the split of the rows that the published data name as fragile. In small worlds the compromised model's
// own scores choose the fragile rows.
const FragileSet = "fragile_set"

// retainSample is the number of pairs of the original training data that the paper's methods use.
const retainSample = 80000

// Paper returns the study at the size of the paper, with its data, models, rates, batches and budgets. It leaves out
// what the download lacks, and tables report this.
func Paper(d Download) Preset {
	p := Preset{Name: "paper", Worlds: 1, Each: 1000, Retain: retainSample, Download: &d, Methods: paperMethods()}
	p.Clean = fromClean(p.Methods)
	p.Rates = sweep(p.Methods, 0.1, 0.3, 1, 3, 10, 30)
	p.Methods = slices.DeleteFunc(p.Methods, func(m Method) bool { return p.leftOut(m.Name) })
	return p
}

// lacks returns sentences, each after a space, that explain what cannot be judged in a table.
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
		text += fmt.Sprintf(" Left out are %s: the sample of the training data that they walk through is not part of "+
			"the published data (--retain DIR runs them).", strings.Join(lost, ", "))
	}
	return text
}

// walksRetain reports whether a method of the paper uses the retain sample.
func (m Method) walksRetain() bool {
	return !slices.Contains([]string{"generic", "shuffled", "direct", "negative"}, m.Name)
}

// leftOut reports whether a method of the paper cannot run because the retain sample is missing.
func (p Preset) leftOut(name string) bool {
	return p.Download != nil && p.Download.Retain == "" && slices.ContainsFunc(paperMethods(), func(m Method) bool {
		return m.Name == name && m.walksRetain()
	})
}

// Source is a folder with pictures of a corpus.
type Source struct{ Title, Digest string }

// Sources returns the folders of a corpus's pictures, in the order in which readers receive them.
func (c Corpus) Sources() []Source {
	all := []Source{{"the benchmark", c.Data}, {"ImageNet", c.ImageNet}, {"the retain sample", c.Retain}}
	return slices.DeleteFunc(all, func(s Source) bool { return s.Digest == "" })
}
