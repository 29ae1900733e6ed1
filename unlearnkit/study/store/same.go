package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Same returns nil where two artifacts are the same result, whenever, where and at whatever cost they were made, and
// otherwise an error with the first file or field that differs and what is different in the programs that made them.
func Same(a, b *Artifact) error {
	m, n := a.Manifest, b.Manifest
	difference := ""
	switch {
	case m.Stage != n.Stage:
		difference = fmt.Sprintf("the stages are %s and %s", m.Stage, n.Stage)
	case m.Version != n.Version:
		difference = fmt.Sprintf("the versions of %s are %d and %d", m.Stage, m.Version, n.Version)
	case !bytes.Equal(m.Spec, n.Spec):
		difference = "the specs differ"
	case !slices.Equal(m.Inputs, n.Inputs):
		difference = "the inputs differ"
	default:
		difference = firstDifference("the file", m.Files, n.Files, func(f, g File) bool { return f == g })
		if difference == "" {
			difference = firstDifference("the note", m.Notes, n.Notes, func(x, y json.RawMessage) bool {
				return bytes.Equal(x, y)
			})
		}
	}
	if difference == "" {
		return nil
	}
	return fmt.Errorf("%s and %s are not the same: %s%s", a.Key.short(), b.Key.short(), difference,
		differentBuilds(m.Build, n.Build))
}

func firstDifference[V any](what string, a, b map[string]V, same func(V, V) bool) string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(names)
	for _, name := range names {
		x, inA := a[name]
		y, inB := b[name]
		switch {
		case !inB:
			return fmt.Sprintf("%s %s is only in the first", what, name)
		case !inA:
			return fmt.Sprintf("%s %s is only in the second", what, name)
		case !same(x, y):
			return fmt.Sprintf("%s %s differs", what, name)
		}
	}
	return ""
}

// differentBuilds says what may explain a difference.
func differentBuilds(a, b Build) string {
	var differences []string
	for _, field := range []struct{ name, a, b string }{
		{"Go", a.Go, b.Go}, {"system", a.System, b.System}, {"SIMD", a.SIMD, b.SIMD}, {"backend", a.Backend, b.Backend},
		{"processor", a.Processor, b.Processor}, {"revision", a.Revision, b.Revision},
	} {
		if field.a != field.b {
			differences = append(differences, fmt.Sprintf("%s %s and %s", field.name, field.a, field.b))
		}
	}
	if module := firstDifference("module", a.Modules, b.Modules, func(v, w string) bool {
		return v == w
	}); module != "" {
		differences = append(differences, module)
	}
	if differences == nil {
		return ""
	}
	return " (made with " + strings.Join(differences, ", ") + ")"
}
