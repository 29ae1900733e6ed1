package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/speechfolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/unslu"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

// folders locates the published files. Data sets that are not in Data are read from the folders that they were imported
// from. If Models is empty, the folder of the last call is used.
type folders struct {
	Data   string // folder of a data set, or a folder with several of them
	Models string // a folder with one subfolder per published model
}

// modelsData is the name under which the store records the models' folder.
const modelsData = "unslu/models"

// localDownload is a download whose folders were found, with digests of their files.
type localDownload struct {
	unslu.Download
	digests *lab.Digests
}

// findDownload locates the published files and computes their digests. Files that are new or have changed are read
// completely, and their folders are printed to progress. Missing files are left out. At least one benchmark must have
// both its data set and its model.
func findDownload(ctx context.Context, s *store.Store, f folders, progress io.Writer) (*localDownload, error) {
	known, err := s.Data()
	if err != nil {
		return nil, err
	}
	found := &localDownload{unslu.Download{Data: map[speechfolder.Kind]string{}, Models: map[string]string{}},
		&lab.Digests{Store: s, Progress: progress}}
	sets, err := dataSets(f.Data, known)
	if err != nil {
		return nil, err
	}
	if f.Models == "" {
		f.Models = known[modelsData]
	}
	if f.Models == "" {
		return nil, fmt.Errorf("the preset paper starts from the published models: give --models DIR with folders %s",
			strings.Join(unslu.Models, ", "))
	}
	if err := found.models(ctx, f.Models); err != nil {
		return nil, err
	}
	folders := map[string]string{modelsData: f.Models}
	for kind, set := range sets {
		defer set.Close()
		folders[kind.Name()] = set.Dir
	}
	for _, kind := range speechfolder.Kinds {
		if sets[kind] == nil {
			continue
		}
		if found.Data[kind], err = found.set(ctx, sets[kind]); err != nil {
			return nil, err
		}
	}
	if len(unslu.Paper(found.Download).Benchmarks) == 0 {
		return nil, fmt.Errorf("no benchmark has both its data set and its model: there are %s and %s in %s",
			list(sets), strings.Join(slices.Sorted(maps.Keys(found.Models)), ", "), f.Models)
	}
	return found, lab.Remember(s, folders)
}

func list(sets map[speechfolder.Kind]*speechfolder.Folder) string {
	var titles []string
	for _, kind := range speechfolder.Kinds {
		if sets[kind] != nil {
			titles = append(titles, kind.Title())
		}
	}
	return strings.Join(titles, ", ")
}

// dataSets opens the data sets in a folder, and the data sets that were imported from other folders.
func dataSets(dir string, known map[string]string) (map[speechfolder.Kind]*speechfolder.Folder, error) {
	sets := map[speechfolder.Kind]*speechfolder.Folder{}
	if dir != "" {
		for _, folder := range speechfolder.Find(dir) {
			set, err := speechfolder.Open(folder, speechfolder.Options{})
			if err != nil {
				return nil, err
			}
			if other := sets[set.Kind]; other != nil {
				return nil, fmt.Errorf("read %s: it has %s twice, in %s and in %s; give the folder of one", dir,
					set.Kind.Title(), other.Dir, set.Dir)
			}
			sets[set.Kind] = set
		}
	}
	for _, kind := range speechfolder.Kinds {
		folder := known[kind.Name()]
		if sets[kind] != nil || folder == "" {
			continue
		}
		set, err := speechfolder.Open(folder, speechfolder.Options{})
		if err != nil {
			return nil, fmt.Errorf("%w; %s was there the last time; give --data DIR if it has moved", err,
				kind.Title())
		}
		sets[kind] = set
	}
	if len(sets) == 0 {
		return nil, errors.New("the preset paper reads the published data: give --data DIR with Fluent Speech " +
			"Commands, SLURP, ITALIC or Speech-MASSIVE, or import them one by one")
	}
	return sets, nil
}

// set returns the digest of a data set. If the data set is new, it is checked first.
func (f *localDownload) set(ctx context.Context, set *speechfolder.Folder) (string, error) {
	files, err := set.Files()
	if err != nil {
		return "", err
	}
	return f.digests.Of(ctx, set.Dir, files, func() error {
		report, err := speechfolder.Check(ctx, set.Dir, false)
		if err != nil {
			return err
		}
		for _, finding := range report.Findings {
			if finding.Severity == "error" {
				return fmt.Errorf("%s; unlearnlab data import unslu %s lists all that is wrong", finding.What, set.Dir)
			}
		}
		return nil
	})
}

// models computes the digests of the models in a folder.
func (f *localDownload) models(ctx context.Context, dir string) error {
	for _, name := range unslu.Models {
		folder := filepath.Join(dir, name)
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := checkFamily(folder, name); err != nil {
			return err
		}
		files, err := weights.Files(folder)
		if err == nil {
			f.Models[name], err = f.digests.Of(ctx, folder, append([]string{lab.ConfigFile}, files...), nil)
		}
		if err != nil {
			return err
		}
	}
	if len(f.Models) == 0 {
		return fmt.Errorf("read %s: none of the published models is there; looked for folders %s", dir,
			strings.Join(unslu.Models, ", "))
	}
	return nil
}

// weights holds the names of the weight files of a published model.
var weights = lab.Weights{Base: "model", Converted: "pytorch_model.safetensors"}

// everyConvolution is the value of feat_extract_norm for which every convolution has a norm over channels, as in XLS-R
// and XLSR-53.
const everyConvolution = "layer"

// checkFamily returns an error if the configuration in a folder does not have the architecture of the model called
// name.
func checkFamily(folder, name string) error {
	if _, err := os.Stat(filepath.Join(folder, lab.ConfigFile)); err != nil {
		return fmt.Errorf("read %s: the file is missing; it is published next to the weights",
			filepath.Join(folder, lab.ConfigFile))
	}
	config, err := lab.ReadConfig(folder, wav2vec2.ParseConfig)
	if err != nil {
		return err
	}
	want := wav2vec2.XLSR300M()
	switch name {
	case unslu.Wav2Vec2Base:
		want = wav2vec2.Base()
	case unslu.HuBERTBase:
		want = wav2vec2.HubertBase()
	}
	family := func(c wav2vec2.Config) string {
		return fmt.Sprintf("%s with the norms %q of convolutions and do_stable_layer_norm %v", c.ModelType,
			c.FeatExtractNorm, c.DoStableLayerNorm)
	}
	switch {
	case family(config) != family(want):
		return fmt.Errorf("read %s: it is %s, but %s is %s", folder, family(config), name, family(want))
	case config.NumLabels > 0:
		return fmt.Errorf("read %s: it already has a head for %d classes; download %s as it was pre-trained", folder,
			config.NumLabels, name)
	}
	return nil
}
