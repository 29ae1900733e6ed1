package store

import (
	"bufio"
	"os"
	"runtime"
	"strings"
	"sync"
)

// processor returns the model name of the machine's processor, or the architecture if the name is unknown.
var processor = sync.OnceValue(func() string {
	file, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), ":")
		if value = strings.TrimSpace(value); strings.TrimSpace(name) == "model name" && value != "" {
			return value
		}
	}
	return runtime.GOARCH
})
