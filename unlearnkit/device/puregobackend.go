package device

import (
	"fmt"
	"reflect"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"
)

const (
	pureGo       = "go"
	sequentialGo = "go:sequential"
)

// openGo opens the pure Go backend. Its default executor lets every running operation hold a slot of a pool while a matrix product inside waits for another, which
// hangs; without a limit no operation waits. The setting has no quiet way in but its field: as a configuration string it prints on stdout.
func openGo(name string) (compute.Backend, error) {
	configuration := ""
	if name == sequentialGo {
		configuration = "ops_sequential"
	}
	backend, err := gobackend.New(configuration)
	if err != nil {
		return nil, fmt.Errorf("open the Go backend: %w", err)
	}
	workers, ok := reflect.ValueOf(backend).Elem().FieldByName("Workers").Interface().(interface{ SetMaxParallelism(int) })
	if !ok {
		return nil, fmt.Errorf("open the Go backend: its workers cannot be set, the version of GoMLX is not the one in go.mod")
	}
	workers.SetMaxParallelism(-1)
	return backend, nil
}
