package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	_ "image/png" // runs store PNG pictures
	"maps"
	"math"
	"path"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// file compares a file whose bytes differ between the two artifacts.
func (c *comparator) file(name string) {
	var err error
	switch path.Ext(name) {
	case ".parquet":
		err = both(c, name, readTable, c.tables)
	case ".safetensors":
		err = both(c, name, readWeights, c.weights)
	case ".png":
		err = both(c, name, readPicture, c.pictures)
	default:
		c.refuse("the file %s differs", name)
	}
	if err != nil {
		c.refuse("%s: %v", name, err)
	}
}

// both reads a file from both artifacts and compares the contents.
func both[T any](c *comparator, name string, read func(of *store.Artifact, name string) (T, error),
	compare func(name string, a, b T)) error {
	a, errA := read(c.stored, name)
	b, errB := read(c.again, name)
	if err := errors.Join(errA, errB); err != nil {
		return err
	}
	compare(name, a, b)
	return nil
}

func readTable(of *store.Artifact, name string) (*safefile.Frame, error) { return of.ReadTable(name) }

// notes compares the notes of the two manifests.
func (c *comparator) notes(a, b map[string]json.RawMessage) {
	names := slices.Sorted(maps.Keys(a))
	if !slices.Equal(names, slices.Sorted(maps.Keys(b))) {
		c.refuse("the notes are %v and %v", names, slices.Sorted(maps.Keys(b)))
		return
	}
	for _, name := range names {
		if bytes.Equal(a[name], b[name]) {
			continue
		}
		var x, y float64
		if json.Unmarshal(a[name], &x) != nil || json.Unmarshal(b[name], &y) != nil {
			c.refuse("the note %s is %.80s and %.80s", name, a[name], b[name])
			continue
		}
		c.numbers("notes", name, []float64{x}, []float64{y}, absolute)
	}
}

// weights holds the tensors of a model.
type weights struct {
	shapes map[string][]int
	values []float64 // all values, in the order of the tensors' names
}

func readWeights(of *store.Artifact, name string) (w weights, err error) {
	file, err := safefile.Open(of.Path(name))
	if err != nil {
		return w, err
	}
	defer file.Close()
	w.shapes = map[string][]int{}
	for _, name := range file.Names() {
		tensor, _ := file.Tensor(name)
		values := make([]float64, tensor.Elements())
		if err := file.Float64(name, values); err != nil {
			return w, err
		}
		w.shapes[name], w.values = tensor.Shape, append(w.values, values...)
	}
	return w, nil
}

func (c *comparator) weights(name string, a, b weights) {
	if !maps.EqualFunc(a.shapes, b.shapes, slices.Equal) {
		c.refuse("%s: the tensors have other names or shapes", name)
		return
	}
	squares := 0.
	for _, value := range a.values {
		squares += value * value / float64(len(a.values))
	}
	size := math.Sqrt(squares)
	c.numbers(name, "weights", a.values, b.values, func(_, _ float64) float64 { return size })
}

func readPicture(of *store.Artifact, name string) (image.Image, error) {
	content, err := of.ReadFile(name)
	if err != nil {
		return nil, err
	}
	picture, _, err := image.Decode(bytes.NewReader(content))
	return picture, err
}

func (c *comparator) pictures(name string, a, b image.Image) {
	if a.Bounds() != b.Bounds() {
		c.refuse("%s: the pictures are %v and %v large", name, a.Bounds().Size(), b.Bounds().Size())
		return
	}
	c.numbers(name, "pixels", pixels(a), pixels(b), absolute)
}

// pixels returns the red, green and blue values of a picture, from 0 to 255.
func pixels(of image.Image) (values []float64) {
	for y := of.Bounds().Min.Y; y < of.Bounds().Max.Y; y++ {
		for x := of.Bounds().Min.X; x < of.Bounds().Max.X; x++ {
			red, green, blue, _ := of.At(x, y).RGBA()
			values = append(values, float64(red>>8), float64(green>>8), float64(blue>>8))
		}
	}
	return values
}

// firstStep describes the first step at which two trainings differ.
func firstStep(a, b *store.Artifact) string {
	if !a.Has(StepsFile) || !b.Has(StepsFile) {
		return ""
	}
	first, errA := a.ReadTable(StepsFile)
	second, errB := b.ReadTable(StepsFile)
	if errA != nil || errB != nil {
		return ""
	}
	for step := range min(first.Rows(), second.Rows()) {
		for _, column := range first.Columns {
			other := second.Column(column.Name)
			if column.Values == nil || other == nil || other.Values == nil {
				continue
			}
			if x, y := column.Values[step], other.Values[step]; x != y && !(math.IsNaN(x) && math.IsNaN(y)) {
				return fmt.Sprintf("; the first step that differs is %d: %s %v and %v", step+1, column.Name, x, y)
			}
		}
	}
	if first.Rows() != second.Rows() {
		return fmt.Sprintf("; the trainings have %d and %d steps, the same as far as both go", first.Rows(),
			second.Rows())
	}
	return "; their steps are the same"
}
