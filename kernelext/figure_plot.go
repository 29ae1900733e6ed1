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

// gonumPlot shows a gonum *plot.Plot. It calls the plot's methods by reflection instead of importing gonum/plot, so
// that cells without a plot do not link it.
type gonumPlot struct{ plot any }

// A plot's size on the page in pixels, and the conversion to gonum's points of 1/72 inch.
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

// PNG draws the plot with scale pixels for each pixel of the page.
func (p gonumPlot) PNG(scale int) (content []byte, width, height int, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = fmt.Errorf("this version of gonum/plot is not supported: %v", problem)
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
	// WriterTo has drawn enough pixels, but small letters. So the plot is drawn over it again at a higher resolution,
	// which gonum exposes only to packages that import its drawing. SVG would need no unexported field, but JupyterLab
	// shows SVG only in trusted notebooks, and with the fonts of the reader's machine.
	target := results[0].Elem().FieldByName("Canvas")
	unexported(target, "dpi").SetInt(int64(scale) * pixelsPerInch)
	unexported(target, "w").Set(points(plotWidth))
	unexported(target, "h").Set(points(plotHeight))
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

// unexported returns an unexported field of the struct at pointer, made settable.
func unexported(pointer reflect.Value, name string) reflect.Value {
	field := pointer.Elem().FieldByName(name)
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

// AltText returns the plot's title and axis labels.
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
