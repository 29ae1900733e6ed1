package run

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"text/template"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store/bucket"
)

//go:embed slurm.tmpl kubernetes.tmpl
var jobs embed.FS

// job holds the values for a scheduler's file.
type job struct {
	Name, Estimate   string
	Store            string   // URL of the shared results, or ""
	Words            []string // command line without the shard
	Shards           int
	Hours, Gigabytes int
}

// plainWord matches words that need no quotes in a shell.
var plainWord = regexp.MustCompile(`^[\w./,=-]+$`)

// Command returns the command line, quoted for a shell.
func (j job) Command() string {
	words := slices.Clone(j.Words)
	for i, word := range words {
		if !plainWord.MatchString(word) {
			words[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(words, " ")
}

// print writes a file for a scheduler, which runs the missing part of the study in shards.
func (o *planned) print(w io.Writer, scheduler string, words []string, shards int, wanted []*study.Run) error {
	if shards < 1 {
		return cli.Usagef("--shards %d: give a number of parts from 1", shards)
	}
	text, err := jobs.ReadFile(scheduler + ".tmpl")
	if err != nil {
		return cli.Usagef("--print %s: give slurm or kubernetes", scheduler)
	}
	missing, err := o.Missing(o.Store, wanted...)
	if err != nil {
		return err
	}
	if len(missing) == 0 {
		fmt.Fprintln(o.Stderr, "no run is missing, so the printed file would compute nothing")
	}
	j := job{Name: "unlearnlab-" + o.Study.Paper + "-" + o.Preset, Words: words, Shards: shards,
		Store: strings.TrimSpace(os.Getenv(bucket.Variable))}
	if err := o.demand(&j, missing); err != nil {
		return err
	}
	return template.Must(template.New(scheduler).Parse(string(text))).Execute(w, j)
}

// demand estimates the time and memory of a task from the manifests of finished runs.
func (o *planned) demand(j *job, missing []*study.Run) error {
	const day, leastGigabytes, gib = 24, 4, 1 << 30
	left, paced, err := o.Estimate(o.Store, missing)
	if err != nil {
		return err
	}
	j.Hours, j.Gigabytes = day, leastGigabytes
	j.Estimate = fmt.Sprintf("%d of %d runs are missing; no run of their kinds is recorded, so the time is a guess.",
		len(missing), len(o.Runs()))
	if paced {
		// The limit is 1.5 times the estimate, because nodes differ and shards wait for each other.
		j.Hours = max(1, int(math.Ceil(1.5*left.Hours()/float64(j.Shards))))
		j.Estimate = fmt.Sprintf("%d of %d runs are missing: %.1f hours in all at the pace of the recorded runs.",
			len(missing), len(o.Runs()), left.Hours())
	}
	for _, run := range o.Runs() {
		made, err := o.Store.Kept(run.Key())
		if errors.Is(err, store.ErrAbsent) {
			continue
		}
		if err != nil {
			return err
		}
		j.Gigabytes = max(j.Gigabytes, int(math.Ceil(1.25*float64(made.Manifest.PeakMemory)/gib)))
	}
	return nil
}
