package launcher

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/unlearnlab/unlearnlab/internal/spelling"
	"github.com/unlearnlab/unlearnlab/kernelext/internal/valuestore"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// keptValues lists the values stored by kx.Keep, or drops some of them.
func (n *notebook) keptValues(args []string) answer {
	home, _, err := store.Home()
	if err != nil {
		return answer{failure: fail("no folder", "%v", err)}
	}
	folder := valuestore.Folder(home)
	switch {
	case len(args) == 0:
		return listKept(folder)
	case args[0] != "drop" || len(args) != 2:
		return answer{failure: fail("usage", "%s kept lists the values; %s kept drop NAME drops the values of a name, "+
			"and drop all drops all values", magicWord, magicWord)}
	}
	return dropKept(folder, args[1])
}

func listKept(folder string) answer {
	all, err := valuestore.List(folder)
	if err != nil {
		return answer{failure: fail("kept", "%v", err)}
	}
	if len(all) == 0 {
		return answer{show: bundle{"text/plain": "nothing is kept; kx.Keep(\"name\", func() T { … }) keeps a value"}}
	}
	var text strings.Builder
	for _, v := range all {
		fmt.Fprintf(&text, "%-20s %-24.24s %8.1f kB  made %s in %s, code %.8s\n", v.Name, shortType(v.Type),
			float64(v.Bytes)/1e3, v.Made.Format(time.DateTime), v.Took.Round(time.Millisecond), v.Maker)
	}
	return answer{show: bundle{"text/html": table("kept", all),
		"text/plain": strings.TrimSuffix(text.String(), "\n")}}
}

// packageFolder matches the directories in a package path, such as "unlearnkit/" in "unlearnkit/stat.Result".
var packageFolder = regexp.MustCompile(`[^\][*]+/`)

// shortType shortens a type: it removes fields, a named type's underlying type, and the directories of package paths.
func shortType(t string) string {
	t, _, _ = strings.Cut(t, "{")
	t, _, _ = strings.Cut(t, " ")
	return packageFolder.ReplaceAllString(t, "")
}

func dropKept(folder, name string) answer {
	all, err := valuestore.List(folder)
	if err != nil {
		return answer{failure: fail("kept", "%v", err)}
	}
	var names []string
	for _, v := range all {
		names = append(names, v.Name)
	}
	which := name
	if name == "all" {
		which = ""
	}
	n, err := valuestore.Drop(folder, which)
	switch {
	case err != nil:
		return answer{failure: fail("kept", "%v", err)}
	case n == 0 && which != "":
		return answer{failure: fail("kept", "nothing is kept as %q%s", name, didYouMean(spelling.Nearest(name, names)))}
	}
	return answer{show: bundle{"text/plain": fmt.Sprintf("%d dropped", n)}}
}

// didYouMean suggests a name, if there is one.
func didYouMean(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", name)
}

// completeKept completes the subcommand, then the names of values.
func completeKept(_ Offers, args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"drop"}
	case len(args) > 1 || args[0] != "drop":
		return nil
	}
	names := []string{"all"}
	home, _, err := store.Home()
	if err != nil {
		return names
	}
	all, err := valuestore.List(valuestore.Folder(home))
	if err != nil {
		return names
	}
	for _, v := range all {
		names = append(names, v.Name)
	}
	return names
}
