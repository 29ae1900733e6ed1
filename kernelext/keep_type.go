package kernelext

import (
	"encoding"
	"encoding/gob"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// typeOf describes the type that pointer points to, with its fields, so that a changed struct is a different type.
func typeOf(pointer any) string {
	return typeText(reflect.TypeOf(pointer).Elem(), map[reflect.Type]bool{})
}

func typeText(t reflect.Type, within map[reflect.Type]bool) string {
	name := "" // name of the type; empty for an unnamed type
	switch {
	case t.PkgPath() != "":
		name = t.PkgPath() + "." + t.Name() + " "
	case t.Name() != "":
		return t.Name() // predeclared
	}
	if within[t] {
		return name
	}
	within[t] = true
	defer delete(within, t)
	switch t.Kind() {
	case reflect.Pointer:
		return name + "*" + typeText(t.Elem(), within)
	case reflect.Slice:
		return name + "[]" + typeText(t.Elem(), within)
	case reflect.Array:
		return fmt.Sprintf("%s[%d]%s", name, t.Len(), typeText(t.Elem(), within))
	case reflect.Map:
		return fmt.Sprintf("%smap[%s]%s", name, typeText(t.Key(), within), typeText(t.Elem(), within))
	case reflect.Struct:
		var fields []string
		for i := range t.NumField() {
			fields = append(fields, t.Field(i).Name+" "+typeText(t.Field(i).Type, within))
		}
		return name + "struct{" + strings.Join(fields, "; ") + "}"
	}
	return name + t.Kind().String()
}

// checkKeepable returns an error if values of the type that pointer points to do not survive encoding.
func checkKeepable(pointer any) error {
	return checkType(reflect.TypeOf(pointer).Elem(), map[reflect.Type]bool{})
}

var (
	gobEncoder      = reflect.TypeFor[gob.GobEncoder]()
	binaryMarshaler = reflect.TypeFor[encoding.BinaryMarshaler]()
)

func checkType(t reflect.Type, seen map[reflect.Type]bool) error {
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
		return checkType(t.Elem(), seen)
	case reflect.Map:
		return errors.Join(checkType(t.Key(), seen), checkType(t.Elem(), seen))
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() {
				return fmt.Errorf("the field %s of %s is unexported and would be lost; begin its name with a capital "+
					"letter", f.Name, t)
			}
			if err := checkType(f.Type, seen); err != nil {
				return err
			}
		}
	}
	return nil
}
