package page

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"image/png"
	"io"
	"math"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	paperdata "github.com/unlearnlab/unlearnlab/data/papers"
	"github.com/unlearnlab/unlearnlab/internal/palette"
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

const (
	pagePixels  = 96  // pixels of the page per inch of a figure
	drawnPixels = 160 // pixels of the picture per inch, enough to be sharp on a phone
	pngType     = "data:image/png;base64,"
	pictures    = "pictures" // folder of the figures
)

// figure is a picture in both themes; the style sheet shows one of them.
type figure struct {
	ID, Title     string
	Alt, Caption  string
	Light, Dark   template.URL
	Width, Height int
	Missing       string // reason why the figure is missing
	From          string // preset of the figure, if it is not the paper's own
	Command       string
	Printed       *grid

	files []file // picture files; empty if the pictures are in the page
}

type file struct {
	name    string
	content []byte
}

// figures draws the paper's figures. A figure that the preset cannot show holds the reason.
func (s *shelf) figures() ([]*figure, error) {
	shown := make([]*figure, len(s.Figures))
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, d := range s.Figures {
		f := &figure{ID: s.name + "-figure-" + slug(d.Name), Title: heading("Figure", d.Name, d.About)}
		shown[i] = f
		if d.Printed == nil {
			f.Command = s.command("figures", d.Name)
		}
		var err error
		if f.Printed, err = s.printed("figure"+d.Name, f.ID); err != nil {
			return nil, err
		}
		if s.Results == nil && d.Printed == nil {
			f.Missing = s.noResults()
			continue
		}
		drawn, err := plots.Draw(d.Figure(s.Results))
		if errors.As(err, new(*study.Lacks)) && s.Smaller != nil {
			if drawn, err = plots.Draw(d.Figure(s.Smaller)); err == nil {
				f.From = s.SmallerPreset
				f.Command = strings.Replace(f.Command, "--preset "+s.Preset, "--preset "+s.SmallerPreset, 1)
			}
		}
		if lacks := new(study.Lacks); errors.As(err, &lacks) {
			f.Missing = lacks.Error()
			continue
		}
		if err != nil {
			return nil, err
		}
		work.Go(func() error { return f.draw(drawn.Bare(), s.single) })
	}
	return shown, work.Wait()
}

// heading returns the heading of a table or figure. Only the paper's own items have numbers, and get the kind before
// their number.
func heading(kind, name, about string) string {
	title := paperdata.ItemName(kind+" ", name)
	if about != "" {
		title += ": " + strings.TrimSuffix(about, ".")
	}
	return title
}

// draw draws the figure in both themes: embedded in the page if single is set, otherwise as separate files.
func (f *figure) draw(drawn *plots.Figure, single bool) error {
	f.Alt, f.Caption = drawn.AltText(), drawn.Explanation()
	f.Width, f.Height = int(math.Round(drawn.Width*pagePixels)), int(math.Round(drawn.Height*pagePixels))
	for _, in := range []struct {
		theme   theme.Theme
		address *template.URL
	}{{theme.Light, &f.Light}, {theme.Dark, &f.Dark}} {
		picture, err := picture(drawn.In(in.theme))
		if err != nil {
			return err
		}
		if single {
			*in.address = template.URL(pngType + base64.StdEncoding.EncodeToString(picture))
			continue
		}
		name := fmt.Sprintf("%s/%s-%s.png", pictures, f.ID, in.theme.Name)
		*in.address = template.URL(name)
		f.files = append(f.files, file{name, picture})
	}
	return nil
}

// put stores the figure's files with the function put.
func (f *figure) put(put func(name string, write func(io.Writer) error) error) error {
	for _, one := range f.files {
		if err := put(one.name, func(w io.Writer) error {
			_, err := w.Write(one.content)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// picture draws a figure as a PNG. It uses a palette if possible, which is smaller than a vector drawing with outlined
// letters.
func picture(f *plots.Figure) ([]byte, error) {
	drawn, err := f.Image(f.Width, f.Height, drawnPixels)
	if err != nil {
		return nil, err
	}
	if limited, ok := palette.Shown(drawn); ok {
		drawn = limited
	}
	var picture bytes.Buffer
	err = png.Encode(&picture, drawn)
	return picture.Bytes(), err
}
