package device

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/gomlx/compute"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// The environment variables that select the device and the folder of plugins.
const (
	Variable     = "UNLEARNLAB_DEVICE"
	HomeVariable = store.HomeVariable
)

const (
	xlaCPU      = "xla:cpu"
	xlaCUDA     = "xla:cuda"
	xlaCUDATF32 = "xla:cuda,tf32"
)

// ErrUnknown reports a wish that is not the name of a device.
var ErrUnknown = errors.New("is not known")

var (
	openMu   sync.Mutex
	backends = map[string]compute.Backend{} // backends by the device's name and the plugin's path
)

// Open opens the device that wish names:
//
//   - "go": pure Go, with the plans of package fused
//   - "go:plain": pure Go with GoMLX's own executor, for comparison
//   - "xla:cpu": XLA on the processor
//   - "xla:cuda": XLA on an NVIDIA GPU, with float32 products computed in float32
//   - "xla:cuda,tf32": the same with products rounded to TF32, which is faster but has only three digits
//   - a path: the PJRT plugin in that file
//
// If wish is empty or "auto", $UNLEARNLAB_DEVICE decides. If that is unset too, Open takes the first available of a
// CUDA plugin (on a machine with an NVIDIA device), a CPU plugin and pure Go. A wish that cannot be met is an error,
// never another device.
func Open(wish string) (*Device, error) {
	openMu.Lock()
	defer openMu.Unlock()
	if wish != "" && wish != "auto" {
		return open(wish, "as asked for")
	}
	if wish := os.Getenv(Variable); wish != "" && wish != "auto" {
		d, err := open(wish, "by $"+Variable)
		if err != nil {
			return nil, fmt.Errorf("$%s: %w", Variable, err)
		}
		return d, nil
	}
	return openBest()
}

func open(wish, why string) (*Device, error) {
	switch {
	case wish == pureGo || wish == plainGo:
		return openOnce(wish, Plugin{}, why)
	case wish == xlaCPU || wish == xlaCUDA || wish == xlaCUDATF32:
		return openNamed(wish, why)
	case strings.HasSuffix(wish, ".so") || strings.ContainsRune(wish, filepath.Separator):
		path, err := filepath.Abs(wish)
		if err != nil {
			return nil, err
		}
		plugin := examine(path)
		if plugin.Error != "" {
			return nil, fmt.Errorf("device %s", plugin.Error)
		}
		if plugin.Kind == "cuda" && !hasNVIDIA() {
			return nil, fmt.Errorf("device %s: %s; use xla:cpu or go", wish, noNVIDIA)
		}
		return openOnce("xla:"+plugin.Kind, plugin, why)
	}
	return nil, fmt.Errorf("device %q %w: go, go:plain, xla:cpu, xla:cuda, xla:cuda,tf32 or the path of a PJRT plugin",
		wish, ErrUnknown)
}

// openNamed opens the first plugin of the kind that can be opened.
func openNamed(name, why string) (*Device, error) {
	kind := strings.TrimSuffix(strings.TrimPrefix(name, "xla:"), ",tf32")
	if noXLA != "" {
		return nil, fmt.Errorf("device %s: %s; use go", name, noXLA)
	}
	if kind == "cuda" && !hasNVIDIA() {
		return nil, fmt.Errorf("device %s: %s; use xla:cpu or go", name, noNVIDIA)
	}
	var refused []string
	for _, path := range candidates(kind) {
		plugin := examine(path)
		if plugin.Error == "" {
			d, err := openOnce(name, plugin, why)
			if err == nil {
				return d, nil
			}
			plugin.Error = err.Error()
		}
		refused = append(refused, plugin.Error)
	}
	if len(refused) > 0 {
		return nil, fmt.Errorf("device %s: %s; run: unlearnlab device install %s", name, strings.Join(refused, "; "),
			kind)
	}
	return nil, fmt.Errorf("device %s: no plugin in %s; run: unlearnlab device install %s", name,
		strings.Join(Folders(), ", "), kind)
}

// openBest opens the best available device. Pure Go is always available.
func openBest() (*Device, error) {
	if noXLA != "" {
		return openOnce(pureGo, Plugin{}, noXLA)
	}
	var passed []string
	for _, kind := range []string{"cuda", "cpu"} {
		if kind == "cuda" && !hasNVIDIA() {
			passed = append(passed, "no NVIDIA device")
			continue
		}
		if len(candidates(kind)) == 0 {
			passed = append(passed, "no "+kind+" plugin")
			continue
		}
		d, err := openNamed("xla:"+kind, strings.Join(append(passed, "a "+kind+" plugin"), ", "))
		if err == nil {
			return d, nil
		}
		passed = append(passed, "no usable "+kind+" plugin")
	}
	return openOnce(pureGo, Plugin{}, strings.Join(passed, ", "))
}

// openOnce creates the device's backend unless it exists.
func openOnce(name string, plugin Plugin, why string) (*Device, error) {
	key := name + " " + plugin.Path
	if backends[key] == nil {
		var backend compute.Backend
		var err error
		if plugin.Path == "" {
			backend, err = openGo(name)
		} else {
			backend, err = openPlugin(plugin, name == xlaCUDATF32)
		}
		if err != nil {
			return nil, err
		}
		backends[key] = backend
	}
	if plugin.Path != "" {
		why += ": " + plugin.Path
	}
	return &Device{backends[key], name, why, plugin}, nil
}

const noNVIDIA = "this machine has no NVIDIA device (/dev/nvidia*)"

// hasNVIDIA reports whether the machine has an NVIDIA device, so that loading a CUDA plugin is worthwhile. Under WSL
// the device may be /dev/dxg.
func hasNVIDIA() bool {
	devices, _ := filepath.Glob("/dev/nvidia*")
	_, err := os.Stat("/dev/dxg")
	return len(devices) > 0 || err == nil
}
