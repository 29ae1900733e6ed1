package fused

import (
	"os"
	"reflect"
	"regexp"
	"testing"

	"github.com/gomlx/compute/gobackend"
	"github.com/google/go-cmp/cmp"
)

func TestPrivate_Version(t *testing.T) {
	module, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^\s*github\.com/gomlx/compute (\S+)$`).FindSubmatch(module)
	if found == nil || string(found[1]) != knownCompute {
		t.Errorf("go.mod has compute %s, private.go knows %s: compare gobackend's buffers and workers, then change "+
			"knownCompute", found[1:], knownCompute)
	}
}

func TestPrivate_Fields(t *testing.T) {
	backend, err := gobackend.New("ops_sequential")
	if err != nil {
		t.Fatal(err)
	}
	template, err := bufferTemplate(backend)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range template.NumField() {
		field := template.Type().Field(i)
		got = append(got, field.Name+" "+field.Type.String())
	}
	want := []string{"RawBackend *gobackend.Backend", "RawShape shapes.Shape", "InUse bool", "isUserFed bool",
		"RawBytes []uint8", "Flat interface {}"}
	if difference := cmp.Diff(want, got); difference != "" {
		t.Errorf("private.go knows the buffers of compute %s, these have other fields (-known +found):\n%s",
			knownCompute, difference)
	}
	workers := reflect.ValueOf(backend).Elem().FieldByName("Workers")
	if want := "*workerspool.Pool"; !workers.IsValid() || workers.Type().String() != want {
		t.Errorf("private.go knows the workers of compute %s, a %s; these are %v", knownCompute, want, workers)
	}
	if err := LiftWorkerLimit(backend); err != nil {
		t.Error(err)
	}
}
