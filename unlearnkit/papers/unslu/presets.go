package unslu

import (
	"errors"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speech"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
)

// Names of backbones.
const (
	englishContrastive = "English, contrastive"
	englishClusters    = "English, clusters"
	manyLanguages      = "four languages, contrastive"
	shallowUntaught    = "first values"
	deepUntaught       = "first values, deep"
)

// tuned returns the name of the backbone that was tuned to the letters of a language.
func tuned(language string) string { return "four languages, letters of " + language }

// backbones returns backbones that replace the paper's: wav2vec 2.0, HuBERT, XLS-R, and XLSR-53 tuned to three
// languages.
func backbones(shallow, deep Size, learning BackboneSpec) []BackbonePreset {
	languages := []string{"en", "it", "de", "fr"}
	spec := func(o Objective, s Size, languages ...string) BackboneSpec {
		of := learning
		of.Objective, of.Size, of.Languages = o, s, languages
		return of
	}
	all := []BackbonePreset{
		{Name: englishContrastive, BackboneSpec: spec(Contrastive, shallow, "en")},
		{Name: englishClusters, BackboneSpec: spec(Clusters, shallow, "en")},
		{Name: manyLanguages, BackboneSpec: spec(Contrastive, deep, languages...)},
	}
	for _, language := range languages[1:] {
		letters := spec(Letters, deep, language)
		letters.Steps = (letters.Steps + 2) / 3
		all = append(all, BackbonePreset{Name: tuned(language), After: manyLanguages, BackboneSpec: letters})
	}
	return all
}

// benchmarks returns small versions of the paper's ten benchmarks, with generated data and small backbones.
func benchmarks(training Training, samples, moreThan int, share float64) []Benchmark {
	of := func(table, set, model, backbone string, world speech.Config) Benchmark {
		// Test clips have wrong labels as often as training clips do, as if one data set were split afterwards.
		// Otherwise wrong labels would distinguish the forget clips from the test clips.
		world.NoisyTest = true
		return Benchmark{Table: table, Set: set, Model: model, Backbone: backbone, Training: training,
			Corpus:  Corpus{World: world, Revision: 1, MoreThan: moreThan, Share: share, Samples: samples},
			Methods: methods()}
	}
	return []Benchmark{
		of("1", "FSC", "wav2vec 2.0", englishContrastive, speech.Easy(0)),
		of("1", "FSC", "HuBERT", englishClusters, speech.Easy(0)),
		of("2", "SLURP*", "wav2vec 2.0", englishContrastive, speech.Hard(0)),
		of("2", "SLURP*", "HuBERT", englishClusters, speech.Hard(0)),
		of("2", "ITALIC", "XLS-R 128", manyLanguages, speech.Italian(0)),
		of("2", "ITALIC", "XLS-R 53-IT", tuned("it"), speech.Italian(0)),
		of("3", "de-De", "XLS-R 128", manyLanguages, speech.German(0)),
		of("3", "de-De", "XLS-R 53-DE", tuned("de"), speech.German(0)),
		of("3", "fr-FR", "XLS-R 128", manyLanguages, speech.French(0)),
		of("3", "fr-FR", "XLS-R 53-FR", tuned("fr"), speech.French(0)),
	}
}

// small returns the settings that Quick and Mini share. Because their models are equal, their runs are shared, too.
func small() Preset {
	shallow := Size{Hidden: 64, Layers: 2, Heads: 4, Channels: 32, Kernels: []int{32, 10, 8}, Strides: []int{16, 5, 4},
		Projected: 64}
	deep := shallow
	deep.Deep = true
	learning := BackboneSpec{Steps: 12000, Batch: 16, Rate: 1e-3, Clips: 1600, Samples: 18000, Revision: 1}
	training := Training{Epochs: 16, Batch: 16, Rate: 2e-3, Warmup: .1, Decay: .01, Patience: 3, Stop: 7}
	p := Preset{Backbones: backbones(shallow, deep, learning), Benchmarks: benchmarks(training, 18000, 50, .05)}
	for i := range p.Benchmarks {
		if b := &p.Benchmarks[i]; b.Set == "FSC" {
			// With more clips, the number of steps stays the same. Each clip is heard a few times, as in the paper, and
			// hardly any is memorised.
			b.Corpus.World.TrainSpeakers, b.Corpus.Share, b.Training.Epochs = 64, .025, 6
		}
	}
	return p
}

// Smoke returns a preset that checks in seconds that everything runs. Its models learn almost nothing, and its numbers
// are meaningless.
func Smoke() Preset {
	size := Size{Hidden: 16, Layers: 1, Heads: 2, Channels: 8, Kernels: []int{10, 8, 4}, Strides: []int{8, 8, 4},
		Projected: 8}
	deep := size
	deep.Deep = true
	learning := BackboneSpec{Steps: 4, Batch: 16, Rate: 1e-3, Clips: 400, Samples: 18000, Revision: 1}
	training := Training{Epochs: 2, Batch: 8, Rate: 1e-3, Warmup: .1, Decay: .01, Patience: 4, Stop: 8}
	p := Preset{Name: "smoke", Worlds: 1, Backbones: backbones(size, deep, learning),
		Benchmarks: benchmarks(training, 6000, 3, .1)}
	p.Benchmarks = slices.DeleteFunc(p.Benchmarks, func(b Benchmark) bool {
		kept := []string{"FSC/wav2vec 2.0", epochsBenchmark, ratesBenchmark, "de-De/XLS-R 128"}
		return !slices.Contains(kept, b.Name())
	})
	p.Backbones = slices.DeleteFunc(p.Backbones, func(b BackbonePreset) bool {
		return b.Name == englishClusters || b.Name == tuned("de") || b.Name == tuned("fr")
	})
	for i := range p.Benchmarks {
		b := &p.Benchmarks[i]
		w := &b.Corpus.World
		w.TrainSpeakers, w.ValidationSpeakers, w.TestSpeakers, w.Clips, w.Skew = 6, 2, 2, 40, 0
		for m := range b.Methods {
			b.Methods[m].Rates = b.Methods[m].Rates[1:2]
		}
	}
	return p.untaught("SLURP*").sweeps([]int{1, 3}, 2)
}

