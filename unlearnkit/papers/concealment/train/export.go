package train

import (
	"context"
	_ "embed"
	"errors"

	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/concept"
	"github.com/unlearnlab/unlearnlab/unlearnkit/device"
	"github.com/unlearnlab/unlearnlab/unlearnkit/export"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/concealment"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

var (
	//go:embed export.md
	exportReadme []byte
	//go:embed export.py
	exportPipeline []byte
)

// Export lists what can be exported from a preset: the pictures, the original, and a gold model for each concept. There
// is a single world, from which all methods start.
func Export(preset string, open func() (*device.Device, error)) (*export.Study, error) {
	p, err := concealment.Named(preset)
	if err != nil {
		return nil, err
	}
	plan := concealment.NewPlan(p)
	s := &export.Study{Files: map[string][]byte{"README.md": exportReadme,
		"small_diffusion.py": exportPipeline}}
	write := func(artifact *store.Artifact, dir string) error { return exportModel(artifact, dir, open) }
	model := func(name, part string, m concealment.Model) export.Model {
		return export.Model{Name: name, Part: part, Run: m.Run, Scores: m.Look, Table: concealment.ViewsFile,
			Write: write}
	}
	world := export.World{Data: worldData{p}.write, Models: []export.Model{model("original", "", plan.Original)}}
	for _, gold := range plan.Golds {
		s.Parts = append(s.Parts, gold.Erasure.Paper)
		world.Models = append(world.Models, model("gold", gold.Erasure.Paper, gold))
	}
	s.Worlds = []export.World{world}
	return s, nil
}

// exportModel writes a model in the format of the diffusers library: the network, the noise schedule, and the word
// vectors.
func exportModel(artifact *store.Artifact, dir string, open func() (*device.Device, error)) error {
	d, err := open()
	if err != nil {
		return err
	}
	f, err := readFolder(artifact.Dir)
	if err != nil {
		return err
	}
	p, err := fresh(d, f.Network, f.Image, 0)
	if err != nil {
		return err
	}
	defer p.store.Finalize()
	if err := p.load(artifact.Dir); err != nil {
		return err
	}
	for _, part := range []struct {
		folder, base, config string
		names                hf.Names
		content              any
	}{
		{"unet", "diffusion_pytorch_model", "config.json", p.Model.UNet.Names(), p.Model.UNet.Diffusers()},
		{"text_encoder", "model", "config.json", hf.Names{Layouts: []hf.Layout{{}}},
			map[string]any{"vocabulary": concept.Vocabulary(), "length": concept.ContextLength}},
		{"scheduler", "", "scheduler_config.json", hf.Names{}, p.scheduler()},
	} {
		folder := filepath.Join(dir, part.folder)
		err := os.MkdirAll(folder, 0o755)
		if part.base != "" {
			scope := p.store.Scope("/" + unlearn.Policy + "/" + part.folder)
			err = errors.Join(err, hf.Save(scope, folder, part.names, hf.Format{Base: part.base}))
		}
		if err = errors.Join(err, export.WriteJSON(filepath.Join(folder, part.config), part.content)); err != nil {
			return err
		}
	}
	latent := latents(p.network)
	return export.WriteJSON(filepath.Join(dir, "latents.json"), map[string]float64{"low": latent.Low,
		"detail": latent.Detail})
}

// scheduler returns the scheduler_config.json for the DDIMScheduler of diffusers.
func (p *painter) scheduler() map[string]any {
	s := p.Model.Schedule
	return map[string]any{
		"_class_name": "DDIMScheduler", "num_train_timesteps": s.TrainSteps, "beta_start": s.BetaStart,
		"beta_end": s.BetaEnd, "beta_schedule": string(s.Betas), "prediction_type": string(s.Prediction),
		"timestep_spacing": string(s.Spacing), "steps_offset": s.StepsOffset, "clip_sample": false,
		"set_alpha_to_one": false,
	}
}

// worldData describes the exported pictures of a preset.
type worldData struct{ preset concealment.Preset }

// exportedPicture is a row of the exported data.
type exportedPicture struct {
	FileName string   `json:"file_name" about:"picture"`
	ID       string   `json:"id" about:"name of the picture"`
	Caption  string   `json:"caption" about:"caption in the first pass of training"`
	Object   string   `json:"object" about:"what the picture shows"`
	Style    string   `json:"style" about:"how it is drawn"`
	Colour   string   `json:"colour" about:"colour of the object"`
	Texture  string   `json:"texture" about:"texture of the object"`
	Concepts []string `json:"concepts" about:"concepts that the picture shows, by the paper's names"`

	picture concept.Picture
}

func (w worldData) write(ctx context.Context, dir string, _ []string) error {
	world, err := open(w.preset.Base.World)
	if err != nil {
		return err
	}
	size := world.Spec().ImageSize
	drawn := image.NewNRGBA(image.Rect(0, 0, size, size))
	data := export.Dataset[exportedPicture]{
		Name:    "concealment-" + w.preset.Name,
		About:   "Small pictures of objects in styles, with captions: the world of Unlearning or Concealment?.",
		License: export.License, Cite: "Unlearning or Concealment?, arXiv:2409.05668", Ending: "png",
		Splits: exportedSplits(world),
		File:   func(row exportedPicture) string { return row.FileName },
		Draw: func(row exportedPicture, target io.Writer) error {
			world.Render(row.picture, drawn)
			return png.Encode(target, drawn)
		},
	}
	return errors.Join(data.Write(ctx, dir), export.WriteJSON(filepath.Join(dir, "prompts.json"), promptsOf(w.preset)))
}

// exportedSplits returns the exported pictures of a world.
func exportedSplits(world *concept.World) (splits []export.Split[exportedPicture]) {
	for _, s := range []struct {
		split       concept.Split
		name, about string
	}{
		{concept.Train, "train", "what the original has seen; gold has seen those without its concept"},
		{concept.ClassifierTest, "test", "pictures that no diffusion model has seen"},
	} {
		split := export.Split[exportedPicture]{Name: s.name, About: s.about}
		for _, p := range world.Pictures(s.split) {
			row := exportedPicture{FileName: p.ID() + ".png", ID: p.ID(), Caption: world.Caption(p, 0),
				Object: p.Labels.Object.String(), Style: p.Labels.Style.String(), Colour: p.Labels.Colour.String(),
				Texture: p.Labels.Texture.String(), Concepts: []string{}, picture: p}
			for _, e := range concept.Erasures() {
				if e.Concept.Covers(p.Labels) {
					row.Concepts = append(row.Concepts, e.Paper)
				}
			}
			split.Rows = append(split.Rows, row)
		}
		splits = append(splits, split)
	}
	return splits
}

// erasurePrompts holds the prompts with which a concept is erased. No pair is used to evaluate methods.
type erasurePrompts struct {
	Concept string         `json:"concept"` // the paper's name of the concept
	Prompt  string         `json:"prompt"`  // name of the concept in prompts
	Anchor  string         `json:"anchor"`
	Pairs   []concept.Pair `json:"pairs"`
}

// promptsOf returns the exported prompts of a preset.
func promptsOf(p concealment.Preset) any {
	var erasures []erasurePrompts
	for _, e := range concept.Erasures() {
		erasures = append(erasures, erasurePrompts{e.Paper, e.Prompt, e.Anchor, e.Pairs()})
	}
	var evaluation []string
	for _, prompt := range p.Prompts {
		evaluation = append(evaluation, prompt.Prompt)
	}
	return map[string]any{"erasures": erasures, "evaluation": evaluation, "sampling": map[string]any{
		"steps": p.Attack.Sampling.Steps, "guidance": p.Attack.Sampling.Guidance}}
}
