package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

func attackCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "attack",
		Short: "Try to get back what a model was made to forget, or to tell what it was trained with",
		Args:  cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("there is no attack %q; there is %s", args[0], strings.Join(attacks(), ", "))
			}
			return c.Help()
		},
	}
	command.AddCommand(attackCommands()...)
	return command
}

func attackCommands() []*cobra.Command {
	return []*cobra.Command{membershipCommand(), partialDiffusionCommand()}
}

// attacks are the names of the attacks that there are.
func attacks() []string {
	var names []string
	for _, command := range attackCommands() {
		names = append(names, command.Name())
	}
	return names
}

// partialFlags are the flags of the attack partial-diffusion.
type partialFlags struct {
	original, unlearned, gold   string
	unet                        string // the unlearned model as the original with another UNet
	prompt, finish              string
	solver, rule                string
	retained                    map[string]string
	handOver                    string
	psi                         []string
	seeds, steps, batch, size   int
	first                       uint64
	guidance, eta               float64
	classifier, out, device     string
	concept, pixels             int
	asJSON, promptGiven, etaSet bool
	finishGiven                 bool
}

func partialDiffusionCommand() *cobra.Command {
	var f partialFlags
	command := &cobra.Command{
		Use:   "partial-diffusion --original DIR --unlearned DIR --prompt TEXT",
		Short: "Let the original model do the first steps and the unlearned model the rest",
		Long: `Let the original model do the first share ψ of the denoising steps and the unlearned model the
rest. A concept that is concealed and not unlearned comes back with little help. The models are
folders of diffusers' StableDiffusionPipeline (Stable Diffusion 1.x). A gold model, trained without
the concept, shows what the help alone brings back; without it a recovery proves little.

Authors of erasing methods mostly pass the UNet on: --unlearned-unet takes a file of safetensors
with all of its tensors or those that changed, a folder of a UNet, or one of a LoRA adapter as PEFT
writes it, and the rest is the original's. --finish-prompt is what the other models are told: the
same without the concept's word asks whether the help brings it back, or the word.

The command writes a strip of pictures for each seed: above, what the original takes its latent for
when it hands over; below, what the other models make of it. A figure and a JSON file give the share
of pictures that a classifier recognises or, without one, how near the completions are to the
original's picture. A Parquet file holds the raw rows. ψ = 0 and ψ = 1, the models alone, are always
drawn too. The default settings follow the paper that made the attack; its code corresponds to
--solver plms --hand-over published --rule published.`,
		Example: `  unlearnlab attack partial-diffusion --original sd14 --unlearned esd-x --prompt "a house"
  unlearnlab attack partial-diffusion --original sd14 --unlearned esd-x --gold gold \
    --prompt "a cat" --psi .05,.25,.55 --seeds 8 --steps 25 --json
  unlearnlab attack partial-diffusion --original sd14 --unlearned-unet esd-van-gogh.safetensors \
    --prompt "a house by Van Gogh" --finish-prompt "a house" --retained unlearned=122/128`,
		Args: exactArgs(0, "flags alone"),
		RunE: func(c *cobra.Command, _ []string) error {
			f.promptGiven, f.etaSet = c.Flags().Changed("prompt"), c.Flags().Changed("eta")
			f.finishGiven = c.Flags().Changed("finish-prompt")
			return f.run(c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	flags := command.Flags()
	flags.StringVar(&f.original, "original", "", "folder of the model before unlearning")
	flags.StringVar(&f.unlearned, "unlearned", "", "folder of the model that was made to forget")
	flags.StringVar(&f.gold, "gold", "", "folder of a model that was trained without the concept")
	flags.StringVar(&f.unet, "unlearned-unet", "",
		"in place of --unlearned: the UNet of that model, a file or a folder; the rest is the original's")
	flags.StringVar(&f.prompt, "prompt", "", "what to draw")
	flags.StringVar(&f.finish, "finish-prompt", "",
		"what the models are told that complete the pictures (default: the prompt; it may be empty)")
	flags.StringToStringVar(&f.retained, "retained", nil,
		"how much a model still does right of what it was to retain, such as unlearned=122/128,gold=125/128")
	flags.StringSliceVar(&f.psi, "psi", []string{".001", ".01", ".05", ".15", ".25", ".35", ".45", ".55"},
		"shares of the steps that the original does")
	flags.StringVar(&f.rule, "rule", "floor", "steps of a share: floor, or published as in the paper's code")
	flags.StringVar(&f.solver, "solver", "ddim", "ddim or plms")
	flags.StringVar(&f.handOver, "hand-over", "repaired",
		"how plms goes on after a hand-over: repaired, or published with its lag of a step")
	flags.IntVar(&f.seeds, "seeds", 4, "pictures at each ψ")
	flags.Uint64Var(&f.first, "first-seed", 42, "the seed of the first picture; the others follow")
	flags.IntVar(&f.steps, "steps", 100, "denoising steps")
	flags.Float64Var(&f.guidance, "guidance", 7.5, "strength of classifier-free guidance")
	flags.Float64Var(&f.eta, "eta", 1, "share of noise that ddim adds in each step (plms: 0)")
	flags.IntVar(&f.batch, "batch", 1, "pictures at a time")
	flags.IntVar(&f.size, "size", 0, "edge of the latents (default that of the original)")
	flags.StringVar(&f.classifier, "classifier", "", "folder of a residual network that recognises the concept")
	flags.IntVar(&f.concept, "concept", 1, "the classifier's class of the concept, from 0")
	flags.IntVar(&f.pixels, "pixels", partialdiffusion.ClassifierSize, "edge of the pictures that the classifier takes")
	flags.StringVar(&f.out, "out", "out", "folder to write to")
	flags.StringVar(&f.device, "device", "",
		"go, xla:cpu, xla:cuda or the path of a PJRT plugin; the best available by default")
	flags.BoolVar(&f.asJSON, "json", false, "one JSON object")
	return command
}

// settings are what the flags say.
func (f partialFlags) settings() (s partialdiffusion.Settings, err error) {
	switch {
	case f.original == "" || f.unlearned == "" && f.unet == "":
		return s, usagef("--original and --unlearned are needed: folders of diffusion models")
	case f.unlearned != "" && f.unet != "":
		return s, usagef("--unlearned and --unlearned-unet: give one of them")
	case !f.promptGiven:
		return s, usagef("--prompt is needed: what to draw")
	case f.seeds < 1 || f.seeds > 10_000:
		return s, usagef("--seeds %d: give a number of pictures from 1 to 10000", f.seeds)
	case f.steps < 1 || f.steps > 1000:
		return s, usagef("--steps %d: give a number from 1 to 1000", f.steps)
	case !(f.guidance >= 0 && f.guidance <= 1000):
		return s, usagef("--guidance %g: give a strength from 0 to 1000", f.guidance)
	case f.batch < 1:
		return s, usagef("--batch %d: give a number of pictures at a time", f.batch)
	case f.size < 0 || f.size > 1024:
		return s, usagef("--size %d: give an edge of the latents from 1 to 1024", f.size)
	}
	s = partialdiffusion.Settings{Steps: f.steps, Eta: f.eta, Guidance: f.guidance, Batch: f.batch, Height: f.size,
		Width: f.size}
	if s.Psi, err = withEnds(f.psi); err != nil {
		return s, usagef("--psi: %w", err)
	}
	var known bool
	if s.Solver, known = map[string]schedule.Solver{"ddim": schedule.DDIM, "plms": schedule.PNDM}[f.solver]; !known {
		return s, usagef("--solver %q: ddim or plms", f.solver)
	}
	if s.Solver == schedule.PNDM && !f.etaSet {
		s.Eta = 0
	}
	if s.Rule, known = map[string]partialdiffusion.Rule{"floor": partialdiffusion.FloorRule,
		"published": partialdiffusion.PublishedRule}[f.rule]; !known {
		return s, usagef("--rule %q: floor or published", f.rule)
	}
	if s.Restart, known = map[string]schedule.Restart{"repaired": schedule.RepeatedRestart,
		"published": schedule.PublishedRestart}[f.handOver]; !known {
		return s, usagef("--hand-over %q: repaired or published", f.handOver)
	}
	for i := range f.seeds {
		s.Seeds = append(s.Seeds, f.first+uint64(i))
	}
	if _, err := s.Stages(schedule.StableDiffusion()); err != nil {
		return s, usageError{err}
	}
	return s, nil
}

// withEnds sorts ratios and adds those of the models alone.
func withEnds(texts []string) ([]partialdiffusion.Ratio, error) {
	psi, err := partialdiffusion.Ratios(texts...)
	if err != nil {
		return nil, err
	}
	for _, end := range []string{"0", "1"} {
		ratio, err := partialdiffusion.ParseRatio(end)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(psi, func(r partialdiffusion.Ratio) bool { return r.Float() == ratio.Float() }) {
			psi = append(psi, ratio)
		}
	}
	slices.SortFunc(psi, func(a, b partialdiffusion.Ratio) int {
		switch {
		case a.Float() < b.Float():
			return -1
		case a.Float() > b.Float():
			return 1
		}
		return 0
	})
	return psi, nil
}

func (f partialFlags) run(stdout, stderr io.Writer) error {
	s, err := f.settings()
	if err != nil {
		return err
	}
	d, err := openDevice(f.device)
	if err != nil {
		return err
	}
	a, err := f.attack(d, s)
	if err != nil {
		return err
	}
	if err := safefile.MakeFolder(f.out); err != nil { // before the hours that drawing may take
		return err
	}
	ctx, stop := untilInterrupted()
	defer stop()
	heard, done := callsTold(stderr, "partial diffusion", "calls of the networks")
	drawing, err := a.Draw(ctx, heard)
	done()
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted; nothing was written")
	}
	if err != nil {
		return err
	}
	result, err := drawing.Result(ctx, a.Judge)
	if err != nil {
		return err
	}
	return f.report(stdout, stderr, drawing, result)
}

// openDevice opens a device; an unknown one is wrong usage.
func openDevice(wish string) (*device.Device, error) {
	d, err := device.Open(wish)
	if errors.Is(err, device.ErrUnknown) {
		return nil, usageError{err}
	}
	return d, err
}

// attack is the attack on the folders.
func (f partialFlags) attack(d *device.Device, s partialdiffusion.Settings) (*partialdiffusion.Attack, error) {
	a := &partialdiffusion.Attack{Settings: s}
	finish, unlearned := f.prompt, cmp.Or(f.unlearned, f.original)
	if f.finishGiven {
		finish = f.finish
	}
	for name := range f.retained {
		if name != "unlearned" && !(name == "gold" && f.gold != "") {
			return nil, usagef("--retained %s: there is no such model; it is of unlearned, or of gold if there is one",
				name)
		}
	}
	for _, model := range []struct {
		name, dir, unet, prompt string
		role                    attack.Role
	}{{"original", f.original, "", f.prompt, ""}, {"unlearned", unlearned, f.unet, finish, attack.Unlearned},
		{"gold", f.gold, "", finish, attack.Gold}} {
		if model.dir == "" {
			continue
		}
		source, err := partialdiffusion.Exchanged(d, model.dir, model.unet, model.prompt)
		if err != nil {
			return nil, err
		}
		source.Name, source.Role = model.name, model.role
		if source.Retained, err = shareOf(f.retained[model.name]); err != nil {
			return nil, err
		}
		if model.role == "" {
			a.Original = source
		} else {
			a.Targets = append(a.Targets, source)
		}
	}
	if f.classifier == "" {
		return a, nil
	}
	var err error
	a.Judge, err = partialdiffusion.Classifier(d, f.classifier, f.concept, f.pixels)
	return a, err
}

// shareOf reads a count such as 122/128; "" is none.
func shareOf(text string) (share attack.Share, err error) {
	if text == "" {
		return share, nil
	}
	right, of, found := strings.Cut(text, "/")
	if share.Right, err = strconv.Atoi(right); err == nil && found {
		share.Of, err = strconv.Atoi(of)
	}
	if err != nil || !found || share.Right < 0 || share.Of < max(1, share.Right) {
		return attack.Share{}, usagef("--retained %s: give a count of a count, such as 122/128", text)
	}
	return share, nil
}

// callsTold says how far what is named is, in calls: as a bar in a notebook, elsewhere in a line every ten seconds.
func callsTold(stderr io.Writer, name, calls string) (heard attack.Progress, done func()) {
	if kernelext.InNotebook() {
		var bar *kernelext.Bar
		last := 0
		heard = func(done, of int) {
			if bar == nil {
				bar = kernelext.Progress(of, name)
			}
			bar.Step(done - last)
			last = done
		}
		return heard, func() {
			if bar != nil {
				bar.Done()
			}
		}
	}
	told := time.Now()
	return func(done, of int) {
		if time.Since(told) >= nextLine {
			told = time.Now()
			fmt.Fprintf(stderr, "%d of %d %s\n", done, of, calls)
		}
	}, func() {}
}
