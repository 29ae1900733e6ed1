package kernelext

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unsafe"
)

// gonumPlot is a *plot.Plot of gonum as a picture. Cells that draw none shall not link gonum's drawing, so this package
// does not import it, and calls what the plot has by name.
type gonumPlot struct{ plot any }

// The size of a plot on the page, in pixels, and what gonum counts: points of 1/72 inch.
const (
	plotWidth, plotHeight = 576, 384
	pixelsPerInch         = 96
	pointsPerPixel        = 72. / pixelsPerInch
)

func isPlot(value any) bool {
	t := reflect.TypeOf(value)
	return t.Kind() == reflect.Pointer && t.Elem().PkgPath() == "gonum.org/v1/plot" && t.Elem().Name() == "Plot" &&
		!reflect.ValueOf(value).IsNil()
}

// PNG draws the plot with so many pixels a pixel of the page.
func (p gonumPlot) PNG(scale int) (content []byte, width, height int, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("a *plot.Plot of another version of gonum/plot than is known here: %v", problem)
		}
	}()
	value := reflect.ValueOf(p.plot)
	write, draw := value.MethodByName("WriterTo"), value.MethodByName("Draw")
	length := write.Type().In(0) // vg.Length, in points
	points := func(pixels float64) reflect.Value {
		return reflect.ValueOf(pixels * pointsPerPixel).Convert(length)
	}
	results := write.Call([]reflect.Value{points(float64(scale) * plotWidth), points(float64(scale) * plotHeight),
		reflect.ValueOf("png")})
	if problem, failed := results[1].Interface().(error); failed {
		return nil, 0, 0, problem
	}
	// What it drew has the pixels and small letters: it is drawn again over it, with more pixels an inch, which gonum
	// lets be chosen only by packages that draw. Its SVG would need no hidden field, but JupyterLab shows SVG only in
	// notebooks that are trusted, and with the letters that the reader's machine happens to have.
	target := results[0].Elem().FieldByName("Canvas")
	hidden(target, "dpi").SetInt(int64(scale) * pixelsPerInch)
	hidden(target, "w").Set(points(plotWidth))
	hidden(target, "h").Set(points(plotHeight))
	area := reflect.New(draw.Type().In(0)).Elem() // draw.Canvas
	area.FieldByName("Canvas").Set(target)
	corner := area.FieldByName("Rectangle").FieldByName("Max")
	corner.FieldByName("X").Set(points(plotWidth))
	corner.FieldByName("Y").Set(points(plotHeight))
	draw.Call([]reflect.Value{area})
	writer, ok := results[0].Interface().(io.WriterTo)
	if !ok {
		return nil, 0, 0, errors.New("the plot writes no PNG")
	}
	var out bytes.Buffer
	_, err = writer.WriteTo(&out)
	return out.Bytes(), plotWidth, plotHeight, err
}

// hidden is a field of what a pointer points to, whose name begins with a small letter.
func hidden(pointer reflect.Value, name string) reflect.Value {
	field := pointer.Elem().FieldByName(name)
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

// AltText is what the plot says of itself.
func (p gonumPlot) AltText() string {
	plot := reflect.ValueOf(p.plot).Elem()
	text := func(path ...string) string {
		at := plot
		for _, name := range path {
			if at = at.FieldByName(name); !at.IsValid() {
				return ""
			}
		}
		return at.String()
	}
	words := []string{"a plot"}
	if title := text("Title", "Text"); title != "" {
		words[0] += ": " + title
	}
	for _, axis := range []string{"X", "Y"} {
		if label := text(axis, "Label", "Text"); label != "" {
			words = append(words, fmt.Sprintf("%s is %s", strings.ToLower(axis), label))
		}
	}
	return strings.Join(words, "; ")
}
