//go:build cgo && linux && amd64 && !noxla

package device_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
)

// library compiles C to a shared library, or skips the test where there is no compiler.
func library(t *testing.T, path, source string) {
	t.Helper()
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("needs a C compiler")
	}
	compile := exec.Command("cc", "-shared", "-fPIC", "-x", "c", "-o", path, "-")
	compile.Stdin = strings.NewReader("#include <stdlib.h>\n#include <stdio.h>\n#include <unistd.h>\n" + source)
	if output, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// changed returns a plugin's file with the byte at an offset replaced.
func changed(t *testing.T, at int, to byte) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sound.so")
	library(t, path, `void *GetPjrtApi() { return (void *)16; }`)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	content[at] = to
	return content
}

func TestPlugin_Refused(t *testing.T) {
	devicetest.Watch(t, 2*time.Minute)
	const offsetOfType, offsetOfMachine, arm64, executable = 0x10, 0x12, 0xB7, 2
	c := func(source string) func(*testing.T, string) {
		return func(t *testing.T, path string) { library(t, path, source) }
	}
	bytes := func(content string) func(*testing.T, string) {
		return func(t *testing.T, path string) { write(t, path, []byte(content)) }
	}
	tests := []struct {
		name, says string
		make       func(t *testing.T, path string)
	}{
		{"missing", "no such file", func(*testing.T, string) {}},
		{"folder", "not a file", func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o755); err != nil {
				t.Fatal(err)
			}
		}},
		{"empty", "not a shared library", bytes("")},
		{"text", "not a shared library", bytes("#!/bin/sh\necho no plugin\n")},
		{"magic alone", "not a shared library", bytes("\x7fELF")},
		{"truncated", "shared library", func(t *testing.T, path string) { write(t, path, changed(t, 0, 0x7f)[:5000]) }},
		{"another machine's", "for this processor", func(t *testing.T, path string) {
			write(t, path, changed(t, offsetOfMachine, arm64))
		}},
		{"a program", "for this processor", func(t *testing.T, path string) {
			write(t, path, changed(t, offsetOfType, executable))
		}},
		{"no plugin", "no function GetPjrtApi", c(`int other() { return 1; }`)},
		{"used but not had", "no function GetPjrtApi",
			c(`extern void *GetPjrtApi(); void *other() { return GetPjrtApi(); }`)},
		{"a variable", "no function GetPjrtApi", c(`int GetPjrtApi = 7;`)},
		{"needs another library", "cannot be loaded",
			c(`extern int nowhere; int *p = &nowhere; void *GetPjrtApi() { return p; }`)},
		{"aborts", "crashes when it is loaded (SIGABRT)",
			c(`__attribute__((constructor)) void start() { abort(); } void *GetPjrtApi() { return 0; }`)},
		{"ends the program", "ends the program",
			c(`__attribute__((constructor)) void start() { _exit(0); } void *GetPjrtApi() { return 0; }`)},
		{"talks and aborts", "crashes",
			c(`__attribute__((constructor)) void start() { puts("0.104"); fflush(stdout); abort(); }
				void *GetPjrtApi() { return 0; }`)},
		{"nothing", "crashes when it is loaded (SIGSEGV)", c(`void *GetPjrtApi() { return 0; }`)},
		{"garbage", "crashes when it is loaded (SIGSEGV)", c(`void *GetPjrtApi() { return (void *)16; }`)},
		{"zeros", "crashes when it is loaded (SIGSEGV)",
			c(`static long zeros[1000]; void *GetPjrtApi() { return zeros; }`)},
		{"sleeps", "does not come back",
			c(`__attribute__((constructor)) void start() { sleep(1000); } void *GetPjrtApi() { return 0; }`)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if test.name == "sleeps" {
				device.LimitProbes(t, time.Second)
			}
			hidePlugins(t)
			folder := t.TempDir()
			t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", folder)
			path := filepath.Join(folder, "pjrt_c_api_cpu_plugin.so")
			test.make(t, path)
			_, err := device.Open(path)
			if err == nil || !strings.Contains(err.Error(), test.says) || !strings.Contains(err.Error(), path) ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("by its path: %v", err)
			}
			if test.name == "missing" {
				return
			}
			if _, err := device.Open("xla:cpu"); err == nil || !strings.Contains(err.Error(), test.says) ||
				!strings.Contains(err.Error(), "device install cpu") {
				t.Errorf("by its name: %v", err)
			}
			if d, err := device.Open(""); err != nil || d.Name() != "go" ||
				!strings.Contains(d.Why(), "no usable cpu plugin") {
				t.Errorf("without a wish: %v, %v", d, err)
			}
			if found := device.Found(); len(found) != 1 || !strings.Contains(found[0].Error, test.says) {
				t.Errorf("found: %v", found)
			}
		})
	}
}

