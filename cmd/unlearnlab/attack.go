package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/kernelext"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
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
	return []*cobra.Command{membershipCommand(), partialDiffusionCommand(), labelsCommand()}
}

// attacks are the names of the attacks that there are.
func attacks() []string {
	var names []string
	for _, command := range attackCommands() {
		names = append(names, command.Name())
	}
	return names
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
writes it, and the rest is the original's. Both flags may be given again: several unlearned models
complete what the original has begun once, beside one gold. --finish-prompt is what the other
models are told: the same without the concept's word asks whether the help brings it back, or the
word.

The command writes a strip of pictures for each seed: above, what the original takes its latent
for when it hands over; below, what the other models make of it. A figure and a JSON file give the
share of pictures that a classifier recognises or, without one, how near the completions are to
the original's picture. With a gold model and a classifier two questions make a verdict: is the
concept gone, and does help bring back more of it than it brings gold? In the classifier's place a
model of CLIP judges by texts: --concept-text beside --other-text; and --pictures writes each
picture by itself, for "attack labels" to take labels from elsewhere. A Parquet file holds the raw
rows. ψ = 0 and ψ = 1, the models alone, are always drawn too. The default settings follow the
paper that made the attack; its code corresponds to --solver plms --hand-over published --rule
published.

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
    --prompts i2p.csv --features resnet18 --set 200 --dry-run
  unlearnlab attack partial-diffusion --original sd14 --gold gold --prompt "a cat" \
    --unlearned esd-x=models/a --unlearned-unet sdd=sdd.safetensors --retained esd-x=122/128`,
		Args: exactArgs(0, "flags alone"),
		RunE: func(c *cobra.Command, _ []string) error {
			f.promptGiven, f.etaSet = c.Flags().Changed("prompt"), c.Flags().Changed("eta")
			f.finishGiven = c.Flags().Changed("finish-prompt")
			f.sizeOfSetGiven = c.Flags().Changed("set")
			return f.run(c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f.register(command.Flags())
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
