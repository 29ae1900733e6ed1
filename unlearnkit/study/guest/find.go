package guest

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Search determines where to look for a user's models.
type Search struct {
	Folder      string   // folder that contains one folder per repetition, or one model
	Original    string   // like Folder, for the original models, see [Model]; "" for the study's own originals
	Differences bool     // the files hold differences from the originals, see [Model]
	Noun        string   // unit of repetition; its last word begins the names of the folders: world-0
	Repetitions int      // number of repetitions
	Only        int      // repetition of the one model in Folder; -1 if Folder has a folder per repetition
	Parts       []string // names of the models in each repetition; nil if a repetition has one model
	Of          string   // the only part that is evaluated; "" for all
}

// Place returns the name of a repetition's folder.
func (s Search) Place(repetition int) string { return fmt.Sprintf("%s%d", s.prefix(), repetition) }

func (s Search) prefix() string { return s.Noun[strings.LastIndex(s.Noun, " ")+1:] + "-" }

// PartFolder returns the folder name of a part: its words joined by dashes.
func PartFolder(part string) string {
	return strings.Join(strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune(" /\\*:", r) }), "-")
}

// Find finds the models and checks that they can be read. It returns the repetitions and parts that they replace, and
// the models by digest.
func (s Search) Find() (parts []Part, models Models, err error) {
	repetitions, err := s.repetitions()
	if err != nil {
		return nil, nil, err
	}
	models = Models{}
	for _, repetition := range repetitions {
		found, err := s.modelsOf(repetition)
		if err != nil {
			return nil, nil, err
		}
		for _, f := range found {
			m := Model{Path: f.path, Original: s.original(repetition, f.part), Differences: s.Differences}
			if err := m.Check(); err != nil {
				return nil, nil, err
			}
			digest, err := m.Digest()
			if err != nil {
				return nil, nil, err
			}
			models[digest] = m
			parts = append(parts, Part{Repetition: repetition, Of: f.part, Model: digest, Whole: m.Whole(),
				From: f.path})
		}
	}
	return parts, models, nil
}

// repetitions returns the repetitions for which the folder has models.
func (s Search) repetitions() (all []int, err error) {
	if s.Only >= s.Repetitions {
		return nil, fmt.Errorf("there is no %s %d: the preset has %s0 to %s%d", s.Noun, s.Only, s.prefix(), s.prefix(),
			s.Repetitions-1)
	}
	if s.Only >= 0 {
		return []int{s.Only}, nil
	}
	entries, err := os.ReadDir(s.Folder)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w; give a folder with the folders %s0 to %s%d", s.Folder,
			safefile.WithoutPath(err), s.prefix(), s.prefix(), s.Repetitions-1)
	}
	there := map[int]bool{}
	for _, entry := range entries {
		text, is := strings.CutPrefix(entry.Name(), s.prefix())
		number, err := strconv.Atoi(text)
		if !is || err != nil {
			continue
		}
		if number >= s.Repetitions {
			return nil, fmt.Errorf("read %s: the preset has no %s %d, its last is %s%d; evaluate the model at another "+
				"preset or remove the folder", filepath.Join(s.Folder, entry.Name()), s.Noun, number, s.prefix(),
				s.Repetitions-1)
		}
		there[number] = true
	}
	for number := range s.Repetitions {
		if there[number] {
			all = append(all, number)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("read %s: the folders %s0 to %s%d are missing; make one for each %s, or give one "+
			"model with --world N", s.Folder, s.prefix(), s.prefix(), s.Repetitions-1, s.Noun)
	}
	return all, nil
}

// foundModel is the path of the model of a part.
type foundModel struct{ part, path string }

// modelsOf returns the models of one repetition.
func (s Search) modelsOf(repetition int) (all []foundModel, err error) {
	folder := s.Folder
	if own := filepath.Join(folder, s.Place(repetition)); s.Only < 0 || exists(own) {
		folder = own
	}
	switch {
	case len(s.Parts) == 0:
		return []foundModel{{"", model(folder)}}, nil
	case s.Of != "":
		if own := filepath.Join(folder, PartFolder(s.Of)); exists(own) {
			folder = own
		}
		return []foundModel{{s.Of, model(folder)}}, nil
	}
	var names []string
	for _, part := range s.Parts {
		names = append(names, PartFolder(part))
		if own := filepath.Join(folder, PartFolder(part)); exists(own) {
			all = append(all, foundModel{part, model(own)})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("read %s: all of the folders %s are missing; make one for each model that you have, or "+
			"name the model that the folder has with --part", folder, strings.Join(names, ", "))
	}
	return all, nil
}

// model returns the UNet's folder if path is a pipeline's folder, and otherwise path.
func model(path string) string {
	if exists(filepath.Join(path, "model_index.json")) {
		return filepath.Join(path, "unet")
	}
	return path
}

// original returns the path of the original that the user gave for a part.
func (s Search) original(repetition int, of string) string {
	if s.Original == "" {
		return ""
	}
	path := s.Original
	for _, name := range []string{s.Place(repetition), PartFolder(of)} {
		if own := filepath.Join(path, name); name != "" && exists(own) {
			path = own
		}
	}
	return model(path)
}
