package study

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/guest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// scoreReader reads a guest's tables of scores.
type scoreReader struct {
	*Host
	store *store.Store
	path  string
	only  int // repetition of all rows, or -1 if a column holds it
	rows  map[scoresOf]*sourceRows
	parts []guest.Part // parts in the order of the files
}

// scoresOf identifies the scores that are like one source.
type scoresOf struct {
	part   guest.Part
	table  *ScoreTable
	source string // case of the source
}

// sourceRows matches rows of a file to the examples of one source.
type sourceRows struct {
	file     *scoreFile
	examples *safefile.Frame
	at       map[string]int // index of each example, by its keys
	rows     []int          // row of the file for each example, or -1
}

// ReadScores reads a guest's scores. The path is a folder with a file for each table of the study, or the file of the
// main table. Each file is CSV with a header, or Parquet. It has one row per example of each repetition, in any order,
// and the columns of [Host.Schema]. If only is not negative, all rows belong to this repetition, and the column for it
// is omitted. Errors name the file, the line, the column and what to do.
func (h *Host) ReadScores(s *store.Store, path string, only int) ([]guest.Part, Frames, error) {
	paths, err := h.scorePaths(path)
	if err != nil {
		return nil, nil, err
	}
	r := &scoreReader{Host: h, store: s, path: path, only: only, rows: map[scoresOf]*sourceRows{}}
	for _, table := range h.guestTables() {
		if own, has := paths[table]; has {
			if err := r.read(table, own); err != nil {
				return nil, nil, err
			}
		}
	}
	return r.finish()
}

// scoreEndings lists the endings of files of scores.
var scoreEndings = []string{".csv", ".tsv", ".parquet"}

// scorePaths returns the path of each table's file.
func (h *Host) scorePaths(path string) (paths map[*ScoreTable]string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, safefile.WithoutPath(err))
	}
	tables := h.guestTables()
	paths = map[*ScoreTable]string{}
	if !info.IsDir() {
		if ending := strings.ToLower(filepath.Ext(path)); !slices.Contains(scoreEndings, ending) {
			return nil, fmt.Errorf("read %s: its ending must be one of %s; unlearnlab evaluate %s --schema prints "+
				"the columns of such a file", path, strings.Join(scoreEndings, " "), h.paper)
		}
		paths[tables[0]] = path
		return paths, h.complete(paths, path)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, safefile.WithoutPath(err))
	}
	for _, entry := range entries {
		ending := strings.ToLower(filepath.Ext(entry.Name()))
		if !slices.Contains(scoreEndings, ending) {
			continue
		}
		name, own := entry.Name()[:len(entry.Name())-len(ending)], filepath.Join(path, entry.Name())
		at := slices.IndexFunc(tables, func(t *ScoreTable) bool { return t.Name == name })
		switch {
		case at < 0:
			return nil, fmt.Errorf("read %s: no table of scores is named %q; rename the file to one of %s, or move it "+
				"elsewhere", own, name, namesOf(tables))
		case paths[tables[at]] != "":
			return nil, fmt.Errorf("read %s: %s has the same table; remove one", own, paths[tables[at]])
		}
		paths[tables[at]] = own
	}
	return paths, h.complete(paths, path)
}

// complete returns an error if a table is missing.
func (h *Host) complete(paths map[*ScoreTable]string, path string) error {
	for _, table := range h.guestTables() {
		if paths[table] == "" && !table.Optional {
			return fmt.Errorf("read %s: there is no %s.csv, .tsv or .parquet; give a folder with the tables %s, which "+
				"unlearnlab evaluate %s --schema describes", path, table.Name, namesOf(h.guestTables()), h.paper)
		}
	}
	return nil
}

// namesOf lists the names of tables, with a note at those that may be missing.
func namesOf(tables []*ScoreTable) string {
	var names []string
	for _, table := range tables {
		name := table.Name
		if table.Optional {
			name += " (optional)"
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// finish returns the scores of each part, or an error if an example has no row.
func (r *scoreReader) finish() (parts []guest.Part, frames Frames, err error) {
	frames = Frames{}
	for _, p := range r.parts {
		var files []ScoreFile
		for i := range r.Scores {
			found, err := r.finishTable(p, &r.Scores[i])
			if err != nil {
				return nil, nil, err
			}
			files = append(files, found...)
		}
		p.Scores, p.From = digestOf(files), r.path
		frames[p.Scores] = files
		parts = append(parts, p)
	}
	return parts, frames, nil
}

// finishTable returns the scores of a part in one table. It returns none if the table is optional and has no rows of
// the part.
func (r *scoreReader) finishTable(p guest.Part, table *ScoreTable) (files []ScoreFile, err error) {
	missing := ""
	for _, source := range table.Sources(p) {
		file := ScoreFile{Like: source.Run.Input(), Name: source.File}
		rows, has := r.rows[scoresOf{p, table, source.Case}]
		switch {
		case len(table.Bounds) == 0:
			file.Frame, err = r.examples(source)
		case !has:
			missing = strings.TrimSpace(table.Case + " " + source.Case)
			continue
		default:
			file.Frame, err = rows.finish(r.title(p))
		}
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	if missing != "" && (!table.Optional || len(files) > 0) {
		return nil, fmt.Errorf("read %s: the %s of %s, %s, are missing; score every row of the exported data", r.path,
			table.Examples, r.title(p), missing)
	}
	return files, nil
}

// finish returns the scores in the order of the examples, or an error if an example has no row.
func (s *sourceRows) finish(title string) (*safefile.Frame, error) {
	if at := slices.Index(s.rows, -1); at >= 0 {
		left := len(slices.DeleteFunc(slices.Clone(s.rows), func(row int) bool { return row >= 0 }))
		return nil, fmt.Errorf("read %s: %d of the %d %s of %s are missing, the first is %s; score every row of the "+
			"exported data", s.file.path, left, len(s.rows), s.file.Examples, title, s.file.Layout.example(s.examples, at))
	}
	frame := &safefile.Frame{Path: s.file.path}
	for _, field := range s.file.Fields {
		frame.Columns = append(frame.Columns, s.column(field))
	}
	if s.file.Finish != nil {
		return s.file.Finish(frame)
	}
	return frame, nil
}

// column returns a column of the scores: the guest's own, or the study's.
func (s *sourceRows) column(field safefile.Field) safefile.Column {
	column := *s.examples.Column(field.Name)
	bound, own := s.file.Bounds[field.Name]
	if !own || slices.Contains(s.file.Keys, field.Name) {
		return column
	}
	if !field.Words {
		column.Values, column.Type = make([]float64, len(s.rows)), safefile.AsDouble
		for at, row := range s.rows {
			column.Values[at], _ = scoreOf(s.file.text(row, field.Name)) // the method value checked it before
		}
	} else if bound.Free {
		column.Texts = make([]string, len(s.rows))
		for at, row := range s.rows {
			column.Texts[at] = s.file.text(row, field.Name)
		}
	}
	return column
}

// digestOf returns the SHA-256 of the files' content.
func digestOf(files []ScoreFile) string {
	sum := sha256.New()
	for _, file := range files {
		fmt.Fprintf(sum, "%s\n%s\n", file.Like, file.Name)
		for i := range file.Frame.Columns {
			fmt.Fprintf(sum, "%s\n", file.Frame.Columns[i].Name)
			for row := range file.Frame.Rows() {
				fmt.Fprintf(sum, "%s\n", textOf(&file.Frame.Columns[i], row))
			}
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}
