package kernelspec

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/kernelext/kernel/launcher"
)

// A Finding is one line of the doctor's report.
type Finding struct {
	OK   bool   `json:"ok"`
	What string `json:"what"`
	Mend string `json:"mend,omitempty"` // command or step that helps; advice if OK
}

// String returns the finding as one line.
func (f Finding) String() string {
	mark := "ok     "
	if !f.OK {
		mark = "MISSING"
	}
	if f.Mend == "" {
		return mark + " " + f.What
	}
	return mark + " " + f.What + "; " + f.Mend
}

// Healthy reports whether all findings are OK.
func Healthy(findings []Finding) bool {
	return !slices.ContainsFunc(findings, func(f Finding) bool { return !f.OK })
}

// Doctor examines the kernel that Jupyter would start and all that it needs. If no kernel is installed, it reports that
// and examines root, unless root is "".
func Doctor(ctx context.Context, root string) []Finding {
	var findings []Finding
	add := func(ok bool, mend, format string, args ...any) {
		findings = append(findings, Finding{ok, fmt.Sprintf(format, args...), mend})
	}
	toolFolder := ""
	switch found := Installed(ctx); {
	case len(found) == 0:
		if root == "" {
			add(false, "run in a clone of unlearnlab: unlearnlab kernel install", "no kernel named %s in Jupyter's folders",
				Name)
			return findings
		}
		add(false, "run: unlearnlab kernel install", "no kernel named %s in Jupyter's folders", Name)
	default:
		toolFolder = filepath.Join(found[0], "bin")
		kernelRoot, err := rootOf(found[0])
		if err != nil {
			add(false, "run: unlearnlab kernel install", "%v", err)
			break
		}
		root = kernelRoot
		add(true, "", "kernel in %s for %s", found[0], root)
		for _, other := range found[1:] {
			add(true, "remove it: unlearnlab kernel uninstall, with the --prefix of that folder",
				"another kernel of the same name in %s is never started", other)
		}
	}
	tools, problems := launcher.Examine(ctx, root, toolFolder)
	for _, p := range problems {
		if toolFolder == "" && strings.Contains(p.What, " is not in ") {
			continue // a consequence of the missing kernel
		}
		add(false, p.Mend, "%s", p.What)
	}
	findings = append(findings, versions(tools, root)...)
	if Healthy(findings) {
		findings = append(findings, builds(ctx, root, toolFolder))
	}
	return findings
}

// versions reports the versions of the tools.
func versions(t launcher.Toolchain, root string) []Finding {
	var findings []Finding
	if t.GoVersion != "" {
		findings = append(findings, Finding{OK: true, What: t.GoVersion + ", build cache " + t.Cache})
	}
	if t.GonbVersion != "" {
		findings = append(findings, Finding{OK: true, What: "gonb " + t.GonbVersion + " and goimports"})
	}
	if t.DroppedFlag != "" {
		findings = append(findings, Finding{OK: true,
			What: "GOFLAGS has " + t.DroppedFlag + ", which the kernel drops",
			Mend: "set it only where you need it"})
	}
	gopls := Finding{OK: true, What: "gopls " + t.Gopls}
	if t.Gopls == "" {
		gopls = Finding{OK: true, What: "no gopls: Tab completes only %unlearn lines and names in packages",
			Mend: "to complete Go, run with internet access: unlearnlab kernel install"}
		if !hasGopls(root) {
			gopls.Mend = "to complete Go, install the kernel from a clone"
		}
	}
	return append(findings, gopls)
}

// builds reports how long a cell takes to build. The trial also fills the build cache.
func builds(ctx context.Context, root, toolFolder string) Finding {
	start := time.Now()
	cell, err := Warm(ctx, root, filepath.Join(toolFolder, "goimports"))
	if err != nil {
		return Finding{false, "cells do not build: " + err.Error(), "run: cd " + root + " && go build ./..."}
	}
	what := fmt.Sprintf("a cell builds in %.2f s", cell.Seconds())
	if total := time.Since(start); total > 10*time.Second {
		what += fmt.Sprintf(" (filling the cold build cache took %.0f s)", total.Seconds())
	}
	return Finding{OK: true, What: what}
}

// rootOf returns the module's folder as given by the kernel.json in a kernel's folder.
func rootOf(folder string) (string, error) {
	text, err := os.ReadFile(filepath.Join(folder, "kernel.json"))
	if err != nil {
		return "", err
	}
	var s specification
	if err := json.Unmarshal(text, &s); err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Join(folder, "kernel.json"), err)
	}
	for i, argument := range s.Argv {
		if root, ok := strings.CutPrefix(argument, "-go_work="); ok {
			return root, nil
		}
		if argument == "--root" && i+1 < len(s.Argv) {
			return s.Argv[i+1], nil
		}
	}
	return "", fmt.Errorf("%s does not name the folder that it serves", filepath.Join(folder, "kernel.json"))
}
