package certify

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
)

// withoutNaN encodes a struct as JSON in the order of its fields. Numbers that are not finite become null; numbers maps
// JSON names to values.
func withoutNaN(value any, numbers map[string]float64) ([]byte, error) {
	var text bytes.Buffer
	v := reflect.ValueOf(value)
	for i := range v.NumField() {
		name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if name == "-" || options == "omitempty" && v.Field(i).IsZero() {
			continue
		}
		content := []byte("null")
		if number, listed := numbers[name]; !listed || !math.IsNaN(number) && !math.IsInf(number, 0) {
			var err error
			if content, err = json.Marshal(v.Field(i).Interface()); err != nil {
				return nil, err
			}
		}
		if text.Len() > 0 {
			text.WriteByte(',')
		}
		text.WriteString(`"` + name + `":`)
		text.Write(content)
	}
	return []byte("{" + text.String() + "}"), nil
}
