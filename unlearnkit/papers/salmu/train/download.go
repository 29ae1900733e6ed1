package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/picturefolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/salmu512"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/salmu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/tokenize"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/clip"
)

// folders locates the published files. If Data or Models is empty, the folder of the last call is used. Without
// ImageNet, GenKnow is not judged. Without Retain, methods that need the retain sample are left out.
type folders struct {
	Data     string // folder of salmubench-512-redistributed, or its parent
	Models   string // folder with one subfolder per published model
	ImageNet string // folder of the validation set, with one subfolder per class
	Retain   string // folder with pictures of the original training data and their captions
}

// Names of the published models. Their folders have the same names.
const (
	CleanModel       = "clip-vit-b-16-salmu-clean"
	CompromisedModel = "clip-vit-b-16-salmu-compromised"
	IndependentModel = "vit_base_patch16_clip_224.laion400m_e32" // needed only for Table 4
)

// modelsData is the name under which the store records the models' folder.
const modelsData = "salmu/models"

// localDownload is a download whose folders were found, with digests of their files.
type localDownload struct {
	salmu.Download
	digests *lab.Digests
}

// findDownload locates the published files and computes their digests. Files that are new or have changed are read
// completely, and their folders are printed to progress.
func findDownload(ctx context.Context, s *store.Store, f folders, progress io.Writer) (*localDownload, error) {
	if err := f.remembered(s); err != nil {
		return nil, err
	}
	found := &localDownload{digests: &lab.Digests{Store: s, Progress: progress}}
	taken := &digests{ctx, found.digests}
	var err error
	if found.Benchmark, err = taken.benchmark(f.Data); err != nil {
		return nil, err
	}
	if err := found.models(taken, f.Models); err != nil {
		return nil, err
	}
	if f.ImageNet != "" {
		if found.ImageNet, err = taken.imageNet(f.ImageNet); err != nil {
			return nil, err
		}
	}
	if f.Retain != "" {
		if found.Retain, err = taken.retain(f.Retain); err != nil {
			return nil, err
		}
	}
	return found, lab.Remember(s, map[string]string{salmu512.Benchmark.Name(): f.Data, modelsData: f.Models})
}

// remembered fills in empty fields with the folders that the store remembers.
func (f *folders) remembered(s *store.Store) error {
	known, err := s.Data()
	if err != nil {
		return err
	}
	if f.Data == "" {
		f.Data = known[salmu512.Benchmark.Name()]
	}
	if f.Models == "" {
		f.Models = known[modelsData]
	}
	switch {
	case f.Data == "":
		return errors.New("the preset paper reads the published data: give --data DIR with a download of " +
			"cvc-mmu/salmubench-512-redistributed")
	case f.Models == "":
		return fmt.Errorf("the preset paper starts from the published models: give --models DIR with the folders %s "+
			"and %s of cvc-mmu in it", CleanModel, CompromisedModel)
	}
	for _, folder := range salmu512.Find(f.Data) {
		if data, err := salmu512.Open(folder); err == nil && data.Kind == salmu512.Benchmark {
			f.Data = folder
		}
	}
	return nil
}

// models computes the digests of the published models, which must have the same architecture.
func (f *localDownload) models(taken *digests, dir string) error {
	var configs []clip.Config
	for _, model := range []struct {
		name string
		into *string
	}{{CleanModel, &f.Clean}, {CompromisedModel, &f.Compromised}, {IndependentModel, &f.Independent}} {
		folder := filepath.Join(dir, model.name)
		if _, err := os.Stat(folder); model.name == IndependentModel && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		config, err := readCheckpointConfig(folder)
		if err == nil {
			*model.into, err = taken.checkpoint(folder)
		}
		if err != nil {
			return err
		}
		if configs = append(configs, config); config != configs[0] {
			return fmt.Errorf("read %s: it is of another architecture than %s", folder, CleanModel)
		}
	}
	f.Image = configs[0].Vision.Image
	return nil
}

// Names of files in OpenCLIP's folders.
const (
	checkpointConfig  = "open_clip_config.json"
	checkpointWeights = "open_clip_model"
	convertedWeights  = "open_clip_pytorch_model.safetensors" // converted by the user from a pickle
)

// weights holds the names of the weight files of a published model.
var weights = lab.Weights{Base: checkpointWeights, Converted: convertedWeights}

// readCheckpointConfig reads the configuration of a published model.
func readCheckpointConfig(folder string) (clip.Config, error) {
	path := filepath.Join(folder, checkpointConfig)
	if _, err := os.Stat(folder); err != nil {
		return clip.Config{}, fmt.Errorf("read %s: there is no such folder; download the model of that name "+
			"into it",
			folder)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return clip.Config{}, fmt.Errorf("read %s: the file is missing; it is published next to %s.safetensors", path,
			checkpointWeights)
	}
	config, err := clip.ParseConfig(text)
	if err != nil {
		return clip.Config{}, fmt.Errorf("read %s: %w", path, err)
	}
	if size := tokenize.OpenCLIP().Size(); config.Text.Vocabulary != size {
		return clip.Config{}, fmt.Errorf("read %s: a vocabulary of %d tokens, CLIP's has %d", path,
			config.Text.Vocabulary, size)
	}
	return config, nil
}

// digests computes the digests of folders.
type digests struct {
	ctx context.Context
	*lab.Digests
}

func (s *digests) benchmark(dir string) (string, error) {
	data, err := salmu512.Open(dir)
	if err != nil {
		return "", err
	}
	if data.Kind != salmu512.Benchmark {
		return "", fmt.Errorf("read %s: it has the data for training; the paper preset reads "+
			"salmubench-512-redistributed", dir)
	}
	return s.Of(s.ctx, dir, data.Files(), func() error {
		report, err := salmu512.Check(s.ctx, dir, false)
		if err != nil {
			return err
		}
		for _, finding := range report.Findings {
			if finding.Severity == "error" {
				return fmt.Errorf("read %s: %s; unlearnlab data import salmu %s lists all that is wrong",
					filepath.Join(dir, finding.Where), finding.What, dir)
			}
		}
		return nil
	})
}

func (s *digests) checkpoint(folder string) (string, error) {
	files, err := weights.Files(folder)
	if err != nil {
		return "", err
	}
	return s.Of(s.ctx, folder, append([]string{checkpointConfig}, files...), nil)
}

func (s *digests) imageNet(dir string) (string, error) {
	if _, err := picturefolder.Sorted(dir); err != nil {
		return "", err
	}
	files, err := picturefolder.Files(dir)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(filepath.Join(dir, picturefolder.ClassesFile)); err == nil {
		files = append(files, picturefolder.ClassesFile)
	}
	return s.Of(s.ctx, dir, files, nil)
}

func (s *digests) retain(dir string) (string, error) {
	pairs, err := picturefolder.Pairs(dir)
	if err != nil {
		return "", err
	}
	var files []string
	for _, pair := range pairs {
		files = append(files, pair.File, picturefolder.CaptionFile(pair.File))
	}
	return s.Of(s.ctx, dir, files, nil)
}
