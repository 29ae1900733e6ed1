package train

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profilefolder"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/internal/lab"
	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/preprocess"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// folders locates the published files. An empty field stands for the folder that was last used or imported.
type folders struct {
	Data   string // folder of the data set
	Models string // folder with one subfolder per published model
}

// modelsData is the name under which the store records the models' folder.
const modelsData = "remem/models"

// localDownload is a download whose files were found, with their digests.
type localDownload struct {
	remem.Download
	digests *lab.Digests
}

// findDownload locates the published files and computes their digests. Files that are new or have changed are read
// completely, and their folders are printed to progress. The data set and at least one model are required.
func findDownload(ctx context.Context, s *store.Store, f folders, progress io.Writer) (*localDownload, error) {
	known, err := s.Data()
	if err != nil {
		return nil, err
	}
	if f.Data == "" {
		f.Data = known[profilefolder.Rows.Name()]
	}
	if f.Models == "" {
		f.Models = known[modelsData]
	}
	switch {
	case f.Data == "":
		return nil, errors.New("the preset paper reads the published data: give --data DIR with ReMem, or " +
			"import it")
	case f.Models == "":
		return nil, fmt.Errorf("the preset paper starts from the published models: give --models DIR with folders %s",
			strings.Join(remem.Models, ", "))
	}
	found := &localDownload{remem.Download{Models: map[string]string{}}, &lab.Digests{Store: s, Progress: progress}}
	if err := found.data(ctx, f.Data); err != nil {
		return nil, err
	}
	if err := found.models(ctx, f.Models); err != nil {
		return nil, err
	}
	return found, lab.Remember(s, map[string]string{profilefolder.Rows.Name(): f.Data, modelsData: f.Models})
}

// data computes the digest of the data set. If the data set is new, it is checked first.
func (f *localDownload) data(ctx context.Context, dir string) error {
	set, err := profilefolder.Open(dir)
	if err != nil {
		return err
	}
	defer set.Close()
	if set.Kind != profilefolder.Rows {
		return fmt.Errorf("read %s: it holds %s; the study is of ReMem", dir, set.Kind.Title())
	}
	files, err := set.Files()
	if err != nil {
		return err
	}
	f.People = len(set.People)
	f.Data, err = f.digests.Of(ctx, dir, files, func() error {
		report, err := profilefolder.Check(ctx, dir, false)
		if err != nil {
			return err
		}
		for _, finding := range report.Findings {
			if finding.Severity == "error" {
				return fmt.Errorf("%s; unlearnlab data import remem %s lists all that is wrong", finding.What, dir)
			}
		}
		return nil
	})
	return err
}

// models computes the digests of the models in a folder.
func (f *localDownload) models(ctx context.Context, dir string) error {
	for _, name := range remem.Models {
		folder := filepath.Join(dir, name)
		if _, err := os.Stat(folder); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if _, err := os.Stat(filepath.Join(folder, lab.ConfigFile)); err != nil {
			return fmt.Errorf("read %s: the file is missing; it is published next to the weights",
				filepath.Join(folder, lab.ConfigFile))
		}
		if _, err := lab.ReadConfig(folder, llava.ParseConfig); err != nil {
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
			strings.Join(remem.Models, ", "))
	}
	return nil
}

// openPublished opens a published data set. Its pictures are read when they are needed.
func (l *Lab) openPublished(spec remem.World) (*people, error) {
	folder, err := l.found.digests.Folder(spec.Data)
	if err != nil {
		return nil, err
	}
	set, err := profilefolder.Open(folder)
	if err != nil {
		return nil, err
	}
	private := &group{Set: set.Set(), picture: func(identity, number int) (preprocess.Image, error) {
		read, err := set.Picture(identity, number)
		if err != nil {
			return preprocess.Image{}, err
		}
		return preprocess.Image{Width: read.Width, Height: read.Height, Pixels: read.Pix}, nil
	}}
	private.shape = func(s profile.Shape) ([]profile.Record, error) {
		if s != profile.FullShape {
			return nil, fmt.Errorf("the published questions have one shape; %q is of small worlds", s.Name)
		}
		return private.Of(profile.Train), nil
	}
	return &people{seed: spec.Seed, private: private}, nil
}

// Publish records a published model as an artifact, after checking its tensors against its configuration.
func (l *Lab) Publish(_ context.Context, spec remem.PublishedSpec, _ study.Inputs, w *store.Work,
	_ study.Progress) error {
	d, err := l.Device(w)
	if err != nil {
		return err
	}
	folder, err := l.found.digests.Folder(spec.Model)
	if err != nil {
		return err
	}
	m, err := load(d, standing{folder: folder, published: true})
	if err != nil {
		return err
	}
	defer m.store.Finalize()
	return lab.KeepPublished(w, m.scope(), spec)
}
