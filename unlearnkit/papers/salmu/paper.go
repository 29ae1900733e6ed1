package salmu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
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

// Download identifies the user's copies of the published data and models by digests of the files. A digest is "" if the
// user does not have the files.
type Download struct {
	Benchmark   string // salmubench-512-redistributed
	Clean       string // clip-vit-b-16-salmu-clean
	Compromised string // clip-vit-b-16-salmu-compromised
	Independent string // a model trained on other data, for Table 4
	ImageNet    string // ImageNet's validation set, for GenKnow
	Retain      string // a sample of the models' other training data
	Image       int    // pixels along a side of the models' input
}

// PaperSeed is the random seed of the paper preset and of the official evaluation.
const PaperSeed = 42

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

// paperMethods returns the rows of Table 5 with the settings of the supplement's table of hyper-parameters, which are
// the catalogue's defaults. VLUnlearn has the settings of its authors' code.
func paperMethods() []Method {
	var rows []Method
	for _, name := range []string{"generic", "shuffled", "direct", "negative", "finetuning", "descent-to-delete",
		"vlunlearn", "delete", "cliperase"} {
		entry := catalogue.Contrastive.Entry(name)
		m := Method{Entry: entry, Values: map[string]float64{}, Budgets: []int{1, 5, 10, 15, 20}}
		for _, setting := range entry.Settings {
			if setting.Name == "rate" || setting.Name == "batch" {
				m.Values[setting.Name] = setting.Default
			}
		}
		if entry.Passes != nil {
			m.Budgets, m.Once = entry.Passes, len(entry.Passes) == 1
		}
		rows = append(rows, m)
	}
	return rows
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

// corpus returns the corpus of the judged examples. Only runs that use the retain sample name it.
func (d *Download) corpus() Corpus { return Corpus{Data: d.Benchmark, ImageNet: d.ImageNet} }

// published plans a run for a published model.
func (p *Plan) published(model, digest string) *study.Run {
	return Published.AddAs(study.Labels{modelLabel: model}, &p.Plan, modelTitles[model]+", as published", .01,
		PublishedSpec{Model: digest})
}

// pictures plans the runs that preprocess the pictures of a corpus. Small worlds draw their own pictures and need no
// such runs.
func (p *Plan) pictures(c Corpus) (inputs []study.Input) {
	for _, source := range c.Sources() {
		spec := PicturesSpec{Source: source.Digest, Size: p.Preset.Download.Image}
		inputs = append(inputs, Pictures.Add(&p.Plan, "pictures of "+source.Title, 5, spec).Input())
	}
	return inputs
}

// Source is a folder with pictures of a corpus.
type Source struct{ Title, Digest string }

// Sources returns the folders of a corpus's pictures, in the order in which readers receive them.
func (c Corpus) Sources() []Source {
	all := []Source{{"the benchmark", c.Data}, {"ImageNet", c.ImageNet}, {"the retain sample", c.Retain}}
	return slices.DeleteFunc(all, func(s Source) bool { return s.Digest == "" })
}
