package salmu512

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Fact returns the name of the person in a sensitive row, and the attribute value that the caption mentions.
func (s *SideFiles) Fact(row Row) (name, value string, err error) {
	record, known := s.Identities[row.Identity]
	if !known { // identities in rows lack the leading zeros that file names have
		person, _, _ := strings.Cut(row.FileName, "_")
		record, known = s.Identities[person]
	}
	if !known {
		return "", "", fmt.Errorf("%s: there is no person %q", fileIdentities, row.Identity)
	}
	field := s.Fields[row.FileName]
	if field == "" {
		return "", "", fmt.Errorf("%s: it does not say what the caption of %s tells", fileCaptions, row.FileName)
	}
	var attributes map[string]any
	decoder := json.NewDecoder(bytes.NewReader(record))
	decoder.UseNumber()
	if err := decoder.Decode(&attributes); err != nil {
		return "", "", fmt.Errorf("%s: %q is not an object", fileIdentities, row.Identity)
	}
	names, values := words(attributes["name"]), words(attributes[field])
	if len(names) == 0 || len(values) == 0 {
		return "", "", fmt.Errorf("%s: %q has no name, or no %s, which the caption of %s tells", fileIdentities,
			row.Identity, field, row.FileName)
	}
	told := slices.IndexFunc(values, func(v string) bool { return strings.Contains(row.Caption, v) })
	return names[0], values[max(0, told)], nil
}

// words returns all texts and numbers in a JSON value. It visits objects in key order.
func words(value any) []string {
	var all []string
	switch v := value.(type) {
	case string:
		all = append(all, v)
	case json.Number:
		all = append(all, v.String())
	case []any:
		for _, part := range v {
			all = append(all, words(part)...)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			all = append(all, words(v[name])...)
		}
	}
	return all
}
