package main

import (
	"fmt"
	"image/png"
	"io"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

const (
	picturesFolder = "pictures"
	listFile       = "pictures.csv" // names every picture, for who labels them
)

// pictureName is the name of a completed picture below an attack's folder.
func pictureName(model, psi string, seed uint64) string {
	return filepath.ToSlash(filepath.Join(picturesFolder, fmt.Sprintf("%s-%s-%d.png", model, psi, seed)))
}

// writePictures writes each completed picture by itself, and a list of them.
func writePictures(out string, d *partialdiffusion.Drawing) (files []string, err error) {
	if err := safefile.MakeFolder(filepath.Join(out, picturesFolder)); err != nil {
		return nil, err
	}
	var list pictureList
	for _, strip := range d.Strips {
		for i, pictures := range strip.Pictures {
			for number, seed := range d.Seeds {
				psi := d.Psi[i].String()
				name := pictureName(strip.Model.Name, psi, seed)
				picture := partialdiffusion.Picture(pictures, number)
				if err := safefile.WriteFile(filepath.Join(out, name), func(w io.Writer) error {
					return png.Encode(w, picture)
				}); err != nil {
					return nil, err
				}
				list.add(name, strip.Model.Name, psi, fmt.Sprint(seed))
			}
		}
	}
	path, err := list.write(out)
	return []string{filepath.Join(out, picturesFolder), path}, err
}

// listColumns are those of a list of pictures.
var listColumns = []string{"file", "model", "psi", "seed"}

// pictureList is a list of pictures, by column.
type pictureList [][]string

func (l *pictureList) add(row ...string) {
	if *l == nil {
		*l = make(pictureList, len(listColumns))
	}
	for i, word := range row {
		(*l)[i] = append((*l)[i], word)
	}
}

func (l pictureList) write(folder string) (path string, err error) {
	var columns []safefile.Column
	for i, name := range listColumns {
		columns = append(columns, safefile.Column{Name: name, Texts: l[i]})
	}
	path = filepath.Join(folder, listFile)
	return path, safefile.WriteCSV(path, columns)
}

// listPictures lists those of all prompts in the folder above theirs.
func listPictures(folder string, prompts []asked) (path string, err error) {
	var all pictureList
	for _, one := range prompts {
		own, err := safefile.ReadWords(filepath.Join(one.out, listFile), listColumns...)
		if err != nil {
			return "", err
		}
		for row := range own.Rows() {
			var words []string
			for _, column := range own.Columns {
				words = append(words, column.Texts[row])
			}
			words[0] = filepath.ToSlash(filepath.Join(filepath.Base(one.out), words[0]))
			all.add(words...)
		}
	}
	return all.write(folder)
}
