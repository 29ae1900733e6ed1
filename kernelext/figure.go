package kernelext

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
)

// A Picture can draw itself and say in words what it shows. The figures of package plots are pictures.
type Picture = report.Picture

// figureScale keeps figures sharp on screens with two pixels a page pixel.
const figureScale = 2

// FiguresVariable names the environment variable with the folder to which [Figure] writes outside a notebook.
const FiguresVariable = "KX_FIGURES"

var figuresWritten atomic.Int64

// Figure shows a picture. Outside a notebook it prints the picture's text and size, and writes the PNG when
// [FiguresVariable] names a folder.
func Figure(p Picture) {
	png, width, height, err := p.PNG(figureScale)
	if err == nil && len(png) == 0 {
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
	if !gonbui.IsNotebook {
		where, err := writeFigure(png)
		if err != nil {
			fail(err)
			return
		}
		text += fmt.Sprintf(" [%d×%d%s]", width, height, where)
	}
	display{png: png, width: width, height: height, text: text}.show()
}

// writeFigure writes the picture where the environment wants it and says where that is.
func writeFigure(png []byte) (where string, err error) {
	folder := os.Getenv(FiguresVariable)
	if folder == "" {
		return "", nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("figure: %w; set %s to a folder that can be written", err, FiguresVariable)
	}
	path := filepath.Join(folder, fmt.Sprintf("figure-%d.png", figuresWritten.Add(1)))
	if err := os.WriteFile(path, png, 0o644); err != nil {
		return "", fmt.Errorf("figure: %w; set %s to a folder that can be written", err, FiguresVariable)
	}
	return ", " + path, nil
}
