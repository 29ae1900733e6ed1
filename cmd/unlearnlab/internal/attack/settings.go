package attack

import (
	"slices"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/cmd/unlearnlab/internal/cli"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/discriminator"
	"github.com/unlearnlab/unlearnlab/unlearnkit/attack/partialdiffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion/schedule"
)

// settings checks the flags and returns the attack's settings.
func (f partialFlags) settings() (s partialdiffusion.Settings, err error) {
	switch {
	case f.original == "" || len(f.unlearned)+len(f.unets) == 0:
		return s, cli.Usagef("--original and --unlearned are required: folders of diffusion models")
	case !f.promptGiven && f.prompts == "":
		return s, cli.Usagef("--prompt is required: what to draw")
	case f.promptGiven && f.prompts != "":
		return s, cli.Usagef("give either --prompt or --prompts, not both")
	case f.seeds < 1 || f.seeds > 10_000:
		return s, cli.Usagef("--seeds %d: give a number of pictures from 1 to 10000", f.seeds)
	case f.steps < 1 || f.steps > 1000:
		return s, cli.Usagef("--steps %d: give a number from 1 to 1000", f.steps)
	case !(f.guidance >= 0 && f.guidance <= 1000):
		return s, cli.Usagef("--guidance %g: give a strength from 0 to 1000", f.guidance)
	case f.batch < 1:
		return s, cli.Usagef("--batch %d: give a number of pictures at a time", f.batch)
	case f.size < 0 || f.size > 1024:
		return s, cli.Usagef("--size %d: give an edge of the latents from 1 to 1024", f.size)
	}
	if f.precision != float32s && f.precision != bfloat16 {
		return s, cli.Usagef("--precision %q: %s or %s", f.precision, float32s, bfloat16)
	}
	if err := f.checkJudging(); err != nil {
		return s, err
	}
	s = partialdiffusion.Settings{Steps: f.steps, Eta: f.eta, Guidance: f.guidance, Batch: f.batch, Height: f.size,
		Width: f.size}
	if s.Psi, err = withEnds(f.psi); err != nil {
		return s, cli.Usagef("--psi: %w", err)
	}
	var known bool
	if s.Solver, known = map[string]schedule.Solver{"ddim": schedule.DDIM, "plms": schedule.PNDM}[f.solver]; !known {
		return s, cli.Usagef("--solver %q: ddim or plms", f.solver)
	}
	if s.Solver == schedule.PNDM && !f.etaSet {
		s.Eta = 0
	}
	if s.Rule, known = map[string]partialdiffusion.Rule{"floor": partialdiffusion.FloorRule,
		"published": partialdiffusion.PublishedRule}[f.rule]; !known {
		return s, cli.Usagef("--rule %q: floor or published", f.rule)
	}
	if s.Restart, known = map[string]schedule.Restart{"repaired": schedule.RepeatedRestart,
		"published": schedule.PublishedRestart}[f.handOver]; !known {
		return s, cli.Usagef("--hand-over %q: repaired or published", f.handOver)
	}
	for i := range f.seeds {
		s.Seeds = append(s.Seeds, f.first+uint64(i))
	}
	if _, err := s.Stages(schedule.StableDiffusion()); err != nil {
		return s, cli.Usage(err)
	}
	return s, nil
}

func (f partialFlags) checkJudging() error {
	switch {
	case f.set < 2 || f.set > 100_000:
		return cli.Usagef("--set %d: give a number of pictures from 2 to 100000", f.set)
	case f.fit != discriminator.HeadOnly && f.fit != discriminator.FullTriplet:
		return cli.Usagef("--fit %q: %s or %s", f.fit, discriminator.HeadOnly, discriminator.FullTriplet)
	case f.shows != "" && f.classifier == "":
		return cli.Usagef("--concept-text needs --classifier, the folder of a CLIP model")
	case (f.shows == "") != (len(f.without) == 0):
		return cli.Usagef("give both --concept-text and --other-text: CLIP decides which of them fits a picture better")
	case f.features == "" && f.sizeOfSetGiven:
		return cli.Usagef("--set needs --features")
	}
	return nil
}

// withEnds parses and sorts ratios, and adds 0 and 1, at which one model draws alone.
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

// shareOf parses a share such as 122/128. An empty text is the zero Share.
func shareOf(text string) (share attack.Share, err error) {
	if text == "" {
		return share, nil
	}
	right, of, found := strings.Cut(text, "/")
	if share.Right, err = strconv.Atoi(right); err == nil && found {
		share.Of, err = strconv.Atoi(of)
	}
	if err != nil || !found || share.Right < 0 || share.Of < max(1, share.Right) {
		return attack.Share{}, cli.Usagef("--retained %s: give correct answers of all answers, such as 122/128", text)
	}
	return share, nil
}
