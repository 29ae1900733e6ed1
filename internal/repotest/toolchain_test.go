package repotest

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The Makefile, .ci/run, scripts/lab, the kernel and its installer read the toolchain from go.mod. Files that cannot
// read it name the same toolchain.
func TestToolchain(t *testing.T) {
	read := func(file string) string {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	line := regexp.MustCompile(`(?m)^toolchain (go\S+)$`).FindStringSubmatch(read("go.mod"))
	if line == nil {
		t.Fatal("go.mod has no toolchain line")
	}
	toolchain, version := line[1], strings.TrimPrefix(line[1], "go")
	tooNew := "\npackage set_GOTOOLCHAIN_" + strings.ReplaceAll(toolchain, ".", "_") + "_or_"
	language := version[:strings.LastIndexByte(version, '.')]
	const reads = "sed -n 's/^toolchain //p' go.mod"
	for file, want := range map[string]string{
		"Makefile":                             reads,
		".ci/run":                              reads,
		"scripts/lab":                          reads,
		"scripts/compare_speed.py":             `"GOTOOLCHAIN": re.search(r"^toolchain `,
		"scripts/compare_training.py":          `"GOTOOLCHAIN": re.search(r"^toolchain `,
		"Dockerfile":                           "FROM golang:" + version + "-",
		"docs/devices.md":                      "GOTOOLCHAIN=" + toolchain,
		"README.md":                            "the Go " + version,
		"scripts/jupyter/gopls/go.mod":         "\ntoolchain " + toolchain + "\n",
		"unlearnkit/device/too_new.go":         tooNew,
		"kernelext/kernel/launcher/answers.go": `languageVersion = "` + language + `"`,
	} {
		if !strings.Contains(read(file), want) {
			t.Errorf("%s has no %q, for %s", file, want, toolchain)
		}
	}
}
