package page

import (
	"bytes"
	"encoding/base64"
	"errors"
	"html/template"
	"image/png"
	"math"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/unlearnlab/unlearnlab/internal/palette"
	"github.com/unlearnlab/unlearnlab/plots"
	"github.com/unlearnlab/unlearnlab/plots/theme"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

const (
	pagePixels  = 96  // pixels of the page per inch of a figure
	drawnPixels = 160 // pixels of the picture per inch, so that it is sharp on a phone
	pngType     = "data:image/png;base64,"
	svgType     = "data:image/svg+xml;base64,"
)

// figure is a picture in both themes; the style sheet shows one of them.
type figure struct {
	ID, Title     string
	Alt, Caption  string
	Light, Dark   template.URL
	Width, Height int
	Missing       string // why there is no figure
	Command       string
	Printed       *grid
}

// figures draws the paper's figures. A figure that the preset cannot show says why.
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
		if lacks := new(study.Lacks); errors.As(err, &lacks) {
			f.Missing = lacks.Error()
			continue
		}
		if err != nil {
			return nil, err
		}
		work.Go(func() error { return f.draw(drawn.Bare()) })
	}
	return shown, work.Wait()
}

// heading returns the heading of a table or figure. Items of the paper have numbers.
func heading(kind, name, about string) string {
	title := name
	if strings.Trim(name, "0123456789") == "" {
		title = kind + " " + name
	}
	if about != "" {
		title += ": " + strings.TrimSuffix(about, ".")
	}
	return title
}

func (f *figure) draw(drawn *plots.Figure) (err error) {
	f.Alt, f.Caption = drawn.AltText(), drawn.Explanation()
	f.Width, f.Height = int(math.Round(drawn.Width*pagePixels)), int(math.Round(drawn.Height*pagePixels))
	if f.Light, err = dataURL(drawn.In(theme.Light)); err != nil {
		return err
	}
	f.Dark, err = dataURL(drawn.In(theme.Dark))
	return err
}

// dataURL draws a figure and returns it as a data URL. It writes a PNG with a palette, which is smaller than a vector
// drawing with the outlines of its letters.
func dataURL(f *plots.Figure) (template.URL, error) {
	drawn, err := f.Image(f.Width, f.Height, drawnPixels)
	if err != nil {
		return "", err
	}
	if limited, ok := palette.Shown(drawn); ok {
		drawn = limited
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, drawn); err != nil {
		return "", err
	}
	return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(picture.Bytes())), nil
}
