// Package catalogue lists the methods of unlearning: their names, versions and settings, without what computes them.
//
// It links no networks, so presets, tables and the command can read it. The packages that implement the methods take
// name, version and settings from here as well, so none of these is written down twice:
//
//	entry, err := catalogue.Contrastive.Lookup("negative")
//	rate, err := entry.Setting("rate")
//
// A method of one's own has an entry of its own beside its loss.
package catalogue

import (
	"fmt"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
)

// Modality is a kind of model. The package of that name below unlearn implements its methods.
type Modality string

// The modalities.
const (
	Contrastive Modality = "contrastive" // models that embed images and texts
	Denoising   Modality = "denoising"   // models that draw pictures of texts by predicting noise
	Classifying Modality = "classifying" // models that tell classes apart
	Answering   Modality = "answering"   // models that answer questions about pictures
)

// Entry describes a method of unlearning.
type Entry struct {
	Modality Modality // empty for a method of one's own
	Name     string   // in specs and on the command line
	Title    string   // as the paper prints it
	// Version is raised when what the method computes changes, so that results of another version are not taken for its
	// own.
	Version  int
	Source   string // where the method comes from
	Settings []Setting
	// Passes are the budgets at which the method can be judged; nil is any. A method that is run once has {1}.
	Passes []int
	// Rates are the learning rates among which the paper chooses by its score; nil where it prints the one it takes.
	Rates []float64
	// Work is what the method costs with its settings; nil where it is not counted. See [Entry.Cost].
	Work func(setting func(name string) float64) Work
}

// Modalities lists the kinds of models that have methods.
func Modalities() []Modality { return []Modality{Contrastive, Denoising, Classifying, Answering} }

// Entries lists the methods of a modality, in the order of the papers' tables.
func (m Modality) Entries() []Entry {
	switch m {
	case Contrastive:
		return contrastive()
	case Denoising:
		return denoising()
	case Classifying:
		return classifying()
	case Answering:
		return answering()
	}
	return nil
}

// within notes the modality of entries.
func within(modality Modality, entries []Entry) []Entry {
	for i := range entries {
		entries[i].Modality = modality
	}
	return entries
}

// Lookup returns the method of a name. The error for a name that none has tells the nearest one.
func (m Modality) Lookup(name string) (Entry, error) {
	entries := m.Entries()
	at := slices.IndexFunc(entries, func(e Entry) bool { return e.Name == name })
	if at < 0 {
		return Entry{}, fmt.Errorf("no %s method is called %q%s", m, name, Hint(name, entries))
	}
	return entries[at], nil
}

// Entry returns the method of a name that the program itself spells out; it panics where there is none.
func (m Modality) Entry(name string) Entry {
	entry, err := m.Lookup(name)
	if err != nil {
		panic(err)
	}
	return entry
}

// Hint ends an error about a name that no entry has: with the nearest name, or with all of them.
func Hint(name string, entries []Entry) string {
	var names []string
	for _, e := range entries {
		names = append(names, e.Name)
	}
	if guess := spelling.Nearest(name, names); guess != "" {
		return fmt.Sprintf("; did you mean %q?", guess)
	}
	return "; there are " + strings.Join(names, ", ")
}
