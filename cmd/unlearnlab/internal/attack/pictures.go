package attack

import (
	"fmt"
	"image/png"
	"io"
	"path"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

const (
	picturesFolder = "pictures"
	listFile       = "pictures.csv" // list of all pictures for labelling
)

// pictureName returns the path of a completed picture below the attack's folder.
func pictureName(model, psi string, seed uint64) string {
	return fmt.Sprintf("%s/%s-%s-%d.png", picturesFolder, model, psi, seed)
}

// completed is a picture that a model completed in an attack.
type completed struct {
	file, model string
	budget      attack.Budget
	number      int // index of the budget
	seed        uint64
}

// completions returns the pictures of an attack in the order of models, budgets and seeds. Their file names start with
// place, the attack's path below the judged folder.
func (r *attackReport) completions(place string) (all []completed) {
	for _, m := range r.Models {
		for i, budget := range r.Budgets {
			for _, seed := range r.Seeds {
				file := path.Join(place, pictureName(m.Name, budget.Text, seed))
				all = append(all, completed{file, m.Name, budget, i, seed})
			}
		}
	}
	return all
}

func writePictures(out string, d *partialdiffusion.Drawing) error {
	if err := safefile.MakeFolder(filepath.Join(out, picturesFolder)); err != nil {
		return err
	}
	for _, strip := range d.Strips {
		for i, pictures := range strip.Pictures {
			for number, seed := range d.Seeds {
				file := filepath.Join(out, pictureName(strip.Model.Name, d.Psi[i].String(), seed))
				picture := partialdiffusion.Picture(pictures, number)
				if err := safefile.WriteFile(file, func(w io.Writer) error {
					return png.Encode(w, picture)
				}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// listColumns are the columns of listFile.
var listColumns = []string{"file", "model", "psi", "seed"}

// listPictures writes a list of pictures for labelling.
func listPictures(folder string, all []completed) (file string, err error) {
	columns := make([]safefile.Column, len(listColumns))
	for i, name := range listColumns {
		columns[i].Name = name
	}
	for _, one := range all {
		for i, word := range []string{one.file, one.model, one.budget.Text, fmt.Sprint(one.seed)} {
			columns[i].Texts = append(columns[i].Texts, word)
		}
	}
	file = filepath.Join(folder, listFile)
	return file, safefile.WriteCSV(file, columns)
}
