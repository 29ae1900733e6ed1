package attack

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/discriminator"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
)

// partialFlags holds the flags of attack partial-diffusion.
type partialFlags struct {
	original, gold              string
	unlearned                   []string // folders of unlearned models, or NAME=FOLDER
	unets                       []string // UNets of unlearned models whose other parts are the original's
	prompt, finish, prompts     string   // prompts is a CSV file
	negative                    string
	solver, rule                string
	retained                    map[string]string
	handOver, precision         string
	psi                         []string
	seeds, steps, batch, size   int
	first                       uint64
	guidance, eta               float64
	classifier, out, device     string
	shows                       string   // text for CLIP that describes the concept
	without                     []string // texts for CLIP that describe pictures without the concept
	concept, pixels             int
	features, fit               string // network for the paper's scores, and how its classifier is trained
	set                         int
	dryRun, pictures            bool
	asJSON, promptGiven, etaSet bool
	finishGiven, sizeOfSetGiven bool
}

// The number formats of the UNets.
const (
	float32s = "float32"
	bfloat16 = "bfloat16"
)

// add adds the flags; the flags of the simplest use come first.
func (f *partialFlags) add(command *cobra.Command) {
	cli.AddGroup(command, "Models and prompt", f.addModels)
	cli.AddGroup(command, "Verdict: how the concept is recognised", f.addJudging)
	cli.AddGroup(command, "Output", f.addOutput)
	cli.AddGroup(command, "Several models, many prompts, other formats", f.addSeveral)
	cli.AddGroup(command, "The paper's own scores", f.addScores)
	cli.AddGroup(command, "Sampler", f.addSampler)
}

func (f *partialFlags) addModels(flags *pflag.FlagSet) {
	flags.StringVar(&f.original, "original", "", "folder of the model before unlearning")
	flags.StringArrayVar(&f.unlearned, "unlearned", nil,
		"folder of the unlearned model; `[NAME=]DIR` may be repeated for several models")
	flags.StringVar(&f.gold, "gold", "", "folder of a model that was trained without the concept")
	flags.StringVar(&f.prompt, "prompt", "", "prompt to draw")
	flags.StringVar(&f.finish, "finish-prompt", "",
		"prompt of the completing models; may be empty (default: the prompt)")
	flags.StringSliceVar(&f.psi, "psi", []string{".001", ".01", ".05", ".15", ".25", ".35", ".45", ".55"},
		"shares of the steps that the original model does")
	flags.IntVar(&f.seeds, "seeds", 4, "number of pictures at each ψ")
	flags.StringVar(&f.device, "device", "",
		"go, xla:cpu, xla:cuda or the path of a PJRT plugin; the best available by default")
}

func (f *partialFlags) addJudging(flags *pflag.FlagSet) {
	flags.StringVar(&f.classifier, "classifier", "",
		"folder of a residual network that recognises the concept, or of a CLIP model")
	flags.IntVar(&f.concept, "concept", 1, "the concept's class in the classifier, from 0")
	flags.StringVar(&f.shows, "concept-text", "", "text for CLIP that describes a picture with the concept")
	flags.StringArrayVar(&f.without, "other-text", nil,
		"text for CLIP that describes a picture without the concept; may be repeated")
	flags.IntVar(&f.pixels, "pixels", partialdiffusion.ClassifierSize, "edge of the classifier's input pictures")
	flags.StringToStringVar(&f.retained, "retained", nil,
		"correct answers of a model on retained tasks, such as unlearned=122/128,gold=125/128")
}

func (f *partialFlags) addOutput(flags *pflag.FlagSet) {
	flags.StringVar(&f.out, "out", "out", "folder to write to")
	flags.BoolVar(&f.dryRun, "dry-run", false, "estimate the work and draw nothing")
	flags.BoolVar(&f.pictures, "pictures", false, "also write each picture to a file, for labels from elsewhere")
	flags.BoolVar(&f.asJSON, "json", false, "print one JSON object")
}

func (f *partialFlags) addSeveral(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.unets, "unlearned-unet", nil, "instead of --unlearned: `[NAME=]PATH` of the unlearned "+
		"model's UNet, a file or a folder; the rest comes from the original")
	flags.StringVar(&f.prompts, "prompts", "", "CSV file of prompts, instead of --prompt")
	flags.StringVar(&f.precision, "precision", float32s,
		"number format of the UNets: float32, or bfloat16, which takes half the memory")
	flags.IntVar(&f.batch, "batch", 1, "pictures per network call")
}

func (f *partialFlags) addScores(flags *pflag.FlagSet) {
	flags.StringVar(&f.features, "features", "", "folder of a residual network for CCS, CRS and KID")
	flags.IntVar(&f.set, "set", 200, "with --features: pictures that each model draws alone for the classifier")
	flags.StringVar(&f.fit, "fit", discriminator.HeadOnly,
		"training of that classifier: head_only as in the paper's text, or full_triplet as in its code")
}

func (f *partialFlags) addSampler(flags *pflag.FlagSet) {
	flags.IntVar(&f.steps, "steps", 100, "number of denoising steps")
	flags.Float64Var(&f.guidance, "guidance", 7.5, "scale of classifier-free guidance")
	flags.StringVar(&f.negative, "negative-prompt", "", "negative prompt of the guidance, for all models")
	flags.StringVar(&f.solver, "solver", "ddim", "sampler: ddim or plms")
	flags.Float64Var(&f.eta, "eta", 1, "share of noise that ddim adds in each step (0 with plms)")
	flags.StringVar(&f.rule, "rule", "floor", "rounding of ψ to steps: floor, or published as in the paper's code")
	flags.StringVar(&f.handOver, "hand-over", "repaired",
		"how plms continues after a hand-over: repaired, or published with its lag of one step")
	flags.Uint64Var(&f.first, "first-seed", 42, "seed of the first picture; the others count up from it")
	flags.IntVar(&f.size, "size", 0, "edge of the latents (default: the original's)")
}
