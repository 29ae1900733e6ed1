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

// The environment variables that decide which device is opened and where plugins are looked for.
const (
	Variable     = "UNLEARNLAB_DEVICE"
	HomeVariable = store.HomeVariable
)

const (
	xlaCPU      = "xla:cpu"
	xlaCUDA     = "xla:cuda"
	xlaCUDATF32 = "xla:cuda,tf32"
)

// ErrUnknown says that a wish is the name of no device.
var ErrUnknown = errors.New("is not known")

var (
	opening sync.Mutex
	opened  = map[string]compute.Backend{} // by the device's name and the plugin's path
)

// Open opens the device wished for:
//
//   - "go": pure Go, by the plans of package fused
//   - "go:plain": pure Go, by GoMLX's own executor, to compare with
//   - "xla:cpu": XLA on the processor
//   - "xla:cuda": XLA on an NVIDIA GPU, products of float32 computed in float32
//   - "xla:cuda,tf32": the same with products rounded to TF32, faster and three digits less
//   - a path: the PJRT plugin in that file
//
// Without a wish, or with "auto", $UNLEARNLAB_DEVICE decides; without that the first that there is of a CUDA plugin,
// where the machine has an NVIDIA device, a CPU plugin, and pure Go. A wish that cannot be met is an error, never
// another device.
func Open(wish string) (*Device, error) {
	opening.Lock()
	defer opening.Unlock()
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

// openBest opens the best device that there is. Pure Go is always there.
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

// openOnce makes the backend of a device where there is none yet.
func openOnce(name string, plugin Plugin, why string) (*Device, error) {
	key := name + " " + plugin.Path
	if opened[key] == nil {
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
		opened[key] = backend
	}
	if plugin.Path != "" {
		why += ": " + plugin.Path
	}
	return &Device{opened[key], name, why, plugin}, nil
}

const noNVIDIA = "this machine has no NVIDIA device (/dev/nvidia*)"

// hasNVIDIA reports whether the machine has an NVIDIA device, for which a CUDA plugin would be worth loading. Under WSL
// it may lie behind /dev/dxg.
func hasNVIDIA() bool {
	devices, _ := filepath.Glob("/dev/nvidia*")
	_, err := os.Stat("/dev/dxg")
	return len(devices) > 0 || err == nil
}
