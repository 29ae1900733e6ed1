package safefile

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// maxHeaderBytes is the limit of safetensors' own library.
const maxHeaderBytes = 100_000_000

// region locates a tensor's elements in the data after the header.
type region struct {
	Tensor
	begin, end int
}

// splitHeader separates the JSON header of a safetensors file from its data.
func splitHeader(content []byte) (header, data []byte, err error) {
	if len(content) < 8 {
		return nil, nil, fmt.Errorf("the file has %d bytes, the length of a safetensors header needs 8", len(content))
	}
	claimed, rest := binary.LittleEndian.Uint64(content), content[8:]
	if claimed > uint64(len(rest)) {
		return nil, nil, fmt.Errorf("header claims %s, file has %s", byteCount(claimed), byteCount(len(content)))
	}
	if claimed > maxHeaderBytes {
		return nil, nil, fmt.Errorf("header claims %s, at most %s are read", byteCount(claimed),
			byteCount(maxHeaderBytes))
	}
	if header = rest[:claimed]; !bytes.HasPrefix(header, []byte("{")) {
		return nil, nil, errors.New("header does not begin with {: not a safetensors file")
	}
	return header, rest[claimed:], nil
}

// parseHeader reads a header and checks that its tensors fill dataBytes bytes without a hole and without overlap.
func parseHeader(header []byte, dataBytes int) (regions []region, metadata map[string]string, err error) {
	reader, err := newStrictJSON(header)
	if err != nil {
		return nil, nil, fmt.Errorf("header: %w", err)
	}
	err = reader.object(func(name string) error {
		if name == "__metadata__" {
			metadata, err = parseMetadata(reader)
			return err
		}
		one, err := parseRegion(reader, name)
		if err != nil {
			return fmt.Errorf("tensor %.80q: %w", name, err)
		}
		regions = append(regions, one)
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("header: %w", err)
	}
	return regions, metadata, checkRegions(regions, dataBytes)
}

func parseMetadata(reader strictJSON) (map[string]string, error) {
	metadata := map[string]string{}
	err := reader.object(func(key string) error {
		value, err := reader.text()
		metadata[key] = value
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("__metadata__: %w", err)
	}
	return metadata, nil
}

// parseRegion reads the description of one tensor.
func parseRegion(reader strictJSON, name string) (region, error) {
	r := region{Tensor: Tensor{Name: name}}
	var offsets []int
	err := reader.object(func(key string) (err error) {
		switch key {
		case "dtype":
			var word string
			word, err = reader.text()
			r.Type = Type(word)
		case "shape":
			r.Shape, err = reader.sizes()
		case "data_offsets":
			offsets, err = reader.sizes()
		default:
			return fmt.Errorf("the key %.40q is not dtype, shape or data_offsets", key)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		return nil
	})
	switch {
	case err != nil:
		return r, err
	case r.Type == "":
		return r, errors.New("it has no dtype")
	case r.Type.Size() == 0:
		return r, r.Type.unknown()
	case r.Shape == nil:
		return r, errors.New("it has no shape")
	case len(offsets) != 2:
		return r, fmt.Errorf("it has %d data_offsets, not 2", len(offsets))
	case offsets[0] > offsets[1]:
		return r, fmt.Errorf("it ends at byte %d, before its begin at %d", offsets[1], offsets[0])
	}
	r.begin, r.end = offsets[0], offsets[1]
	needs, ok := shapeBytes(r.Shape, r.Type.Size())
	if !ok {
		return r, fmt.Errorf("the shape %s overflows", shapeText(r.Shape))
	}
	if int64(r.end-r.begin) != needs {
		return r, fmt.Errorf("shape %s of %s needs %s, its offsets span %s", shapeText(r.Shape), r.Type,
			byteCount(needs), byteCount(r.end-r.begin))
	}
	return r, nil
}

// checkRegions sorts regions by position and checks that they fill the data.
func checkRegions(regions []region, dataBytes int) error {
	slices.SortFunc(regions, func(a, b region) int { return cmp.Or(a.begin-b.begin, a.end-b.end) })
	end, before := 0, "the header"
	for _, r := range regions {
		name := fmt.Sprintf("tensor %.80q", r.Name)
		switch {
		case r.begin < end:
			return fmt.Errorf("%s overlaps %s by %s", name, before, byteCount(end-r.begin))
		case r.begin > end:
			return fmt.Errorf("a hole of %s between %s and %s", byteCount(r.begin-end), before, name)
		case r.end > dataBytes:
			return fmt.Errorf("%s ends at byte %d of the data, the file has %d", name, r.end, dataBytes)
		}
		end, before = r.end, name
	}
	if end < dataBytes {
		return fmt.Errorf("%s behind %s belong to no tensor", byteCount(dataBytes-end), before)
	}
	return nil
}

// shapeText formats a shape, or the first eight sizes of a longer one.
func shapeText(shape []int) string {
	if len(shape) > 8 {
		return fmt.Sprintf("%v and %d sizes more", shape[:8], len(shape)-8)
	}
	return fmt.Sprint(shape)
}
