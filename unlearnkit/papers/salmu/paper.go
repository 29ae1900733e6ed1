package salmu

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/catalogue"
)

// Stages of the paper preset alone.
var (
	Published = study.Stage[PublishedSpec]{Name: "salmu/published", Version: 1}
	Pictures  = study.Stage[PicturesSpec]{Name: "salmu/pictures", Version: 1}
)

// PublishedSpec determines a published model.
type PublishedSpec struct {
	Model string `json:"model"` // a digest of its files
}

// PicturesSpec determines the pictures of a folder as models look at them.
type PicturesSpec struct {
	Source string `json:"source"` // a digest of the folder
	Size   int    `json:"size"`   // pixels along a side
}

// FragileSet is the split of the rows that the published data name as fragile; small worlds have none, there the
// compromised model's own scores name them.
const FragileSet = "fragile_set"

// Download is what there is of the published data and models: digests of the files, "" for what the user has not got.
type Download struct {
	Benchmark   string // salmubench-512-redistributed
	Clean       string // clip-vit-b-16-salmu-clean
	Compromised string // clip-vit-b-16-salmu-compromised
	Independent string // a model of other data, for Table 4
	ImageNet    string // its validation set, for GenKnow
	Retain      string // a sample of what the models were trained on besides
	Image       int    // pixels along a side, as the models look at them
}

// PaperSeed is where the random numbers of the paper preset start, as those of the official evaluation do.
const PaperSeed = 42

// retainSample is how many pairs of the original training data the paper's methods walk through.
const retainSample = 80000

// Paper is the study at the size of the paper: its data, its models, its rates, batches and budgets. What the download
// lacks is left out, and tables say so.
func Paper(d Download) Preset {
	p := Preset{Name: "paper", Worlds: 1, Each: 1000, Retain: retainSample, Download: &d, Methods: paperMethods()}
	p.Clean = fromClean(p.Methods)
	p.Rates = sweep(p.Methods, 0.1, 0.3, 1, 3, 10, 30)
	p.Methods = slices.DeleteFunc(p.Methods, func(m Method) bool { return p.leftOut(m.Name) })
	return p
}

// lacks are sentences that say what of a table cannot be judged, each with a space before it.
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

// paperMethods are the rows of Table 5 with the settings of the supplement's table of hyper-parameters, which are the
// catalogue's defaults; those of VLUnlearn are of its authors' code.
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

// walksRetain tells whether a method of the paper walks through the sample of what is kept.
func (m Method) walksRetain() bool {
	return !slices.Contains([]string{"generic", "shuffled", "direct", "negative"}, m.Name)
}

// leftOut tells whether a method of the paper is not run for want of the sample that it walks through.
func (p Preset) leftOut(name string) bool {
	return p.Download != nil && p.Download.Retain == "" && slices.ContainsFunc(paperMethods(), func(m Method) bool {
		return m.Name == name && m.walksRetain()
	})
}

// corpus is that of the judged examples; the sample of what is kept is named by those alone that walk through it.
func (d *Download) corpus() Corpus { return Corpus{Data: d.Benchmark, ImageNet: d.ImageNet} }

// published plans a model that is there already.
func (p *Plan) published(model, digest string) *study.Run {
	return Published.AddAs(study.Labels{modelLabel: model}, &p.Plan, modelTitles[model]+", as published", .01,
		PublishedSpec{Model: digest})
}

// pictures are the runs that get the pictures of a corpus ready; none in a small world, which draws its own.
func (p *Plan) pictures(c Corpus) (inputs []study.Input) {
	for _, source := range c.Sources() {
		spec := PicturesSpec{Source: source.Digest, Size: p.Preset.Download.Image}
		inputs = append(inputs, Pictures.Add(&p.Plan, "pictures of "+source.Title, 5, spec).Input())
	}
	return inputs
}

// Source is a folder with pictures of a corpus.
type Source struct{ Title, Digest string }

// Sources are the folders that a corpus has pictures in, in the order in which they are handed to who reads them.
func (c Corpus) Sources() []Source {
	all := []Source{{"the benchmark", c.Data}, {"ImageNet", c.ImageNet}, {"the retain sample", c.Retain}}
	return slices.DeleteFunc(all, func(s Source) bool { return s.Digest == "" })
}
