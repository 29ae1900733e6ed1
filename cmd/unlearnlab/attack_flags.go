package main

import (
	"github.com/spf13/pflag"

	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/telling"
)

// partialFlags are the flags of the attack partial-diffusion.
type partialFlags struct {
	original, gold              string
	unlearned                   []string // folders of models that were made to forget, or NAME=FOLDER
	unets                       []string // such models as the original with another UNet
	prompt, finish, prompts     string   // of prompts a file
	negative                    string
	solver, rule                string
	retained                    map[string]string
	handOver, precision         string
	psi                         []string
	seeds, steps, batch, size   int
	first                       uint64
	guidance, eta               float64
	classifier, out, device     string
	shows                       string   // what a model of CLIP in the classifier's place is asked about
	without                     []string // what pictures without it look like
	concept, pixels             int
	features, fit               string // the network that the paper's scores start from, and how it learns
	set                         int
	dryRun, pictures            bool
	asJSON, promptGiven, etaSet bool
	finishGiven, sizeOfSetGiven bool
}

// The numbers that UNets compute in.
const (
	float32s = "float32"
	bfloat16 = "bfloat16"
)

// register makes the flags known.
func (f *partialFlags) register(flags *pflag.FlagSet) {
	f.registerModels(flags)
	f.registerDrawing(flags)
	f.registerJudging(flags)
}

func (f *partialFlags) registerModels(flags *pflag.FlagSet) {
	flags.StringVar(&f.original, "original", "", "folder of the model before unlearning")
	flags.StringArrayVar(&f.unlearned, "unlearned", nil,
		"folder of the model that was made to forget, or `[NAME=]DIR` again for each of several")
	flags.StringVar(&f.gold, "gold", "", "folder of a model that was trained without the concept")
	flags.StringArrayVar(&f.unets, "unlearned-unet", nil, "in place of --unlearned, `[NAME=]PATH`: the UNet of "+
		"that model, a file or a folder; the rest is the original's")
	flags.StringVar(&f.prompt, "prompt", "", "what to draw")
	flags.StringVar(&f.prompts, "prompts", "", "in place of --prompt: a CSV file of prompts")
	flags.StringVar(&f.finish, "finish-prompt", "",
		"what the models are told that complete the pictures (default: the prompt; it may be empty)")
	flags.StringVar(&f.negative, "negative-prompt", "", "what guidance leads away from, in all models")
	flags.StringToStringVar(&f.retained, "retained", nil,
		"how much a model still does right of what it was to retain, such as unlearned=122/128,gold=125/128")
}

func (f *partialFlags) registerDrawing(flags *pflag.FlagSet) {
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
	flags.StringVar(&f.precision, "precision", float32s,
		"what the UNets compute in: float32, or bfloat16, which takes half the memory")
	flags.IntVar(&f.size, "size", 0, "edge of the latents (default that of the original)")
}

func (f *partialFlags) registerJudging(flags *pflag.FlagSet) {
	flags.StringVar(&f.classifier, "classifier", "",
		"folder of a residual network that recognises the concept, or of a model of CLIP")
	flags.StringVar(&f.shows, "concept-text", "", "what CLIP takes a picture for that shows the concept")
	flags.StringArrayVar(&f.without, "other-text", nil,
		"what CLIP takes a picture for that does not; again for each of several")
	flags.IntVar(&f.concept, "concept", 1, "the classifier's class of the concept, from 0")
	flags.IntVar(&f.pixels, "pixels", partialdiffusion.ClassifierSize, "edge of the pictures that the classifier takes")
	flags.StringVar(&f.features, "features", "", "folder of a residual network for CCS, CRS and KID")
	flags.IntVar(&f.set, "set", 200, "with --features: pictures that each model draws alone for them")
	flags.StringVar(&f.fit, "fit", telling.HeadOnly,
		"how their classifier learns: head_only as in the paper's text, or full_triplet as in its code")
	flags.BoolVar(&f.dryRun, "dry-run", false, "say what it will take, and draw nothing")
	flags.BoolVar(&f.pictures, "pictures", false, "write each picture by itself, too, for labels from elsewhere")
	flags.StringVar(&f.out, "out", "out", "folder to write to")
	flags.StringVar(&f.device, "device", "",
		"go, xla:cpu, xla:cuda or the path of a PJRT plugin; the best available by default")
	flags.BoolVar(&f.asJSON, "json", false, "one JSON object")
}
