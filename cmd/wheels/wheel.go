package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// A project is the metadata of a wheel.
type project struct {
	Name, Version, Tag, Summary string
	Requires, Extras            []string
}

// stem returns the name and version with which the wheel's file name and its folders begin.
func (p project) stem() string { return strings.ReplaceAll(p.Name, "-", "_") + "-" + p.Version }

func (p project) metadata(readme []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Metadata-Version: 2.1\nName: %s\nVersion: %s\nSummary: %s\nLicense-File: LICENSE\n"+
		"Requires-Python: >=3.10\nDescription-Content-Type: text/markdown\n", p.Name, p.Version, p.Summary)
	for _, extra := range p.Extras {
		fmt.Fprintf(&b, "Provides-Extra: %s\n", extra)
	}
	for _, requirement := range p.Requires {
		fmt.Fprintf(&b, "Requires-Dist: %s\n", requirement)
	}
	fmt.Fprintf(&b, "\n%s", readme)
	return b.Bytes()
}

// A wheel is a zip archive that pip installs: https://packaging.python.org/specifications/binary-distribution-format.
// It keeps the first error.
type wheel struct {
	project
	file   *os.File
	path   string // path of the finished wheel
	zip    *zip.Writer
	record bytes.Buffer
	err    error
}

// create starts a wheel in a folder. The file gets its name when the wheel is closed.
func create(folder string, p project) (*wheel, error) {
	file, err := os.CreateTemp(folder, ".wheel-*")
	if err != nil {
		return nil, err
	}
	w := &wheel{project: p, file: file, path: filepath.Join(folder, p.stem()+"-"+p.Tag+".whl"), zip: zip.NewWriter(file)}
	w.zip.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestCompression)
	})
	return w, nil
}

// data returns the name in the wheel for a file that pip puts below the environment's folder.
func (w *wheel) data(name string) string { return w.stem() + ".data/data/" + name }

// script returns the name in the wheel for a program that pip puts into the environment's bin folder.
func (w *wheel) script(name string) string { return w.stem() + ".data/scripts/" + name }

// addFile adds the file at path under a name.
func (w *wheel) addFile(name, path string, mode os.FileMode) {
	if w.err != nil {
		return
	}
	content, err := os.ReadFile(path)
	if err != nil {
		w.err = err
		return
	}
	w.add(name, content, mode)
}

// add adds content under a name. No entry has a time, so equal content gives equal wheels.
func (w *wheel) add(name string, content []byte, mode os.FileMode) {
	if w.err != nil {
		return
	}
	header := &zip.FileHeader{Name: name, Method: zip.Deflate}
	header.SetMode(mode)
	entry, err := w.zip.CreateHeader(header)
	if err == nil {
		_, err = entry.Write(content)
	}
	sum := sha256.Sum256(content)
	fmt.Fprintf(&w.record, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(content))
	w.err = err
}

// close writes the wheel's metadata, gives the file its name and prints its size.
func (w *wheel) close() error {
	defer os.Remove(w.file.Name())
	defer w.file.Close()
	info := w.stem() + ".dist-info/"
	readme, err := os.ReadFile("cmd/wheels/README.md")
	if err != nil {
		return err
	}
	w.add(info+"METADATA", w.metadata(readme), 0o644)
	w.add(info+"WHEEL", fmt.Appendf(nil, "Wheel-Version: 1.0\nGenerator: unlearnlab\nRoot-Is-Purelib: %t\nTag: %s\n",
		strings.HasSuffix(w.Tag, "-any"), w.Tag), 0o644)
	w.addFile(info+"licenses/LICENSE", "LICENSE", 0o644)
	name := info + "RECORD"
	fmt.Fprintf(&w.record, "%s,,\n", name)
	w.add(name, bytes.Clone(w.record.Bytes()), 0o644)
	if w.err != nil {
		return w.err
	}
	if err := w.zip.Close(); err != nil {
		return err
	}
	if err := w.file.Close(); err != nil {
		return err
	}
	if err := os.Chmod(w.file.Name(), 0o644); err != nil {
		return err
	}
	if err := os.Rename(w.file.Name(), w.path); err != nil {
		return err
	}
	size, err := os.Stat(w.path)
	if err != nil {
		return err
	}
	fmt.Printf("%s  %.1f MB\n", w.path, float64(size.Size())/1e6)
	return nil
}
