package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// headingKey is the annotation that holds the heading under which help lists a flag.
const headingKey = "unlearnlab_heading"

// PaperPreset is the heading of flags for the preset paper. Help lists them below all others.
const PaperPreset = "Paper preset"

// SetHeading makes help list a flag under a heading.
func SetHeading(f *pflag.Flag, heading string) {
	f.Annotations = map[string][]string{headingKey: {heading}}
}

// AddGroup adds flags that help lists under a heading. Groups and their flags are listed in the order of addition.
func AddGroup(command *cobra.Command, heading string, add func(*pflag.FlagSet)) {
	group := &pflag.FlagSet{SortFlags: false}
	add(group)
	group.VisitAll(func(f *pflag.Flag) { SetHeading(f, heading) })
	command.Flags().SortFlags = false
	command.Flags().AddFlagSet(group)
}

// usages describes flags: each group under its heading, and the others under "Flags".
func usages(flags *pflag.FlagSet, width int) string {
	var headings []string
	groups := map[string]*pflag.FlagSet{}
	flags.VisitAll(func(f *pflag.Flag) {
		heading := "Flags"
		if own := f.Annotations[headingKey]; own != nil {
			heading = own[0]
		}
		if groups[heading] == nil {
			headings = append(headings, heading)
			groups[heading] = &pflag.FlagSet{SortFlags: flags.SortFlags}
		}
		groups[heading].AddFlag(f)
	})
	if last := slices.Index(headings, PaperPreset); last >= 0 {
		headings = append(slices.Delete(headings, last, last+1), PaperPreset)
	}
	var text strings.Builder
	for _, heading := range headings {
		fmt.Fprintf(&text, "%s:\n%s\n", heading, groups[heading].FlagUsagesWrapped(width))
	}
	return strings.TrimSpace(text.String())
}
