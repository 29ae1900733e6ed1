package speechfolder

import (
	"fmt"
	"io"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
)

// publishedClips holds the number of clips in each part, from the papers on Fluent Speech Commands and SLURP and from
// the table of Speech-MASSIVE's publisher. ITALIC's split by speaker has no published sizes; its parts have 16,521
// clips together.
var publishedClips = map[Kind][3]int{
	FluentSpeechCommands: {23_132, 3_118, 3_793},
	SLURP:                {50_628, 8_690, 13_078},
	German:               {11_514, 2_033, 2_974},
	French:               {11_514, 2_033, 2_974},
}

const publishedITALIC = 16_521

// compare adds warnings about parts whose sizes differ from the published ones.
func (r *Report) compare(parts []speech.Part) {
	all := 0
	want, known := publishedClips[r.Kind]
	for i, part := range parts {
		clips := len(part.Utterances)
		if all += clips; known && clips > 0 && clips != want[i] {
			r.Findings.Warning("%s has %s, published were %d", part.Name, count(clips, "clip"), want[i])
		}
	}
	if r.Kind == ITALIC && all != publishedITALIC {
		r.Findings.Warning("it has %s, published were %d", count(all, "clip"), publishedITALIC)
	}
}

// Name returns the name under which the store registers the data set.
func (r *Report) Name() string { return r.Kind.Name() }

// Usable reports whether the data set has no errors. Warnings are possible.
func (r *Report) Usable() bool { return r.OK }

var languages = map[string]string{"en": "English", "it": "Italian", "de": "German", "fr": "French"}

// Write prints the report as text.
func (r *Report) Write(w io.Writer) {
	if r.Kind != "" {
		fmt.Fprintf(w, "%s, %s, in %s: %s, %d of them decoded\n", r.Kind.Title(), languages[r.Language], r.Dir,
			count(r.Clips, "clip"), r.Heard)
	}
	for _, d := range r.Divisions {
		fmt.Fprintf(w, "  %-33s %8s %8s %8s\n", d.Parts, "clips", "speakers", "intents")
		for _, c := range d.Counts {
			fmt.Fprintf(w, "    %-31s %8d %8d %8d\n", c.Part, c.Clips, c.Speakers, c.Intents)
		}
		for _, dropped := range d.Dropped {
			fmt.Fprintf(w, "    without %s\n", dropped)
		}
	}
	for i, f := range r.Forgetting {
		if i == 0 {
			fmt.Fprintf(w, "  %s with more than %d clips of train can be drawn to be forgotten, until at least "+
				"%.1f %% are\n", count(f.Candidates, "speaker"), speech.ForgetClips, 100*speech.ForgetShare)
		}
		fmt.Fprintf(w, "    %-19s (seed %d): %.2f %% of train, %s of %s: %s\n", f.Reading, f.Seed, 100*f.Share,
			count(f.Clips, "clip"), count(len(f.Speakers), "speaker"), strings.Join(f.Speakers, ", "))
	}
	for _, line := range r.Converted {
		fmt.Fprintf(w, "  converted: %s\n", line)
	}
	for _, finding := range r.Findings {
		fmt.Fprintln(w, finding)
	}
}
