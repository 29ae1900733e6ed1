package kernelext

import (
	"errors"
	"fmt"
	"html"
	"image"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/unlearnlab/unlearnlab/internal/palette"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// A Picture draws itself and has a description in words. The figures of package plots are pictures.
type Picture = report.Picture

// figureScale keeps figures sharp on screens with two device pixels for each CSS pixel.
const figureScale = 2

// FiguresVariable is the environment variable with the folder to which [Figure] and [Sounds] write outside a notebook.
const FiguresVariable = "KX_FIGURES"

var figuresWritten atomic.Int64

// Figure shows a [Picture], a gonum *plot.Plot or an image.Image. Outside a notebook it prints the picture's text and
// size, and writes a PNG if [FiguresVariable] names a folder.
func Figure(picture any) {
	p, ok := pictureOf(picture)
	if !ok {
		fail(fmt.Errorf("kx.Figure: a %T is not a picture; give a figure of package plots, a *plot.Plot or an "+
			"image.Image", picture))
		return
	}
	content, width, height, err := p.PNG(figureScale)
	if err == nil && len(content) == 0 {
		err = errors.New("it drew nothing")
	}
	if err != nil {
		fail(fmt.Errorf("figure: %w", err))
		return
	}
	text := p.AltText()
	if text == "" {
		text = "a figure without a description"
	}
	if gonbui.IsNotebook {
		content = palette.Compact(content)
	} else {
		where, err := writeCopy("figure", fmt.Sprintf("figure-%d.png", figuresWritten.Add(1)), content)
		if err != nil {
			fail(err)
			return
		}
		text += fmt.Sprintf(" [%d×%d%s]", width, height, where)
	}
	display{png: content, width: width, height: height, text: text}.show()
	if e, is := p.(captioned); is && gonbui.IsNotebook && e.Explanation() != "" {
		display{html: captionHTML(e.Explanation()), text: e.Explanation()}.show()
	}
}

// captioned is a picture with a caption, which a notebook shows below it. Elsewhere the caption is part of AltText.
type captioned interface{ Explanation() string }

func captionHTML(caption string) string {
	return `<p style="max-width: 60em; font-size: 90%">` + html.EscapeString(caption) + `</p>`
}

// pictureOf converts a value to a picture and reports whether it can be drawn.
func pictureOf(value any) (Picture, bool) {
	switch v := value.(type) {
	case nil:
		return nil, false
	case Picture:
		return v, true
	case image.Image:
		return pixels{v}, true
	}
	if isPlot(value) {
		return gonumPlot{value}, true
	}
	return nil, false
}

// writeCopy writes content to the folder named by [FiguresVariable] and returns ", " and the path for a message. It
// does nothing if the variable is not set.
func writeCopy(what, name string, content []byte) (where string, err error) {
	folder := os.Getenv(FiguresVariable)
	if folder == "" {
		return "", nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("%s: %w; set %s to a folder that can be written", what, err, FiguresVariable)
	}
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		return "", fmt.Errorf("%s: %w; set %s to a folder that can be written", what, err, FiguresVariable)
	}
	return ", " + path, nil
}
