package publish

import (
	"archive/zip"
	"compress/gzip"
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

// Run is an artifact to publish. The manifest in its record must be the artifact's manifest.
type Run struct {
	Record
	Artifact *store.Artifact
	// Place returns where each of the artifact's files is published. The content of Parquet files becomes rows of a
	// larger file. A file whose place has no File is left out.
	Place func(name string) Place
}

// Place is a location in a publication.
type Place struct {
	File   string  // path in the publication, such as "scores/delete.parquet"
	Member string  // name inside the file, if it is a zip
	Labels []Label // columns written before a table's own columns; all runs in a file need the same names
}

// Label is a column that identifies a row's run, with a text or a number as its value.
type Label struct {
	Name   string
	Words  string
	Number float64
	Type   safefile.NumberType
	IsText bool
}

// Text returns a label with a text value.
func Text(name, words string) Label { return Label{Name: name, Words: words, IsText: true} }

// Count returns a label with an integer value.
func Count(name string, number int) Label {
	return Label{Name: name, Number: float64(number), Type: safefile.AsInteger}
}

// Number returns a label with a numeric value.
func Number(name string, number float64) Label { return Label{Name: name, Number: number} }

// Write writes runs into a folder, in their order. The same runs give the same bytes. A file contains only rows of the
// runs placed in it, so that a changed run changes no files of other runs. Write deletes files of an earlier
// publication that the new one lacks.
func Write(folder string, runs []Run) error {
	w := &publisher{folder: folder, files: map[string][]part{}, of: map[store.Key]*Run{},
		labels: map[string][][]Label{}}
	for i := range runs {
		if err := w.plan(&runs[i]); err != nil {
			return fmt.Errorf("publish %s: %w", runs[i].Title, err)
		}
	}
	before, err := publishedFiles(folder)
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

// publishedFiles returns the files that the publication in a folder lists. It returns none if there is no publication.
func publishedFiles(folder string) (names []string, err error) {
	parts, err := readFile(os.DirFS(folder), FilesFile, partFields)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, p := range parts {
		if !fs.ValidPath(p.file) {
			return nil, fmt.Errorf("%s: %.80q is not a valid file name", FilesFile, p.file)
		}
		names = append(names, p.file)
	}
	slices.Sort(names)
	return slices.Compact(names), err
}

// publisher holds the state while a publication is written.
type publisher struct {
	folder string
	files  map[string][]part // parts of each file, by the file's path; in the order of the runs
	labels map[string][][]Label
	of     map[store.Key]*Run
}

func (w *publisher) plan(run *Run) error {
	key := run.Artifact.Key
	if w.of[key] != nil {
		return fmt.Errorf("it is the same run as %s", w.of[key].Title)
	}
	w.of[key] = run
	for _, name := range run.Artifact.Names() {
		place := run.Place(name)
		if place.File == "" {
			continue
		}
		if err := store.CheckName(place.File); err != nil {
			return err
		}
		w.files[place.File] = append(w.files[place.File], part{key: key, name: name,
			stored: run.Artifact.Manifest.Files[name], file: place.File, member: place.Member})
		w.labels[place.File] = append(w.labels[place.File], place.Labels)
	}
	return nil
}

// file writes the file with this name, in the format of its extension.
func (w *publisher) file(target io.Writer, name string) error {
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

func (w *publisher) copy(target io.Writer, p part) error {
	source, err := w.of[p.key].Artifact.Open(p.name)
	if err != nil {
		return err
	}
	defer source.Close()
	_, err = io.Copy(target, source)
	return err
}

// table writes one Parquet file with the rows of its runs.
func (w *publisher) table(target io.Writer, name string) error {
	var writer *safefile.TableWriter
	row := 0
	for i := range w.files[name] {
		p := &w.files[name][i]
		frame, err := w.of[p.key].Artifact.ReadTable(p.name)
		if err != nil {
			return err
		}
		columns, names := withLabels(frame, w.labels[name][i])
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

// withLabels returns the columns of a table, preceded by its labels, and the names of the labels.
func withLabels(frame *safefile.Frame, labels []Label) (columns []safefile.Column, names []string) {
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

// tables writes the tables that list the runs, their files, and the modules of the programs that made them.
func (w *publisher) tables(runs []Run) error {
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
		if filepath.Ext(name) != ".gz" {
			return writeTable(target, fields, rows)
		}
		compressed, err := gzip.NewWriterLevel(target, gzip.BestCompression)
		if err != nil {
			return err
		}
		return errors.Join(writeTable(compressed, fields, rows), compressed.Close())
	})
}