// plugin returns the CPU plugin of this machine, or skips the test if there is no plugin.
func plugin(t *testing.T) string {
	t.Helper()
	for _, plugin := range device.Found() {
		if plugin.Kind == "cpu" && plugin.Error == "" {
			return plugin.Path
		}
	}
	t.Skip("needs a CPU plugin for XLA: unlearnlab device install cpu fetches one")
	return ""
}

func TestPlugin_AnyName(t *testing.T) {
	devicetest.Watch(t, time.Minute)
	whole := plugin(t)
	for _, place := range []string{"plain/library.so", "cuda/pjrt_c_api_cpu_plugin.so",
		"nvidia, inc/pjrt_c_api_cpu_plugin.so"} {
		path := filepath.Join(t.TempDir(), place)
		if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(whole, path); err != nil {
			t.Fatal(err)
		}
		d, err := device.Open(path)
		if err != nil {
			t.Errorf("%s: %v", place, err)
			continue
		}
		if d.Name() != "xla:cpu" || d.Plugin() != path || !strings.HasPrefix(d.Version(), "0.") {
			t.Errorf("%s: %v, %s, version %s", place, d, d.Plugin(), d.Version())
		}
		for _, word := range []string{"CUDA", "NVIDIA", ","} {
			if strings.Contains(strings.ToUpper(d.Backend().String()), word) {
				t.Errorf("%s: go-xla takes the plugin for another by %q in %q", place, word, d.Backend().String())
			}
		}
	}
}

func TestPlugin_CUDAWithoutDevice(t *testing.T) {
	if devices, _ := filepath.Glob("/dev/nvidia*"); len(devices) > 0 {
		t.Skip("needs a machine without an NVIDIA device")
	}
	path := filepath.Join(t.TempDir(), "pjrt_c_api_cuda_plugin.so")
	if err := os.Symlink(plugin(t), path); err != nil {
		t.Fatal(err)
	}
	hidePlugins(t)
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", filepath.Dir(path))
	for _, wish := range []string{path, "xla:cuda", "xla:cuda,tf32"} {
		if _, err := device.Open(wish); err == nil || !strings.Contains(err.Error(), "no NVIDIA device") {
			t.Errorf("%s: %v", wish, err)
		}
	}
	if d, err := device.Open(""); err != nil || d.Name() != "go" || !strings.Contains(d.Why(), "no NVIDIA device") {
		t.Errorf("%v, %v", d, err)
	}
}

func TestPlugin_FolderOrder(t *testing.T) {
	home, first, second := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv(device.HomeVariable, filepath.Join(home, "lab"))
	t.Setenv("PJRT_PLUGIN_LIBRARY_PATH", first+":"+":"+second)
	folders := device.Folders()
	order := []string{first, second, filepath.Join(home, "lab", "plugins"),
		filepath.Join(home, ".local", "lib", "go-xla"), "/usr/local/lib/go-xla"}
	at := -1
	for _, folder := range order {
		next := slices.Index(folders, folder)
		if next <= at {
			t.Errorf("%s is not behind those before it in %v", folder, folders)
		}
		at = next
	}
	if slices.Contains(folders, "") {
		t.Error("the working folder is searched")
	}
}
