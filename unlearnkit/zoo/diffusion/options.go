package diffusion

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// integers is a list in a configuration file. A single number stands for a list that repeats it.
type integers struct {
	values []int
	single bool
}

func (l *integers) UnmarshalJSON(content []byte) error {
	var one int
	if json.Unmarshal(content, &one) == nil {
		*l = integers{values: []int{one}, single: true}
		return nil
	}
	l.single = false
	return json.Unmarshal(content, &l.values)
}

// over returns the list for a number of levels.
func (l integers) over(name string, n int) ([]int, error) {
	if l.single {
		return slices.Repeat(l.values, n), nil
	}
	if len(l.values) != n {
		return nil, fmt.Errorf("%s has %d elements for %d levels", name, len(l.values), n)
	}
	return l.values, nil
}

// readOptions reads a configuration file into known. It returns an error if the class differs, if an option named in
// only has another value there, or if an option without a field in known is on.
func readOptions(content []byte, class string, known any, only map[string]any) error {
	var options map[string]any
	if err := json.Unmarshal(content, &options); err != nil {
		return fmt.Errorf("%s's config: %w", class, err)
	}
	if options["_class_name"] != class {
		return fmt.Errorf("config of class %s, want %s", formatValue(options["_class_name"]), class)
	}
	fields := map[string]reflect.Kind{}
	for field := range reflect.TypeOf(known).Elem().Fields() {
		fields[field.Tag.Get("json")] = field.Type.Kind()
	}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		value := options[name]
		kind, read := fields[name]
		allowed, fixed := only[name]
		switch {
		case strings.HasPrefix(name, "_"):
		case read && (value != nil || kind == reflect.Pointer):
		case fixed && reflect.DeepEqual(value, allowed):
		case !read && !fixed && (value == nil || value == false):
		case fixed:
			return fmt.Errorf("%s's config: %.60q = %s is not supported, only %v", class, name, formatValue(value),
				allowed)
		default:
			return fmt.Errorf("%s's config: %.60q = %s is not supported", class, name, formatValue(value))
		}
	}
	if err := json.Unmarshal(content, known); err != nil {
		return fmt.Errorf("%s's config: %w", class, err)
	}
	return nil
}

// formatValue returns a value as one line of JSON, truncated.
func formatValue(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // impossible, because the value was read from JSON
	}
	return fmt.Sprintf("%.60s", text)
}
