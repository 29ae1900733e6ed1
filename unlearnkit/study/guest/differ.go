package guest

import (
	"fmt"
	"reflect"
	"strings"
)

// mostShown is the largest number of settings that an error of Differ names.
const mostShown = 3

// Differ returns an error that names the settings in which a guest's configuration differs from the original's. It
// returns nil if both are equal. Both must have the same struct type.
func Differ(own, original any) error {
	differences := differences("", reflect.ValueOf(own), reflect.ValueOf(original))
	if len(differences) == 0 {
		return nil
	}
	more := ""
	if left := len(differences) - mostShown; left > 0 {
		more, differences = fmt.Sprintf(" and %d more", left), differences[:mostShown]
	}
	return fmt.Errorf("its configuration describes another model: %s%s", strings.Join(differences, ", "), more)
}

// differences lists the fields below a path that differ.
func differences(path string, own, original reflect.Value) (all []string) {
	if own.Kind() == reflect.Struct {
		for i := range own.NumField() {
			name := own.Type().Field(i).Name
			all = append(all, differences(strings.TrimPrefix(path+"."+name, "."), own.Field(i), original.Field(i))...)
		}
		return all
	}
	if a, b := fmt.Sprint(own), fmt.Sprint(original); a != b {
		all = append(all, fmt.Sprintf("%s is %s and should be %s", path, a, b))
	}
	return all
}
