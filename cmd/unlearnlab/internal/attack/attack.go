// Package attack attacks unlearned models from the command line: partial diffusion and membership inference.
package attack

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
)

func Command() *cobra.Command {
	command := &cobra.Command{
		Use:   "attack",
		Short: "Try to recover erased knowledge from a model, or to infer its training data",
		Args:  cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return cli.Usagef("there is no attack %q; the attacks are %s", args[0], strings.Join(Names(), ", "))
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

// Names returns the names of the attacks.
func Names() []string {
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
rest. If a concept is concealed and not unlearned, a little help recovers it. The models are folders
of diffusers' StableDiffusionPipeline (Stable Diffusion 1.x). A gold model, trained without the
concept, shows how much the help alone recovers; without gold a recovery proves little.

Authors of erasure methods mostly publish only the UNet. --unlearned-unet takes a safetensors file
with all or only the changed tensors, the folder of a UNet, or the folder of a LoRA adapter of PEFT;
everything else comes from the original. --unlearned and --unlearned-unet may be repeated: the
original begins each picture once, and every unlearned model and gold complete it. --finish-prompt
is the prompt of the completing models. The prompt without the concept's word shows whether the
help or the word recovers the concept.

The command writes a strip of pictures for each seed: above, the original's prediction at the
hand-over; below, the completions of the other models. A figure and a JSON file report the share of
pictures in which a classifier recognises the concept or, without a classifier, how similar the
completions are to the original's picture. A gold model and a classifier together give a verdict
from two questions: is the concept gone, and does the help recover more of it than in gold? A CLIP
model can replace the classifier; it compares pictures with --concept-text and --other-text.
--pictures writes every picture to a file, so that "attack labels" can use labels from elsewhere. A
Parquet file holds the raw rows. ψ = 0 and ψ = 1, the models alone, are always included. The default
settings follow the text of the attack's paper; its code corresponds to --solver plms
--hand-over published --rule published.

--features names a residual network (the paper's is an ImageNet ResNet-18) and adds the paper's own
scores. Each model also draws --set pictures alone, and a classifier that starts from the network
learns to distinguish the two sets. CCS and CRS are its scores for the completed pictures; KID is
computed from the network's features. --prompts takes a CSV file with the column prompt and
optionally seed, guidance and finish_prompt, or I2P's sd_seed and sd_guidance_scale. Every prompt
gets a folder of its own, and the scores are averaged over the prompts.

The command first reports the expected work; --dry-run measures the time and stops there. If the
command is interrupted, repeat it to continue.`,
		Example: `  unlearnlab attack partial-diffusion --original sd14 --unlearned esd-x --prompt "a house"
  unlearnlab attack partial-diffusion --original sd14 --unlearned esd-x --gold gold \
    --prompt "a cat" --psi .05,.25,.55 --seeds 8 --steps 25 --json
  unlearnlab attack partial-diffusion --original sd14 --unlearned-unet esd-van-gogh.safetensors \
    --prompt "a house by Van Gogh" --finish-prompt "a house" --retained unlearned=122/128
  unlearnlab attack partial-diffusion --original sd14 --unlearned-unet sdd.safetensors \
    --prompts i2p.csv --features resnet18 --set 200 --dry-run
  unlearnlab attack partial-diffusion --original sd14 --gold gold --prompt "a cat" \
    --unlearned esd-x=models/a --unlearned-unet sdd=sdd.safetensors --retained esd-x=122/128`,
		Args: cli.ExactArgs(0, "only flags"),
		RunE: func(c *cobra.Command, _ []string) error {
			f.promptGiven, f.etaSet = c.Flags().Changed("prompt"), c.Flags().Changed("eta")
			f.finishGiven = c.Flags().Changed("finish-prompt")
			f.sizeOfSetGiven = c.Flags().Changed("set")
			return f.run(c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f.add(command)
	return command
}
