package device

import (
	"fmt"
	"reflect"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device/fused"
)

const (
	pureGo  = "go"
	plainGo = "go:plain"
)

// openGo opens a pure Go backend. GoMLX's default executor lets every running operation hold a slot of a pool while a
// matrix product inside waits for another, which hangs: here operations run one after another, which also makes what
// panics inside one an error, and products have as many workers as they ask for. The latter setting has no quiet way in
// but its field: as a configuration string it prints on stdout.
func openGo(name string) (compute.Backend, error) {
	backend, err := gobackend.New("ops_sequential")
	if err != nil {
		return nil, fmt.Errorf("open the Go backend: %w", err)
	}
	field := reflect.ValueOf(backend).Elem().FieldByName("Workers").Interface()
	workers, ok := field.(interface{ SetMaxParallelism(int) })
	if !ok {
		return nil, fmt.Errorf("open the Go backend: its workers cannot be set, the version of GoMLX is not the one " +
			"in go.mod")
	}
	workers.SetMaxParallelism(-1)
	if name == plainGo {
		return backend, nil
	}
	planned, err := fused.Wrap(backend)
	if err != nil {
		return nil, fmt.Errorf("open the Go backend: %w", err)
	}
	return planned, nil
}
