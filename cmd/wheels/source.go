package main

import (
	"fmt"
	"os/exec"
	"strings"
)

// tracked returns the files that git tracks.
func tracked() ([]string, error) {
	output, err := exec.Command("git", "ls-files").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	return strings.Fields(string(output)), nil
}

// isResult reports whether a file is part of a publication: data/results/PAPER/PRESET/….
func isResult(file string) bool {
	return strings.HasPrefix(file, "data/results/") && strings.Count(file, "/") > 3
}

// isSource reports whether a file is part of the wheel's copy of the source, which compiles notebook cells.
func isSource(file string) bool {
	if isResult(file) || strings.Contains("/"+file, "/testdata/") || strings.HasSuffix(file, "_test.go") {
		return false
	}
	for _, folder := range []string{".", "docs/", "scripts/", "internal/testkit/", "internal/repotest/", "notebooks/src/"} {
		if strings.HasPrefix(file, folder) {
			return false
		}
	}
	return true
}
