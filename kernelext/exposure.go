package kernelext

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Exposure shows how likely a language model finds candidates after a prefix, and where the true one stands: the table
// of unlearnlab exposure, whose flags may follow. The model is the folder of a LLaVA or a Llama:
//
//	kx.Exposure("llama", "The job of Ann is", jobs, "--truth", "baker")
//	kx.Exposure("llava", "The job of the person is", jobs, "--image", "ann.png", "--truth", "baker")
//
// The command computes, so that a cell links no networks.
func Exposure(model, prefix string, candidates []string, flags ...string) {
	folder, err := os.MkdirTemp("", "exposure")
	if err != nil {
		fail(fmt.Errorf("exposure: %w", err))
		return
	}
	code, err := rankFrom(folder, model, prefix, candidates, flags)
	os.RemoveAll(folder) // before the cell may end
	if err != nil {
		fail(err)
		return
	}
	if code != 0 {
		exit(code)
	}
}

// rankFrom runs the command on a file that it writes into the folder.
func rankFrom(folder, model, prefix string, candidates, flags []string) (code int, err error) {
	if len(candidates) == 0 {
		return 0, fmt.Errorf("exposure: there are no candidates; give some, the true one among them")
	}
	path := filepath.Join(folder, "candidates.parquet")
	if err := safefile.WriteParquet(path, []safefile.Column{{Name: "candidate", Texts: candidates}}); err != nil {
		return 0, err
	}
	args := []string{"exposure", "--model", model, "--prefix", prefix, "--candidates", path}
	return verb(append(args, flags...)), nil
}
