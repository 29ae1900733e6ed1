package device

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/kernelext/kernel/kernelspec"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// setting is a value and its origin: a flag, an environment variable or the default.
type setting struct {
	Value string `json:"value"`
	From  string `json:"from"`
}

// diagnosis is the JSON report of the doctor.
type diagnosis struct {
	OK          bool            `json:"ok"`
	Problems    []string        `json:"problems"` // problems with their remedies
	Backend     string          `json:"backend"`  // device that would be used
	Why         string          `json:"why"`
	Plugin      string          `json:"plugin,omitempty"`
	Version     string          `json:"version,omitempty"` // version of the PJRT interface
	GFLOPS      float64         `json:"gflops"`
	SIMD        string          `json:"simd"`
	Plugins     []device.Plugin `json:"plugins"` // plugins found, and why some cannot be used
	Cores       int             `json:"cores"`
	Processors  int             `json:"gomaxprocs"`
	MemoryTotal int64           `json:"memory_total,omitempty"` // bytes
	MemoryFree  int64           `json:"memory_available,omitempty"`
	Home        setting         `json:"home"`
	Device      setting         `json:"device"`
	Go          string          `json:"go"`
	System      string          `json:"system"`
	Cgo         bool            `json:"cgo"`
	Kernels     []string        `json:"kernels"` // folders of the installed JupyterLab kernels
}

func DoctorCommand() *cobra.Command {
	var asJSON bool
	var home, wish string
	command := &cobra.Command{
		Use:   "doctor",
		Short: "Report this machine's hardware, the device that would be used, and problems",
		Args:  cli.ExactArgs(0, "no argument"),
		RunE: func(c *cobra.Command, _ []string) error {
			found := diagnose(c.Context(), home, wish)
			if asJSON {
				if err := cli.WriteJSON(c.OutOrStdout(), found); err != nil {
					return err
				}
			} else {
				found.write(c.OutOrStdout())
			}
			if !found.OK {
				return fmt.Errorf("something is wrong: %s", found.Problems[0])
			}
			return nil
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	command.Flags().StringVar(&home, "home", "",
		"the laboratory's folder (default $"+device.HomeVariable+", else unlearnlab in the user's cache folder)")
	command.Flags().StringVar(&wish, "device", "",
		"the device: go, xla:cpu, xla:cuda or a plugin's path (default $"+device.Variable+", else the best available)")
	return command
}

// diagnose examines the machine. Flags override the environment.
func diagnose(ctx context.Context, homeFlag, deviceFlag string) *diagnosis {
	if homeFlag != "" {
		os.Setenv(device.HomeVariable, homeFlag) // plugins are searched for below this folder
	}
	d := &diagnosis{
		Problems: []string{}, Plugins: []device.Plugin{}, Kernels: []string{},
		SIMD: device.SIMD(), Cores: runtime.NumCPU(), Processors: runtime.GOMAXPROCS(0),
		Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, Cgo: cgo(),
		Home: origin(homeFlag, "--home", device.HomeVariable), Device: origin(deviceFlag, "--device", device.Variable),
	}
	d.MemoryTotal, d.MemoryFree = memory()
	d.lookAtHome()
	d.lookAtDevice(ctx, deviceFlag)
	d.Plugins = append(d.Plugins, device.Found()...)
	d.Kernels = append(d.Kernels, kernelspec.Installed(ctx)...)
	d.OK = len(d.Problems) == 0
	return d
}

func (d *diagnosis) problem(format string, args ...any) {
	d.Problems = append(d.Problems, fmt.Sprintf(format, args...))
}

// origin returns a setting from the flag, or else from the environment variable. Without either, the value is empty.
func origin(flag, name, variable string) setting {
	if flag != "" {
		return setting{flag, name}
	}
	if value := strings.TrimSpace(os.Getenv(variable)); value != "" {
		return setting{value, "$" + variable}
	}
	return setting{"", "default"}
}

func (d *diagnosis) lookAtHome() {
	home, _, err := store.Home()
	if err != nil {
		d.problem("%v", err)
		return
	}
	d.Home.Value = home
	if _, err := store.Examine(home); err != nil {
		d.problem("%v", err)
		return
	}
	if err := writable(home); err != nil {
		d.problem("the laboratory's folder cannot be written to, so that results can be read but none computed: %v; give "+
			"--home or set %s", err, device.HomeVariable)
	}
}

// writable returns an error if a folder cannot be written to. If the folder does not exist yet, it tries the nearest
// existing parent.
func writable(folder string) error {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	for {
		_, err := os.Stat(folder)
		if err == nil || filepath.Dir(folder) == folder {
			break
		}
		if !os.IsNotExist(err) {
			return err
		}
		folder = filepath.Dir(folder)
	}
	tried, err := os.MkdirTemp(folder, ".doctor")
	if err != nil {
		return err
	}
	return os.Remove(tried)
}

func (d *diagnosis) lookAtDevice(ctx context.Context, wish string) {
	opened, err := device.Open(wish)
	if err != nil {
		d.problem("%v", err)
		return
	}
	d.Backend, d.Why, d.Plugin, d.Version = opened.Name(), opened.Why(), opened.Plugin(), opened.Version()
	if d.Device.Value == "" {
		d.Device.Value = "auto"
	}
	if d.GFLOPS, err = opened.Speed(ctx); err != nil {
		d.problem("the device does not compute: %v; try --device go", err)
	}
}

// memory returns the machine's total and available memory in bytes, or 0 on systems without /proc/meminfo.
func memory() (total, available int64) {
	content, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(content)) {
		name, value, _ := strings.Cut(line, ":")
		kilobytes, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		switch name {
		case "MemTotal":
			total = kilobytes << 10
		case "MemAvailable":
			available = kilobytes << 10
		}
	}
	return total, available
}

// cgo reports whether the program was built with cgo, which XLA needs.
func cgo() bool {
	build, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(build.Settings, debug.BuildSetting{Key: "CGO_ENABLED", Value: "1"})
}

func (d *diagnosis) write(w io.Writer) {
	line := func(name, format string, args ...any) {
		fmt.Fprintf(w, "%-9s "+format+"\n", append([]any{name}, args...)...)
	}
	if d.Backend != "" {
		line("device", "%s, %.0f GFLOP/s (%s)", d.Backend, d.GFLOPS, d.Why)
	}
	for _, plugin := range d.Plugins {
		if plugin.Error != "" {
			line("refused", "%s", plugin.Error)
		} else {
			line("plugin", "%s, PJRT %s", plugin.Path, plugin.Version)
		}
	}
	line("SIMD", "%s", d.SIMD)
	line("cores", "%d, %d used", d.Cores, d.Processors)
	if d.MemoryTotal > 0 {
		line("memory", "%.1f GiB, %.1f available", float64(d.MemoryTotal)/(1<<30), float64(d.MemoryFree)/(1<<30))
	}
	line("home", "%s (%s)", d.Home.Value, d.Home.From)
	line("wish", "%s (%s)", d.Device.Value, d.Device.From)
	line("build", "%s, %s, cgo %v", d.Go, d.System, d.Cgo)
	if len(d.Kernels) == 0 {
		line("kernel", "none; for JupyterLab: unlearnlab kernel install")
	}
	for _, folder := range d.Kernels {
		line("kernel", "%s; unlearnlab kernel doctor examines it", folder)
	}
	if !d.OK {
		for _, problem := range d.Problems {
			line("WRONG", "%s", problem)
		}
	}
}
