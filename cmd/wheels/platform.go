package main

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// A platform is an operating system and a processor with Go's names.
type platform struct{ system, processor string }

// native reports whether the program runs on this platform.
func (p platform) native() bool { return p.system == runtime.GOOS && p.processor == runtime.GOARCH }

// hasKernel reports whether the kernel runs on the platform. The kernel needs named pipes in the file system.
func (p platform) hasKernel() bool { return p.system != "windows" }

// executable returns the file name of a program.
func (p platform) executable(name string) string {
	if p.system == "windows" {
		return name + ".exe"
	}
	return name
}

// releaseVariable is the variable of the command that holds the wheel's version.
const releaseVariable = "github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli.release"

// compile builds the command without results, and the kernel's programs if it runs on the platform. Cross-compiled
// commands are built without cgo and so without XLA. The command reports the wheel's version.
func (p platform) compile(folder, version string) error {
	environment := append(os.Environ(), "GOOS="+p.system, "GOARCH="+p.processor, "GOWORK=off", "GOBIN=")
	if !p.native() {
		environment = append(environment, "CGO_ENABLED=0")
	}
	if p.processor != "amd64" {
		environment = append(environment, "GOEXPERIMENT=")
	}
	wanted := map[string]string{"unlearnlab": "./cmd/unlearnlab"}
	if p.hasKernel() {
		wanted["gonb"], wanted["goimports"] = "github.com/janpfeifer/gonb", "golang.org/x/tools/cmd/goimports"
	}
	for name, program := range wanted {
		command := exec.Command("go", "build", "-tags=noresults", "-trimpath",
			"-ldflags=-s -X "+releaseVariable+"="+version, "-o",
			filepath.Join(folder, p.executable(name)), program)
		command.Env, command.Stderr = environment, os.Stderr
		if err := command.Run(); err != nil {
			return fmt.Errorf("build %s: %w", program, err)
		}
	}
	return nil
}

// tag returns the platform's tag for a wheel's name. On Linux, the tag contains the oldest version of glibc with which
// the program runs.
func (p platform) tag(program string) (string, error) {
	processors := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}
	switch {
	case p.system == "linux" && processors[p.processor] != "":
		minor, err := glibc(program)
		return fmt.Sprintf("manylinux_2_%d_%s", minor, processors[p.processor]), err
	case p.system == "darwin" && p.processor == "arm64":
		return "macosx_12_0_arm64", nil
	case p.system == "windows" && p.processor == "amd64":
		return "win_amd64", nil
	}
	return "", errors.New("no wheel is built for this platform")
}

// glibc returns N for the newest version of glibc, 2.N, whose symbols a program uses. It is at least 17, the oldest
// version that pip knows.
func glibc(program string) (minor int, err error) {
	file, err := elf.Open(program)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	minor = 17
	symbols, err := file.ImportedSymbols()
	if errors.Is(err, elf.ErrNoSymbols) {
		return minor, nil // statically linked
	}
	for _, symbol := range symbols {
		if number, is := strings.CutPrefix(symbol.Version, "GLIBC_2."); is {
			number, _, _ = strings.Cut(number, ".")
			if n, err := strconv.Atoi(number); err == nil {
				minor = max(minor, n)
			}
		}
	}
	return minor, err
}
