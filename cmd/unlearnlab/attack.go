package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/telling"
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
	prompt, finish, prompts     string // of prompts a file
	negative                    string
	solver, rule                string
	retained                    map[string]string
	handOver                    string
	psi                         []string
	seeds, steps, batch, size   int
	first                       uint64
	guidance, eta               float64
	classifier, out, device     string
	concept, pixels             int
	features, fit               string // the network that the paper's scores start from, and how it learns
	set                         int
	dryRun                      bool
	asJSON, promptGiven, etaSet bool
	finishGiven, sizeOfSetGiven bool
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
original's picture. With a gold model and a classifier two questions make a verdict: is the concept
gone, and does help bring back more of it than it brings gold? A Parquet file holds the raw rows.
ψ = 0 and ψ = 1, the models alone, are always drawn too. The default settings follow the paper that
made the attack; its code corresponds to --solver plms --hand-over published --rule published.

--features names a residual network, ResNet-18 of ImageNet in the paper, and gives the paper's own
scores: each model also draws --set pictures alone, a classifier that starts from the network learns
to tell the two sets apart, and CCS and CRS are what it says of the completed pictures; KID is in
the network's features. --prompts takes a CSV file with a column prompt, and if it has them seed,
guidance and finish_prompt; sd_seed and sd_guidance_scale, as in I2P, are understood. Every prompt
has a folder of its own, and scores are summed up over them.

What it will take is told first; --dry-run stops there, with a time that is measured. Interrupted,
the same command goes on where it was.`,
		Example: `  unlearnlab attack partial-diffusion --original sd14 --unlearned esd-x --prompt "a house"
  unlearnlab attack partial-diffusion --original sd14 --unlearned esd-x --gold gold \
    --prompt "a cat" --psi .05,.25,.55 --seeds 8 --steps 25 --json
  unlearnlab attack partial-diffusion --original sd14 --unlearned-unet esd-van-gogh.safetensors \
    --prompt "a house by Van Gogh" --finish-prompt "a house" --retained unlearned=122/128
  unlearnlab attack partial-diffusion --original sd14 --unlearned-unet sdd.safetensors \
    --prompts i2p.csv --features resnet18 --set 200 --dry-run`,
		Args: exactArgs(0, "flags alone"),
		RunE: func(c *cobra.Command, _ []string) error {
			f.promptGiven, f.etaSet = c.Flags().Changed("prompt"), c.Flags().Changed("eta")
			f.finishGiven = c.Flags().Changed("finish-prompt")
			f.sizeOfSetGiven = c.Flags().Changed("set")
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
	flags.StringVar(&f.negative, "negative-prompt", "", "what guidance leads away from, in all models")
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
	flags.StringVar(&f.prompts, "prompts", "", "in place of --prompt: a CSV file of prompts")
	flags.StringVar(&f.features, "features", "", "folder of a residual network for CCS, CRS and KID")
	flags.IntVar(&f.set, "set", 200, "with --features: pictures that each model draws alone for them")
	flags.StringVar(&f.fit, "fit", telling.HeadOnly,
		"how their classifier learns: head_only as in the paper's text, or full_triplet as in its code")
	flags.BoolVar(&f.dryRun, "dry-run", false, "say what it will take, and draw nothing")
	flags.StringVar(&f.out, "out", "out", "folder to write to")
	flags.StringVar(&f.device, "device", "",
		"go, xla:cpu, xla:cuda or the path of a PJRT plugin; the best available by default")
	flags.BoolVar(&f.asJSON, "json", false, "one JSON object")
	return command
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
	told, before := time.Now(), 0
	return func(done, of int) {
		if since := time.Since(told); since >= nextLine {
			left := time.Duration(float64(since) * float64(of-done) / float64(max(1, done-before)))
			told, before = time.Now(), done
			fmt.Fprintf(stderr, "%d of %d %s, about %v left\n", done, of, calls, left.Round(time.Second))
		}
	}, func() {}
}
