package schedule

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// file is a scheduler_config.json as written by diffusers.
type file struct {
	Class           string     `json:"_class_name"`
	TrainSteps      int        `json:"num_train_timesteps"`
	BetaStart       float64    `json:"beta_start"`
	BetaEnd         float64    `json:"beta_end"`
	Betas           Betas      `json:"beta_schedule"`
	TrainedBetas    []float64  `json:"trained_betas"`
	Spacing         Spacing    `json:"timestep_spacing"`
	StepsOffset     int        `json:"steps_offset"`
	Prediction      Prediction `json:"prediction_type"`
	FinalAlphaOne   *bool      `json:"set_alpha_to_one"`
	ClipSample      *bool      `json:"clip_sample"`
	ClipRange       float64    `json:"clip_sample_range"`
	SkipRungeKutta  bool       `json:"skip_prk_steps"`
	Variance        string     `json:"variance_type"`
	Thresholding    bool       `json:"thresholding"`
	ZeroTerminalSNR bool       `json:"rescale_betas_zero_snr"`
}

var solvers = map[string]Solver{"DDIMScheduler": DDIM, "PNDMScheduler": PNDM, "DDPMScheduler": DDPM}

// foreign lists classes of which only the noise schedule is read, because their solvers are not implemented. Another
// solver must be chosen.
var foreign = []string{"EulerDiscreteScheduler", "EulerAncestralDiscreteScheduler", "HeunDiscreteScheduler",
	"LMSDiscreteScheduler", "DPMSolverMultistepScheduler", "DPMSolverSinglestepScheduler", "DEISMultistepScheduler",
	"UniPCMultistepScheduler"}

// ParseConfig reads a scheduler_config.json in diffusers' format. Missing fields have the defaults of the scheduler's
// class. For schedulers of Euler, Heun, LMS, DPM++, DEIS and UniPC, it returns the noise schedule without a Solver,
// which the caller must choose.
func ParseConfig(content []byte) (Solver, Config, error) {
	f := file{
		TrainSteps: 1000, BetaStart: .0001, BetaEnd: .02, Betas: Linear, Spacing: Leading, Prediction: Epsilon,
		ClipRange: 1, Variance: "fixed_small",
	}
	if err := json.Unmarshal(content, &f); err != nil {
		return "", Config{}, fmt.Errorf("scheduler config: %w", err)
	}
	solver, known := solvers[f.Class]
	switch {
	case !known && !slices.Contains(foreign, f.Class):
		return "", Config{}, fmt.Errorf("scheduler config: class %q is not known: DDIMScheduler, PNDMScheduler, "+
			"DDPMScheduler, or for its noise %s", f.Class, strings.Join(foreign, ", "))
	case f.Thresholding:
		return "", Config{}, fmt.Errorf("scheduler config: dynamic thresholding is not supported")
	case f.ZeroTerminalSNR:
		return "", Config{}, fmt.Errorf("scheduler config: rescale_betas_zero_snr is not supported")
	case f.Variance != "fixed_small" && f.Variance != "fixed_large":
		return "", Config{}, fmt.Errorf("scheduler config: variance type %q: fixed_small or fixed_large is needed",
			f.Variance)
	}
	c := Config{
		TrainSteps: f.TrainSteps, BetaStart: f.BetaStart, BetaEnd: f.BetaEnd, Betas: f.Betas,
		TrainedBetas: f.TrainedBetas, Spacing: f.Spacing, StepsOffset: f.StepsOffset,
		Prediction: f.Prediction, FinalAlphaOne: or(f.FinalAlphaOne, solver == DDIM), SkipRungeKutta: f.SkipRungeKutta,
		LargeVariance: f.Variance == "fixed_large",
	}
	if known && solver != PNDM && or(f.ClipSample, true) {
		c.ClipRange = f.ClipRange
	}
	_, err := New(c)
	if err != nil {
		err = fmt.Errorf("scheduler config: %w", err)
	}
	return solver, c, err
}

func or(value *bool, otherwise bool) bool {
	if value != nil {
		return *value
	}
	return otherwise
}
