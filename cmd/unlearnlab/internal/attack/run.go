package attack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/report"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// attackRun is a running attack with one or many prompts.
type attackRun struct {
	partialFlags
	asked  []promptAttack
	models []attacked // models, the original first
	judge  partialdiffusion.Judge
	scorer *partialdiffusion.Scorer
	device *device.Device
}

func (f partialFlags) run(stdout, stderr io.Writer) error {
	s, err := f.settings()
	if err != nil {
		return err
	}
	all, err := f.promptAttacks(s)
	if err != nil {
		return err
	}
	d, err := cli.OpenDevice(f.device)
	if err != nil {
		return err
	}
	a := &attackRun{partialFlags: f, asked: all, device: d}
	defer a.close()
	if err := a.open(); err != nil {
		return err
	}
	if f.dryRun {
		return a.estimate(stdout)
	}
	if err := safefile.MakeFolder(f.out); err != nil { // early, because drawing may take hours
		return err
	}
	if err := a.announceCost(stderr); err != nil {
		return err
	}
	if f.prompts == "" {
		done, err := a.carryOut(a.asked[0], stderr)
		if err != nil {
			return err
		}
		var scores *report.Table
		if len(done.Scores) > 0 {
			scores = scoreTable(done.Prompt, a.partialFlags, done.Scores)
		}
		return done.show(a.column(), scores, a.asJSON, stdout, stderr)
	}
	return a.runAll(stdout, stderr)
}

// open checks the models' folders and opens the networks that judge.
func (a *attackRun) open() error {
	models, err := a.all()
	if err != nil {
		return err
	}
	var prompts, finishes []string
	for _, one := range a.asked {
		prompts, finishes = append(prompts, one.prompt), append(finishes, one.finish)
	}
	for _, m := range models {
		told := finishes
		if m.role == "" {
			told = prompts
		}
		if m.Several, err = partialdiffusion.Prompted(a.device, m.dir, m.unet, a.negative, told...); err != nil {
			return err
		}
		m.Narrow = a.precision == bfloat16
		a.models = append(a.models, m)
	}
	switch {
	case a.shows != "":
		a.judge, err = partialdiffusion.ZeroShot(a.device, a.classifier, a.shows, a.without...)
	case a.classifier != "":
		a.judge, err = partialdiffusion.Classifier(a.device, a.classifier, a.concept, a.pixels)
	}
	if err != nil {
		return err
	}
	if a.features != "" {
		if a.scorer, err = partialdiffusion.NewScorer(a.device, a.features, a.pixels); err == nil {
			a.scorer.Way = a.fit
		}
	}
	return err
}

func (a *attackRun) close() {
	for _, m := range a.models {
		m.Several.Close()
	}
	if a.scorer != nil {
		a.scorer.Close()
	}
}

// attackOn returns the attack on one prompt.
func (a *attackRun) attackOn(one promptAttack) *partialdiffusion.Attack {
	on := &partialdiffusion.Attack{Settings: one.settings, Judge: a.judge}
	for _, m := range a.models {
		source := m.Source(one.number)
		source.Name, source.Role, source.Retained = m.name, m.role, m.retained
		if m.role == "" {
			on.Original = source
		} else {
			on.Targets = append(on.Targets, source)
		}
	}
	if a.scorer != nil {
		// seeds after the attacked ones: the classifier must not have trained on the noise that it judges
		from := one.settings.Seeds[len(one.settings.Seeds)-1] + 1
		for i := range a.set {
			on.Alone = append(on.Alone, from+uint64(i))
		}
	}
	return on
}

// unfinished is the subfolder of the output that holds the results of an incomplete attack.
const unfinished = "unfinished"

// carryOut draws, scores and writes all results of one prompt.
func (a *attackRun) carryOut(one promptAttack, stderr io.Writer) (done *attackReport, err error) {
	key, err := a.key(one)
	if err != nil {
		return nil, err
	}
	on := a.attackOn(one)
	unfinishedFolder := filepath.Join(one.out, unfinished)
	on.Keep = &partialdiffusion.Keep{Dir: filepath.Join(unfinishedFolder, key)}
	ctx, stop := cli.UntilInterrupted()
	defer stop()
	report, endProgress := cli.CallProgress(stderr, "partial diffusion", "calls of the networks")
	drawing, err := on.Draw(ctx, report)
	endProgress()
	var result *attack.Result
	var scores []partialdiffusion.SetScores
	if err == nil {
		result, err = drawing.Result(ctx, a.judge)
	}
	if err == nil && a.scorer != nil {
		scores, err = a.scorer.Score(ctx, drawing, result, nil)
	}
	if errors.Is(err, context.Canceled) {
		return nil, fmt.Errorf("interrupted; the pictures so far are kept in %s; repeat the command to continue",
			unfinishedFolder)
	}
	if err != nil {
		return nil, err
	}
	if done, err = a.report(one, key, drawing, result, scores); err != nil {
		return nil, err
	}
	return done, os.RemoveAll(unfinishedFolder)
}
