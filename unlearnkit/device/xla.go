//go:build cgo && linux && amd64 && !noxla

package device

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/gomlx/compute"
	"github.com/gomlx/go-xla/compute/xla"
	"github.com/gomlx/go-xla/installer"
	"github.com/gomlx/go-xla/pjrt"
	"k8s.io/klog/v2"

	_ "github.com/unlearnlab/unlearnlab/unlearnkit/device/searchpath" // before pjrt
	"github.com/unlearnlab/unlearnlab/unlearnkit/device/wheel"
)

// noXLA is the reason why this build has no XLA; it is empty because this build has XLA.
const noXLA = ""

// probeVariable makes a program that links this package load the plugin named in the variable, print its version and
// exit.
const probeVariable = "UNLEARNLAB_PROBE_PLUGIN"

// versionPrefix precedes the version in the output, so that text printed by a library while it loads is not mistaken
// for one.
const versionPrefix = "unlearnlab-pjrt-version "

// probeLimit is the time allowed for loading a plugin: half a gigabyte from a slow disk takes seconds.
var probeLimit = 30 * time.Second

func init() {
	klog.SetLogger(klog.Logger{}) // klog would print warnings about plugins on stderr
	xla.EnableAutoInstall(false)
	if path := os.Getenv(probeVariable); path != "" {
		// os.Exit would run the plugin's own clean-up, which may fail in race builds
		syscall.Exit(printVersion(path))
	}
}

func printVersion(path string) int {
	plugin, err := pjrt.GetPlugin(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	major, minor := plugin.Version()
	fmt.Printf("%s%d.%d\n", versionPrefix, major, minor)
	return 0
}

// probe loads a plugin in a child process, where it may crash, and returns the version of its interface.
func probe(path string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("cannot be loaded in a separate process: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), probeLimit)
	defer cancel()
	child := exec.CommandContext(ctx, self)
	child.Env = append(os.Environ(), probeVariable+"="+path, "GOTRACEBACK=none")
	var output, problems bytes.Buffer
	child.Stdout, child.Stderr = &output, &problems
	err = child.Run()
	if _, version, ok := strings.Cut(output.String(), versionPrefix); ok {
		version, _, _ = strings.Cut(version, "\n")
		return version, nil
	}
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("does not come back within %v when it is loaded", probeLimit)
	case err == nil:
		return "", errors.New("ends the program when it is loaded")
	}
	if signal := regexp.MustCompile(`\bSIG[A-Z]+\b`).FindString(problems.String() + err.Error()); signal != "" {
		return "", fmt.Errorf("crashes when it is loaded (%s)", signal)
	}
	return "", fmt.Errorf("cannot be loaded: %s", oneLine(problems.String()))
}

// openPlugin creates a backend from a plugin that probe has accepted.
func openPlugin(plugin Plugin, tf32 bool) (compute.Backend, error) {
	path := plugin.Path
	if name := strings.ToUpper(path); plugin.Kind == "cpu" &&
		(!strings.Contains(name, "CPU") || pjrt.IsCUDAName(name)) {
		// go-xla guesses a plugin's kind from words in its path, folders included.
		folder, err := os.MkdirTemp("", "pjrt")
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", path, err)
		}
		defer os.RemoveAll(folder)
		path = filepath.Join(folder, "pjrt_c_api_cpu_plugin.so")
		if err := os.Symlink(plugin.Path, path); err != nil {
			return nil, fmt.Errorf("open %s: %w", plugin.Path, err)
		}
	}
	switch plugin.Kind {
	case "cpu":
		keepBlocksOf(path)
	case "cuda":
		if err := setXLAFlags(cudaFlags); err != nil {
			return nil, err
		}
		path += fmt.Sprintf(",memory_fraction=%g", usable)
	}
	var backend *xla.Backend
	err := Try("open "+plugin.Path, func() (err error) {
		backend, err = xla.NewWithOptions(fmt.Sprintf("%s,tf32=%v", path, tf32), nil)
		return err
	})
	if err != nil {
		return nil, errors.New(oneLine(err.Error()))
	}
	return newCachingBackend(backend, plugin.Kind == "cuda" && !tf32), nil
}

// cudaFlags are set for every CUDA plugin. XLA's compiler aborts the program in Triton's fusions of a residual network
// (PJRT 0.115). By default XLA times several algorithms and takes the fastest, so two processes compute different bits,
// and some of these algorithms add in any order. The second flag excludes the latter and takes the first of the others
// without timing. --xla_gpu_autotune_level=0 would give equal bits too, but with it a step of wav2vec2 takes 27 times
// as long.
var cudaFlags = map[string]string{
	"--xla_gpu_enable_triton_gemm":           "false",
	"--xla_gpu_exclude_nondeterministic_ops": "true",
}

// setXLAFlags sets XLA's flags, except those that the user has set in $XLA_FLAGS. XLA reads the variable once per
// process.
func setXLAFlags(flags map[string]string) error {
	set := os.Getenv("XLA_FLAGS")
	for _, name := range slices.Sorted(maps.Keys(flags)) {
		if !strings.Contains(set, name+"=") {
			set += " " + name + "=" + flags[name]
		}
	}
	return os.Setenv("XLA_FLAGS", strings.TrimSpace(set))
}

// publicIndex returns the address of a wheel in the index that go-xla's own installer uses.
func publicIndex(ctx context.Context, w wheel.Wheel) (string, error) {
	type answer struct {
		project *installer.PipPackageInfo
		err     error
	}
	answers := make(chan answer, 1)
	go func() {
		project, err := installer.GetPipInfo(w.Project)
		answers <- answer{project, err}
	}()
	select {
	case <-ctx.Done():
		return "", context.Cause(ctx)
	case a := <-answers:
		if a.err != nil {
			return "", a.err
		}
		for _, file := range a.project.Releases[w.Version] {
			if file.Filename != w.File {
				continue
			}
			page, err := url.Parse(a.project.Info.ProjectURL) // a mirror's addresses may be relative
			if err != nil {
				return "", err
			}
			address, err := page.Parse(file.URL)
			if err != nil {
				return "", err
			}
			return address.String(), nil
		}
		return "", fmt.Errorf("it has no %s", w.File)
	}
}
