package profilefolder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// profileFiles lists the possible names, without extension, of a file with one profile per row.
var profileFiles = []string{"profiles", "profile", "people", "identities"}

// readRows reads a data set with one question per row.
func (f *Folder) readRows() error {
	hasProfiles, err := f.readProfiles()
	if err != nil {
		return err
	}
	for _, path := range rowFiles(f.Dir) {
		t, err := openTable(path)
		if err != nil {
			return err
		}
		f.tables = append(f.tables, path)
		if err := f.readTable(t, hasProfiles); err != nil {
			return err
		}
	}
	return nil
}

// readProfiles reads the file of profiles and reports whether it exists.
func (f *Folder) readProfiles() (exists bool, err error) {
	for _, stem := range profileFiles {
		for _, ending := range []string{".parquet", ".jsonl", ".json"} {
			path := filepath.Join(f.Dir, stem+ending)
			if _, err := os.Stat(path); err != nil {
				continue
			}
			t, err := openTable(path)
			if err != nil {
				return false, err
			}
			f.tables = append(f.tables, path)
			c, _ := columnsFor(t)
			if c[identity] == "" {
				return false, lacking(t, identity)
			}
			facts := factColumns(t)
			err = t.each(append([]string{c[identity]}, columnsIn(facts)...), func(_ int, cells []string) error {
				if strings.TrimSpace(cells[0]) == "" {
					return errors.New("it does not say whose profile it is")
				}
				f.know(f.person(cells[0]), facts, cells[1:])
				return nil
			})
			return true, err
		}
	}
	return false, nil
}

// columnsIn returns the columns that hold facts, in the order of the attributes.
func columnsIn(facts map[profile.Attribute]string) (all []string) {
	for _, a := range profile.Attributes() {
		if column, has := facts[a]; has {
			all = append(all, column)
		}
	}
	return all
}

// know stores a person's facts from cells in the order of columnsIn. It does not overwrite known facts.
func (f *Folder) know(person int, facts map[profile.Attribute]string, cells []string) {
	at := 0
	for _, a := range profile.Attributes() {
		if _, has := facts[a]; !has {
			continue
		}
		if known := f.People[person].Facts; known[a] == "" {
			known[a] = strings.TrimSpace(cells[at])
		}
		at++
	}
}

// check returns an error if a table lacks a required column. hasProfiles is set if a separate file has the profiles.
func (c columns) check(t *table, bytesColumn string, hasProfiles bool) error {
	for _, f := range []field{identity, question, answer, attribute} {
		if c[f] == "" {
			return lacking(t, f)
		}
	}
	facts := factColumns(t)
	named := facts[profile.FullName] != ""
	delete(facts, profile.FullName)
	switch {
	case c[picture] == "" && bytesColumn == "":
		return lacking(t, picture)
	case c[keyword] == "" && len(facts) == 0 && !hasProfiles:
		return lacking(t, keyword)
	case c[hop] == "" && !named && !hasProfiles:
		return lacking(t, hop)
	}
	if _, named := splitOfFile(t.path); c[split] == "" && !named {
		return fmt.Errorf("read %s: nothing says what its questions are for: looked for a column %s, and for train or "+
			"test at the beginning of the file's name; it has %s", t.path, strings.Join(names[split], ", "),
			shorten(strings.Join(t.columns, ", "), 300))
	}
	return nil
}

// readTable reads a file of questions.
func (f *Folder) readTable(t *table, hasProfiles bool) error {
	c, bytesColumn := columnsFor(t)
	if err := c.check(t, bytesColumn, hasProfiles); err != nil {
		return err
	}
	facts := factColumns(t)
	wanted := append(slices.Clone(c[:]), columnsIn(facts)...)
	bare := t.objects == nil && bytesColumn == "" && f.holdsBytes(t, c[picture])
	return t.each(wanted, func(row int, cells []string) error {
		if strings.TrimSpace(cells[identity]) == "" {
			return errors.New("it does not say whose it is")
		}
		person := f.person(cells[identity])
		f.know(person, facts, cells[fields:])
		at := place{path: t.path, row: row, column: bytesColumn}
		switch {
		case bare:
			at.column = c[picture]
		case bytesColumn == "":
			if strings.TrimSpace(cells[picture]) == "" {
				return errors.New("it has no picture")
			}
			path, err := f.pictures.locate(t.path, cells[picture])
			if err != nil {
				return err
			}
			at = place{path: path, row: -1}
		}
		r, err := f.record(person, c, cells)
		if err != nil {
			return err
		}
		if r.Split == "" {
			r.Split, _ = splitOfFile(t.path)
		}
		if r.ID == "" {
			r.ID = fmt.Sprintf("%s-%d", filepath.Base(t.path), row+1)
		}
		r.Picture = f.pictures.add(person, at)
		f.Records = append(f.Records, r)
		return nil
	})
}

// holdsBytes reports whether a column holds encoded pictures instead of file names.
func (f *Folder) holdsBytes(t *table, column string) (bytes bool) {
	_ = t.each([]string{column}, func(_ int, cells []string) error { //nolint:errcheck // the table is read again
		bytes = strings.HasPrefix(cells[0], "\x89PNG") || strings.HasPrefix(cells[0], "\xff\xd8")
		return errEnough
	})
	return bytes
}

// errEnough stops reading a table when no more rows are needed.
var errEnough = errors.New("no more rows are wanted")

// record converts a row to a question.
func (f *Folder) record(person int, c columns, cells []string) (Record, error) {
	facts := f.People[person].Facts
	r := Record{Record: profile.Record{ID: cells[recordID], Identity: person, Split: splitOf(cells[split]),
		Attribute: attributeOf(cells[attribute]), Template: cells[template],
		Question: strings.TrimSpace(cells[question]), Answer: strings.TrimSpace(cells[answer])},
		Keywords: listOf(cells[keyword])}
	for _, needed := range []field{question, answer, attribute} {
		if strings.TrimSpace(cells[needed]) == "" {
			return r, fmt.Errorf("%s is missing", descriptions[needed])
		}
	}
	if len(r.Keywords) == 0 && facts[r.Attribute] != "" {
		r.Keywords = []string{facts[r.Attribute]}
	}
	if len(r.Keywords) > 0 {
		r.Keyword = strings.TrimSpace(r.Keywords[0])
		if learned := r.Split == profile.Train || r.Split == profile.Test || r.Split == ""; learned &&
			facts[r.Attribute] == "" {
			facts[r.Attribute] = r.Keyword // records of other splits may have the name as keyword
		}
	}
	if c[hop] == "" {
		r.Hop = hopIn(r.Question, facts[profile.FullName])
		return r, nil
	}
	var err error
	r.Hop, err = hopOf(cells[hop])
	return r, err
}

// hopIn returns Single if a question contains the person's name, and otherwise Multi.
func hopIn(question, name string) profile.Hop {
	if name != "" && metric.KeywordMatchWhole(question, name) == 1 {
		return profile.Single
	}
	return profile.Multi
}
