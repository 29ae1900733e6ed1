package language

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Pixels reads an image file and returns the image [3, H, W] preprocessed for the model.
func (m *Model) Pixels(path string) ([]float32, error) {
	if m.vision == nil {
		return nil, errBlind
	}
	picture, err := safefile.ReadImage(path)
	if err != nil {
		return nil, err
	}
	values, err := m.PixelsOf(preprocess.Image{Width: picture.Width, Height: picture.Height, Pixels: picture.Pix})
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return values, nil
}

// PixelsOf returns an image [3, H, W] preprocessed for the model.
func (m *Model) PixelsOf(picture preprocess.Image) ([]float32, error) {
	if m.vision == nil {
		return nil, errBlind
	}
	values, width, height := m.transform.Apply(picture)
	if side := m.vision.Vision.Image; width != side || height != side {
		return nil, fmt.Errorf("the model's image processor makes %d × %d pixels of it, the model takes %d × %[3]d",
			width, height, side)
	}
	return values, nil
}

// processor holds the fields of preprocessor_config.json that LLaVA's processors use.
type processor struct {
	Resize    *bool     `json:"do_resize"`
	Crop      *bool     `json:"do_center_crop"`
	Scale     *bool     `json:"do_rescale"`
	Normalize *bool     `json:"do_normalize"`
	Pad       *bool     `json:"do_pad"`
	Size      edge      `json:"size"`
	CropSize  edge      `json:"crop_size"`
	Resample  *int      `json:"resample"`
	Mean      []float32 `json:"image_mean"`
	Deviation []float32 `json:"image_std"`
}

// edge is a size, given as a number, as the shorter side, or as two equal sides.
type edge struct{ shorter, side int }

// UnmarshalJSON reads all three forms.
func (e *edge) UnmarshalJSON(text []byte) error {
	if json.Unmarshal(text, &e.shorter) == nil {
		return nil
	}
	var fields struct {
		Shorter int `json:"shortest_edge"`
		Height  int `json:"height"`
		Width   int `json:"width"`
	}
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	if fields.Height != fields.Width {
		return fmt.Errorf("a size of %d × %d, only squares are read", fields.Width, fields.Height)
	}
	e.shorter, e.side = fields.Shorter, fields.Height
	return nil
}

// readTransform returns the transform of a folder's image processor, which is CLIP's by default.
func readTransform(dir string, size int) (preprocess.Transform, error) {
	transform := preprocess.CLIPImageProcessor(size)
	path, text, err := processorFile(dir)
	if err != nil || text == nil {
		return transform, err
	}
	var p processor
	if err = json.Unmarshal(text, &p); err == nil {
		err = p.change(&transform)
	}
	if err != nil {
		return transform, fmt.Errorf("read %s: %w", path, err)
	}
	return transform, nil
}

// processorFile returns the path and the text of the file that describes the image processor. In newer releases, the
// file also describes processors for other inputs.
func processorFile(dir string) (path string, text []byte, err error) {
	path = filepath.Join(dir, "preprocessor_config.json")
	if text, err = os.ReadFile(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return path, text, err
	}
	path = filepath.Join(dir, "processor_config.json")
	if text, err = os.ReadFile(path); errors.Is(err, fs.ErrNotExist) {
		return path, nil, nil
	} else if err != nil {
		return path, nil, err
	}
	var all struct {
		Images json.RawMessage `json:"image_processor"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return path, nil, fmt.Errorf("read %s: %w", path, err)
	}
	return path, all.Images, nil
}

// change applies the settings in a file to the transform.
func (p processor) change(t *preprocess.Transform) error {
	for _, step := range []struct {
		name string
		done *bool
	}{{"do_resize", p.Resize}, {"do_center_crop", p.Crop}, {"do_rescale", p.Scale}, {"do_normalize", p.Normalize}} {
		if step.done != nil && !*step.done {
			return fmt.Errorf("%s is false, which is not read", step.name)
		}
	}
	if p.Pad != nil && *p.Pad {
		t.Square, t.Background = true, preprocess.PaddedLLaVA(t.Crop).Background
	}
	switch {
	case p.Size.shorter > 0:
		t.Size.Shorter = p.Size.shorter
	case p.Size.side > 0:
		t.Size.Shorter, t.Size.Width, t.Size.Height = 0, p.Size.side, p.Size.side
	}
	if side := max(p.CropSize.side, p.CropSize.shorter); side > 0 {
		t.Crop = side
	}
	if p.Resample != nil {
		filter, known := map[int]preprocess.Filter{1: preprocess.Lanczos, 2: preprocess.Bilinear,
			3: preprocess.Bicubic}[*p.Resample]
		if !known {
			return fmt.Errorf("resample is %d; 1, 2 and 3 are read", *p.Resample)
		}
		t.Size.Filter = filter
	}
	for _, colours := range []struct {
		name string
		from []float32
		to   *[3]float32
	}{{"image_mean", p.Mean, &t.Mean}, {"image_std", p.Deviation, &t.Deviation}} {
		if colours.from == nil {
			continue
		}
		if len(colours.from) != 3 {
			return fmt.Errorf("%s has %d numbers, not 3", colours.name, len(colours.from))
		}
		copy(colours.to[:], colours.from)
	}
	for _, deviation := range t.Deviation {
		if !(deviation > 0) {
			return fmt.Errorf("image_std has %g", deviation)
		}
	}
	return nil
}
