// Package model inspects models and runs them.
package model

import (
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/registry"
)

func Command() *cobra.Command {
	command := &cobra.Command{
		Use:   "model",
		Short: "Inspect the folder of any model, or run the model on arrays",
		Long: `Inspect or run the model in a folder: config.json and safetensors files in the format of Hugging
Face transformers, diffusers, OpenCLIP or torchvision.

Models that can be run:
` + cli.Filled(registry.Architectures()),
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			return cli.VerbOrHelp(c, args)
		},
	}
	command.AddCommand(modelInspectCommand(), modelForwardCommand())
	return command
}

func modelInspectCommand() *cobra.Command {
	var asJSON, all bool
	command := &cobra.Command{
		Use:   "inspect DIR",
		Short: "Describe the model in a folder and check its tensors",
		Long: `Describe the model in a folder, list its tensors, and check that they fit. Tensors that differ only
in the number of their layer share one line.`,
		Args: cli.ExactArgs(1, "the folder of a model"),
		RunE: func(c *cobra.Command, args []string) error {
			inspection, err := registry.Inspect(args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return cli.WriteJSON(c.OutOrStdout(), inspection)
			}
			return writeInspection(c.OutOrStdout(), inspection, all)
		},
	}
	command.Flags().BoolVar(&all, "all", false, "one line per tensor")
	command.Flags().BoolVar(&asJSON, "json", false, "one JSON object")
	return command
}

func writeInspection(w io.Writer, i registry.Inspection, all bool) error {
	var text strings.Builder
	fmt.Fprintf(&text, "%s, %s parameters in %d tensors", i.Architecture, thousands(i.Parameters), len(i.Tensors))
	if i.Layout != "" {
		fmt.Fprintf(&text, ", named as in %s", i.Layout)
	}
	text.WriteString("\n")
	tensors := i.Tensors
	if !all {
		tensors = foldLayers(tensors)
	}
	width := 0
	for _, tensor := range tensors {
		width = max(width, len(tensor.Name))
	}
	for _, tensor := range tensors {
		fmt.Fprintf(&text, "  %-*s  %-4s %v\n", width, tensor.Name, tensor.Type, tensor.Shape)
	}
	for _, name := range i.Ignored {
		fmt.Fprintf(&text, "not needed: %s\n", name)
	}
	for _, warning := range i.Warnings {
		fmt.Fprintf(&text, "warning: %s\n", warning)
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// layerNumber matches the first layer number in a tensor's name.
var layerNumber = regexp.MustCompile(`\.(\d+)\.`)

// foldLayers merges tensors that differ only in the layer number into one entry, such as
// "layers.0-31.mlp.up_proj.weight", if no layer is missing.
func foldLayers(all []registry.Tensor) (folded []registry.Tensor) {
	type place struct{ before, after, kind string }
	parse := func(tensor registry.Tensor) (p place, number int) {
		at := layerNumber.FindStringSubmatchIndex(tensor.Name)
		if at == nil {
			return place{before: tensor.Name}, 0
		}
		number, _ = strconv.Atoi(tensor.Name[at[2]:at[3]])
		return place{tensor.Name[:at[2]], tensor.Name[at[3]:], fmt.Sprint(tensor.Type, tensor.Shape)}, number
	}
	type span struct{ n, first, last int }
	spans := map[place]span{}
	for _, tensor := range all {
		p, number := parse(tensor)
		s, met := spans[p]
		if !met {
			s = span{0, number, number}
		}
		spans[p] = span{s.n + 1, min(s.first, number), max(s.last, number)}
	}
	met := map[place]bool{}
	for _, tensor := range all {
		p, _ := parse(tensor)
		if s := spans[p]; s.n > 1 && s.last-s.first == s.n-1 {
			if met[p] {
				continue
			}
			met[p] = true
			tensor.Name = fmt.Sprintf("%s%d-%d%s", p.before, s.first, s.last, p.after)
		}
		folded = append(folded, tensor)
	}
	return folded
}

// thousands formats a number with commas.
func thousands(n int) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

func modelForwardCommand() *cobra.Command {
	var input, output, wish string
	command := &cobra.Command{
		Use:   "forward DIR --input IN.npz --output OUT.npz",
		Short: "Run the model in a folder on arrays from a file",
		Long: `Run the model in a folder once. The arrays of IN.npz and OUT.npz have the names of the original
library. Masks are optional.

  CLIP            pixel_values, input_ids, attention_mask → image_embeds, text_embeds,
                                                            logits_per_image
  CLIP's text     input_ids, attention_mask               → last_hidden_state, pooler_output
  CLIP's vision   pixel_values                            → last_hidden_state, pooler_output
  LLaVA           pixel_values, input_ids, attention_mask → logits
                  (one image placeholder per row, or one per patch of the image)
  LLaMA           input_ids, attention_mask               → logits
  wav2vec2,
  HuBERT          input_values, attention_mask            → logits
  UNet            sample, timestep, encoder_hidden_states → sample
  VAE             sample                                  → mean, sample
  ResNet          pixel_values                            → logits, features`,
		Args: cli.ExactArgs(1, "the folder of a model"),
		RunE: func(c *cobra.Command, args []string) error {
			if input == "" || output == "" {
				return cli.Usagef("both --input and --output are required")
			}
			return forward(c.ErrOrStderr(), args[0], input, output, wish)
		},
	}
	command.Flags().StringVar(&input, "input", "", "npz file with the model's inputs")
	command.Flags().StringVar(&output, "output", "", "npz file to write the outputs to")
	command.Flags().StringVar(&wish, "device", "",
		"go, xla:cpu, xla:cuda or the path of a PJRT plugin; the best available by default")
	return command
}

func forward(progress io.Writer, dir, input, output, wish string) error {
	inputs, err := safefile.OpenNpz(input)
	if err != nil {
		return err
	}
	defer inputs.Close()
	d, err := device.Open(wish)
	if err != nil {
		return err
	}
	model, err := registry.Open(d, dir)
	if err != nil {
		return err
	}
	for _, warning := range model.Warnings {
		fmt.Fprintf(progress, "warning: %s\n", warning)
	}
	outputs, err := model.Forward(inputs)
	if err != nil {
		return err
	}
	return safefile.WriteNpz(output, outputs)
}
