package safefile

import (
	"archive/zip"
	"bytes"
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// withAdvice replaces the error of a file that is a pickle with advice on how to convert it. A pickle is a program,
// which reading would run.
func withAdvice(err error, path string, content []byte) error {
	if !isPickle(content) {
		return err
	}
	return fmt.Errorf("a pickle, which can run any program when it is read, so it is not; convert it once where you "+
		"trust it: %s", conversion(path))
}

// isPickle recognizes torch.save's archives and bare pickles of protocol 2 and later by their content. Call it only for
// files that are not safetensors: a header of 640 bytes begins like a pickle.
func isPickle(content []byte) bool {
	if bytes.HasPrefix(content, []byte("PK")) {
		archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		if err != nil {
			return false
		}
		for _, file := range archive.File {
			if path.Base(file.Name) == "data.pkl" {
				return true
			}
		}
		return false
	}
	return len(content) > 2 && content[0] == 0x80 && content[1] >= 2 && content[1] <= 5 &&
		!(len(content) > 8 && content[8] == '{')
}

// pickleEndings lists the usual endings of PyTorch checkpoints.
var pickleEndings = []string{".bin", ".pt", ".pth", ".ckpt", ".pkl"}

// conversion returns a command that writes the checkpoint as safetensors next to itself. The command separates tensors
// that share memory, and extracts the state from a training checkpoint.
func conversion(from string) string {
	if strings.ContainsAny(from, "'\"\\$`!") {
		from = "FILE"
	}
	to := strings.TrimSuffix(from, filepath.Ext(from)) + ".safetensors"
	if to == from {
		to += ".converted"
	}
	return fmt.Sprintf(`python -c "import torch, safetensors.torch as s; `+
		`d = torch.load('%s', map_location='cpu', weights_only=True); `+
		`s.save_file({k: v.clone().contiguous() for k, v in d.get('state_dict', d).items() if torch.is_tensor(v)}, `+
		`'%s')"`, from, to)
}
