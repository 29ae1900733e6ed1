package kernelext

import (
	"encoding"
	"encoding/gob"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// typeOf describes the type behind a pointer with its fields, so that a struct that has changed is another one.
func typeOf(pointer any) string {
	return spelled(reflect.TypeOf(pointer).Elem(), map[reflect.Type]bool{})
}

func spelled(t reflect.Type, within map[reflect.Type]bool) string {
	name := "" // of a type that has none
	switch {
	case t.PkgPath() != "":
		name = t.PkgPath() + "." + t.Name() + " "
	case t.Name() != "":
		return t.Name() // Go's own
	}
	if within[t] {
		return name
	}
	within[t] = true
	defer delete(within, t)
	switch t.Kind() {
	case reflect.Pointer:
		return name + "*" + spelled(t.Elem(), within)
	case reflect.Slice:
		return name + "[]" + spelled(t.Elem(), within)
	case reflect.Array:
		return fmt.Sprintf("%s[%d]%s", name, t.Len(), spelled(t.Elem(), within))
	case reflect.Map:
		return fmt.Sprintf("%smap[%s]%s", name, spelled(t.Key(), within), spelled(t.Elem(), within))
	case reflect.Struct:
		var fields []string
		for i := range t.NumField() {
			fields = append(fields, t.Field(i).Name+" "+spelled(t.Field(i).Type, within))
		}
		return name + "struct{" + strings.Join(fields, "; ") + "}"
	}
	return name + t.Kind().String()
}

// keepable says why values of the type behind a pointer would not come back as they were.
func keepable(pointer any) error {
	return whole(reflect.TypeOf(pointer).Elem(), map[reflect.Type]bool{})
}

var (
	gobEncoder      = reflect.TypeFor[gob.GobEncoder]()
	binaryMarshaler = reflect.TypeFor[encoding.BinaryMarshaler]()
)

func whole(t reflect.Type, seen map[reflect.Type]bool) error {
	if seen[t] || t.Implements(gobEncoder) || t.Implements(binaryMarshaler) {
		return nil
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
		return fmt.Errorf("a %s cannot be kept", t)
	case reflect.Interface:
		return fmt.Errorf("a value of the interface %s cannot be kept; give its own type", t)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return whole(t.Elem(), seen)
	case reflect.Map:
		return errors.Join(whole(t.Key(), seen), whole(t.Elem(), seen))
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() {
				return fmt.Errorf("the field %s of %s begins with a small letter, and such fields are lost; give it a "+
					"capital one", f.Name, t)
			}
			if err := whole(f.Type, seen); err != nil {
				return err
			}
		}
	}
	return nil
}
