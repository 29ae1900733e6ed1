package publish

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Run is an artifact to be published. Its record's manifest is that of the artifact.
type Run struct {
	Record
	Artifact *store.Artifact
	// Place says where one of the artifact's files goes. Parquet files become rows of one.
	Place func(name string) Place
}

// Place is where a file goes.
type Place struct {
	File   string  // of the publication, such as "scores/delete.parquet"
	Member string  // of that file, where it is a zip
	Labels []Label // the columns before those of the rows, where it is a table; the same of all its runs
}

// Label is a column that says of which run rows are: Words, or a Number.
type Label struct {
	Name   string
	Words  string
	Number float64
	Type   safefile.NumberType
	IsText bool
}

// Text is a label of words.
func Text(name, words string) Label { return Label{Name: name, Words: words, IsText: true} }

// Count is a label of whole numbers.
func Count(name string, number int) Label {
	return Label{Name: name, Number: float64(number), Type: safefile.AsInteger}
}

// Number is a label of numbers.
func Number(name string, number float64) Label { return Label{Name: name, Number: number} }

// Write writes runs into a folder, in their order. The same runs give the same bytes, and a file has the rows of those
// runs alone that are placed in it: where one run is another one now, the files of the others stay what they are. Files
// of a publication that was in the folder before and that no run has any more are removed.
func Write(folder string, runs []Run) error {
	w := &writing{folder: folder, files: map[string][]part{}, of: map[store.Key]*Run{}, labels: map[string][][]Label{}}
	for i := range runs {
		if err := w.plan(&runs[i]); err != nil {
			return fmt.Errorf("publish %s: %w", runs[i].Title, err)
		}
	}
	before, err := published(folder)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(w.files)) {
		target := filepath.Join(folder, filepath.FromSlash(name))
		if err := safefile.MakeFolder(filepath.Dir(target)); err != nil {
			return err
		}
		if err := safefile.WriteFile(target, func(target io.Writer) error { return w.file(target, name) }); err != nil {
			return err
		}
	}
	if err := w.tables(runs); err != nil {
		return err
	}
	for _, name := range before {
		if w.files[name] == nil {
			if err := os.Remove(filepath.Join(folder, filepath.FromSlash(name))); err != nil {
				return err
			}
		}
	}
	return nil
}

// published are the files of the publication that a folder has, none where there is no publication.
func published(folder string) (names []string, err error) {
	parts, err := readFile(os.DirFS(folder), FilesFile, partFields)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, p := range parts {
		if !fs.ValidPath(p.file) {
			return nil, fmt.Errorf("%s: %.80q is no name of a file", FilesFile, p.file)
		}
		names = append(names, p.file)
	}
	slices.Sort(names)
	return slices.Compact(names), err
}

// writing is a publication that is written.
type writing struct {
	folder string
	files  map[string][]part // by the names of files, in the order of the runs
	labels map[string][][]Label
	of     map[store.Key]*Run
}

func (w *writing) plan(run *Run) error {
	key := run.Artifact.Key
	if w.of[key] != nil {
		return fmt.Errorf("it is the same run as %s", w.of[key].Title)
	}
	w.of[key] = run
	for _, name := range run.Artifact.Names() {
		place := run.Place(name)
		if err := store.CheckName(place.File); err != nil {
			return err
		}
		w.files[place.File] = append(w.files[place.File], part{key: key, name: name,
			stored: run.Artifact.Manifest.Files[name], file: place.File, member: place.Member})
		w.labels[place.File] = append(w.labels[place.File], place.Labels)
	}
	return nil
}

// file writes one of the files.
func (w *writing) file(target io.Writer, name string) error {
	parts := w.files[name]
	switch {
	case strings.HasSuffix(name, ".parquet"):
		return w.table(target, name)
	case strings.HasSuffix(name, ".zip"):
		archive := zip.NewWriter(target)
		for _, p := range parts {
			member, err := archive.CreateHeader(&zip.FileHeader{Name: p.member, Method: zip.Store})
			if err == nil {
				err = w.copy(member, p)
			}
			if err != nil {
				return err
			}
		}
		return archive.Close()
	case len(parts) > 1:
		return fmt.Errorf("it is a file of %s and of %s", w.of[parts[0].key].Title, w.of[parts[1].key].Title)
	}
	return w.copy(target, parts[0])
}

func (w *writing) copy(target io.Writer, p part) error {
	source, err := w.of[p.key].Artifact.Open(p.name)
	if err != nil {
		return err
	}
	defer source.Close()
	_, err = io.Copy(target, source)
	return err
}

// table writes the rows of many runs.
func (w *writing) table(target io.Writer, name string) error {
	var writer *safefile.TableWriter
	row := 0
	for i := range w.files[name] {
		p := &w.files[name][i]
		frame, err := w.of[p.key].Artifact.ReadTable(p.name)
		if err != nil {
			return err
		}
		columns, names := labelled(frame, w.labels[name][i])
		if writer == nil {
			writer = safefile.NewTableWriter(target, map[string]string{labelsNote: strings.Join(names, " ")})
		}
		if err := writer.Write(columns); err != nil {
			return fmt.Errorf("%s of %s: %w", p.name, w.of[p.key].Title, err)
		}
		p.first, p.rows, p.values = row, frame.Rows(), digest(frame)
		row += p.rows
	}
	return writer.Close()
}

// labelled puts labels before the columns of a table.
func labelled(frame *safefile.Frame, labels []Label) (columns []safefile.Column, names []string) {
	for _, label := range labels {
		column := safefile.Column{Name: label.Name, Type: label.Type}
		for range frame.Rows() {
			if label.IsText {
				column.Texts = append(column.Texts, label.Words)
			} else {
				column.Values = append(column.Values, label.Number)
			}
		}
		columns, names = append(columns, column), append(names, label.Name)
	}
	return append(columns, frame.Columns...), names
}

// tables writes what is said of the runs, their files and the programs that made them.
func (w *writing) tables(runs []Run) error {
	var records []Record
	var parts []part
	var modules []module
	places, known := map[[2]string]part{}, map[string]bool{}
	for _, all := range w.files {
		for _, p := range all {
			places[[2]string{string(p.key), p.name}] = p
		}
	}
	for _, run := range runs {
		record := run.Record
		record.Manifest = run.Artifact.Manifest
		build, err := store.KeyOf(store.Stage{Name: "build"}, record.Manifest.Modules)
		if err != nil {
			return err
		}
		record.build = string(build[:12])
		if !known[record.build] {
			known[record.build] = true
			for _, path := range slices.Sorted(maps.Keys(record.Manifest.Modules)) {
				modules = append(modules, module{record.build, path, record.Manifest.Modules[path]})
			}
		}
		records = append(records, record)
		for _, name := range run.Artifact.Names() {
			parts = append(parts, places[[2]string{string(run.Artifact.Key), name}])
		}
	}
	return errors.Join(writeFile(w.folder, RunsFile, runFields, records),
		writeFile(w.folder, FilesFile, partFields, parts), writeFile(w.folder, BuildsFile, moduleFields, modules))
}

func writeFile[T any](folder, name string, fields []field[T], rows []T) error {
	return safefile.WriteFile(filepath.Join(folder, name), func(target io.Writer) error {
		return writeTable(target, fields, rows)
	})
}
