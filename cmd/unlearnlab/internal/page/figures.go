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
	pagePixels  = 96  // an inch of a figure on the page
	drawnPixels = 160 // an inch of it as it is drawn, so that it is sharp on a telephone
	pngType     = "data:image/png;base64,"
	svgType     = "data:image/svg+xml;base64,"
)

// figure is a picture in both themes, of which the style shows one.
type figure struct {
	ID, Title     string
	Alt, Caption  string
	Light, Dark   template.URL
	Width, Height int
	Lacks         string // why there is none
	Command       string
	Printed       *grid
}

// figures draws those of the paper. What the preset cannot show says why.
func (s *shelf) figures() ([]*figure, error) {
	shown := make([]*figure, len(s.Figures))
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, d := range s.Figures {
		f := &figure{ID: s.name + "-figure-" + slug(d.Name), Title: titled("Figure", d.Name, d.About)}
		shown[i] = f
		if d.Printed == nil {
			f.Command = s.command("figures", d.Name)
		}
		var err error
		if f.Printed, err = s.printed("figure"+d.Name, f.ID); err != nil {
			return nil, err
		}
		if s.Results == nil && d.Printed == nil {
			f.Lacks = s.nothing()
			continue
		}
		drawn, err := d.Figure(s.Results)
		if lacks := new(study.Lacks); errors.As(err, &lacks) {
			f.Lacks = lacks.Error()
			continue
		}
		if err != nil {
			return nil, err
		}
		work.Go(func() error { return f.draw(drawn) })
	}
	return shown, work.Wait()
}

// titled is what stands above a table or a figure. Those of the paper have numbers.
func titled(kind, name, about string) string {
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
	if f.Light, err = encoded(drawn.In(theme.Light)); err != nil {
		return err
	}
	f.Dark, err = encoded(drawn.In(theme.Dark))
	return err
}

// encoded is the figure as part of a page: a picture with a palette, which is smaller than a drawing with the outlines
// of its letters.
func encoded(f *plots.Figure) (template.URL, error) {
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
