package device

import (
	"fmt"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device/fused"
)

const (
	pureGo  = "go"
	plainGo = "go:plain"
)

// openGo opens a pure Go backend. GoMLX's default executor hangs: every running operation holds a slot of a pool while
// a matrix product inside waits for another slot. Here operations run one after another, so a panic inside one becomes
// an error, and products use as many workers as they request. That number is set through a field, because the
// configuration string for it prints on stdout.
func openGo(name string) (compute.Backend, error) {
	backend, err := gobackend.New("ops_sequential")
	if err != nil {
		return nil, fmt.Errorf("open the Go backend: %w", err)
	}
	if err := fused.LiftWorkerLimit(backend); err != nil {
		return nil, fmt.Errorf("open the Go backend: %w", err)
	}
	if name == plainGo {
		return backend, nil
	}
	planned, err := fused.Wrap(backend)
	if err != nil {
		return nil, fmt.Errorf("open the Go backend: %w", err)
	}
	return planned, nil
}
