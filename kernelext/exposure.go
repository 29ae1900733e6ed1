package kernelext

import (
	"errors"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Exposure shows how likely candidates after a prefix are to a language model, and the rank of the true one. It prints
// the table of unlearnlab exposure, whose flags may follow. model is the folder of a LLaVA or Llama model:
//
//	kx.Exposure("llama", "The job of Ann is", jobs, "--truth", "baker")
//	kx.Exposure("llava", "The job of the person is", jobs, "--image", "ann.png", "--truth", "baker")
//
// The command does the computing, so a cell links no networks.
func Exposure(model, prefix string, candidates []string, flags ...string) {
	attackFiles("exposure", func(folder string) ([]string, error) {
		if len(candidates) == 0 {
			return nil, errors.New("there are no candidates; give some, the true one among them")
		}
		path := filepath.Join(folder, "candidates.parquet")
		if err := safefile.WriteParquet(path, []safefile.Column{{Name: "candidate", Texts: candidates}}); err != nil {
			return nil, err
		}
		return append([]string{"exposure", "--model", model, "--prefix", prefix, "--candidates", path}, flags...), nil
	})
}