// Quick returns a preset for a first look. It has one world of two benchmarks, with models that ship with the program.
func Quick() Preset {
	p := small()
	p.Name, p.Worlds = "quick", 1
	p.Benchmarks = slices.DeleteFunc(p.Benchmarks, func(b Benchmark) bool { return b.Model != "wav2vec 2.0" })
	p.Backbones = p.Backbones[:1]
	return p
}

// Mini returns a preset with all experiments of the paper, in five worlds.
func Mini() Preset {
	p := small()
	p.Name, p.Worlds = "mini", 5
	for i, b := range p.Benchmarks {
		if b.Name() == "FSC/wav2vec 2.0" || b.Name() == epochsBenchmark {
			p.Benchmarks[i].Shadows = 3
		}
	}
	p = p.untaught("SLURP*", "ITALIC").sweeps([]int{2, 3, 5, 8, 16}, 9)
	p.Epochs.Chance = 5
	return p
}

// Wider returns a preset with ten worlds in which one speaker of 24 is forgotten, a share as in the paper. It adds a
// rate to each method whose chosen rate in [Mini] is the lowest or highest of its grid. NG+ gets the next lower rate;
// FT, BT, BT-L and SCRUB get the next higher one, in the paper's steps of 1, 5 and 10. NG gets one rate between its two
// highest. The preset has only Tables 1 to 3, and it measures time in passes.
func Wider() Preset {
	p := small()
	p.Name, p.Worlds, p.ByPasses = "wider", 10, true
	more := map[string]float64{"negative": 3e-4, "negative-plus": 1e-5, "bad-teaching": 1e-3,
		"bad-teaching-light": 1e-3, "scrub": 1e-3, "finetuning": 1e-2}
	for i := range p.Benchmarks {
		b := &p.Benchmarks[i]
		b.Corpus.Share = .025
		for m, method := range b.Methods {
			if rate, wider := more[method.Name]; wider {
				rates := append(slices.Clone(method.Rates), rate)
				slices.Sort(rates)
				b.Methods[m] = method.at(rates...)
			}
		}
	}
	return p
}

// untaught adds originals without pre-training on some data sets, to measure the gain from pre-training.
func (p Preset) untaught(sets ...string) Preset {
	for i := range p.Benchmarks {
		b := &p.Benchmarks[i]
		if !slices.Contains(sets, b.Set) {
			continue
		}
		own := p.Backbones[slices.IndexFunc(p.Backbones, func(o BackbonePreset) bool { return o.Name == b.Backbone })]
		b.Untaught = shallowUntaught
		if own.Size.Deep {
			b.Untaught = deepUntaught
		}
		if !slices.ContainsFunc(p.Backbones, func(o BackbonePreset) bool { return o.Name == b.Untaught }) {
			p.Backbones = append(p.Backbones, BackbonePreset{Name: b.Untaught, BackboneSpec: BackboneSpec{
				Objective: Nothing, Size: own.Size, Samples: own.Samples, Revision: own.Revision}})
		}
	}
	return p
}

// sweeps adds the settings of Table 5 and Figure 1.
func (p Preset) sweeps(budgets []int, rates int) Preset {
	of := func(name string) Method {
		at := slices.IndexFunc(p.Benchmarks[0].Methods, func(m Method) bool { return m.Name == name })
		return p.Benchmarks[0].Methods[at]
	}
	plus, negative := of("negative-plus"), of("negative")
	p.Epochs = EpochSweep{Benchmark: epochsBenchmark, Budgets: budgets, Method: plus.at(plus.Rates[0])}
	var all []float64
	for i := range rates {
		all = append(all, factor*sweptRates[i*(len(sweptRates)-1)/(rates-1)])
	}
	p.Rates = RateSweep{Benchmark: ratesBenchmark, Method: negative.at(all...)}
	return p
}

// sweptRates lists the rates of Figure 1, with the same number in each decade.
var sweptRates = []float64{1e-7, 2e-7, 5e-7, 1e-6, 2e-6, 5e-6, 1e-5, 2e-5, 5e-5}

// presets returns the presets that have names. It excludes [Paper], which needs a download.
func presets() []Preset { return []Preset{Smoke(), Quick(), Mini(), Wider()} }

// Named returns the preset called name.
func Named(name string) (Preset, error) {
	if name == study.PaperPreset {
		return Preset{}, errors.New("the preset paper is made of a download: Paper returns it")
	}
	return study.Named("unslu", name, presets(), func(p Preset) string { return p.Name }, ", and paper with a download")
}
