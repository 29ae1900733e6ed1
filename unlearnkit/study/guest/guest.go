// Package guest describes guests: models that were trained outside the program, or the scores of such models. A study
// judges guests as it judges the paper's methods.
//
// A guest has one model, or one set of scores, in each repetition of a study, such as five models for five worlds. Its
// files are identified by their content. A guest's results therefore have keys of their own, and no key of the study
// depends on guests. [List] reads a paper's guests from the store's folder.
package guest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Guest is a user's model or scores, with the artifacts made for it.
type Guest struct {
	Name   string      `json:"name"`
	Preset string      `json:"preset"` // preset of the last evaluation
	Parts  []Part      `json:"parts"`  // sorted by repetition
	Runs   []store.Key `json:"runs"`   // artifacts made for the guest
}

// Part is a guest's model, or its scores, in one repetition.
type Part struct {
	Repetition int    `json:"repetition"`
	Of         string `json:"of,omitempty"`     // which of a repetition's models it replaces; "" if there is one
	Model      string `json:"model,omitempty"`  // digest of the model's files, see [Model.Digest]
	Scores     string `json:"scores,omitempty"` // digest of the scores
	Whole      bool   `json:"whole,omitempty"`  // the files hold all tensors; no original is needed
	From       string `json:"from"`             // path of the files, shown to readers
	Note       string `json:"note,omitempty"`   // doubt about the part, shown below tables
}

// name matches valid names of guests. They contain no slash, because slashes separate the levels of a row's name.
var name = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N} ._+-]{0,39}$`)

// CheckName returns an error if a guest cannot have this name.
func CheckName(text string) error {
	if !name.MatchString(text) || strings.HasSuffix(text, " ") {
		return fmt.Errorf("the name %.60q: give a name of up to 40 letters, digits, spaces and the signs . _ + -", text)
	}
	return nil
}

// folder returns the folder with the list of a paper's guests.
func folder(s *store.Store, paper string) string { return filepath.Join(s.Folder(), "guests", paper) }

// file returns the path of a guest's file. Names that differ only in case share a file.
func file(s *store.Store, paper, name string) string {
	return filepath.Join(folder(s, paper), strings.ToLower(strings.ReplaceAll(name, " ", "_"))+".json")
}

// List returns the guests of a paper, sorted by file name.
func List(s *store.Store, paper string) ([]Guest, error) {
	files, err := filepath.Glob(filepath.Join(folder(s, paper), "*.json"))
	if err != nil {
		return nil, err
	}
	var all []Guest
	for _, path := range files {
		g, err := read(path)
		if err != nil {
			return nil, err
		}
		all = append(all, g)
	}
	return all, nil
}

func read(path string) (g Guest, err error) {
	content, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(content, &g)
	}
	if err != nil {
		return g, fmt.Errorf("read %s: %w; remove the file and evaluate the model again", path, safefile.WithoutPath(err))
	}
	return g, nil
}

// Named returns a guest by its name. It returns false if there is no such guest.
func Named(s *store.Store, paper, name string) (g Guest, known bool, err error) {
	g, err = read(file(s, paper, name))
	if errors.Is(err, fs.ErrNotExist) {
		return Guest{}, false, nil
	}
	return g, err == nil, err
}

// Save adds a guest to the list of a paper. It replaces a guest with the same name.
func Save(s *store.Store, paper string, g Guest) error {
	content, err := json.MarshalIndent(g, "", "\t")
	if err != nil {
		return err
	}
	if err := s.Make(); err != nil {
		return err
	}
	path := file(s, paper, g.Name)
	if err := safefile.MakeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	return safefile.WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(append(content, '\n'))
		return err
	})
}

// Remove removes a guest from the list of a paper, and deletes the artifacts that no other guest uses.
func Remove(s *store.Store, paper string, g Guest) error {
	if err := os.Remove(file(s, paper, g.Name)); err != nil {
		return err
	}
	others, err := List(s, paper)
	if err != nil {
		return err
	}
	for _, key := range g.Runs {
		if slices.ContainsFunc(others, func(o Guest) bool { return slices.Contains(o.Runs, key) }) {
			continue
		}
		if err := s.Remove(key); err != nil && !errors.Is(err, store.ErrAbsent) {
			return err
		}
	}
	return nil
}

// With returns the guest with additional parts. They replace old parts of the same repetition and the same model.
func (g Guest) With(parts []Part) Guest {
	kept := slices.DeleteFunc(slices.Clone(g.Parts), func(old Part) bool {
		return slices.ContainsFunc(parts, func(p Part) bool { return p.Repetition == old.Repetition && p.Of == old.Of })
	})
	g.Parts = append(kept, parts...)
	slices.SortStableFunc(g.Parts, func(a, b Part) int {
		if a.Repetition != b.Repetition {
			return a.Repetition - b.Repetition
		}
		return strings.Compare(a.Of, b.Of)
	})
	return g
}
