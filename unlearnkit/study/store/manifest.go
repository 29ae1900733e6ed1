package store

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"time"
)

const manifestName = "manifest.json"

// A Manifest says what an artifact is, what it was made from and how.
//
// What a second run must give again stands first: key, stage, version, spec, inputs, notes and files. [Build] may
// explain a difference; [Run] is another one each time.
type Manifest struct {
	Key     Key                        `json:"key"`
	Stage   string                     `json:"stage"`
	Version int                        `json:"version"`
	Spec    json.RawMessage            `json:"spec"`
	Inputs  []Key                      `json:"inputs"` // the artifacts that it was made from, sorted
	Notes   map[string]json.RawMessage `json:"notes"`  // see Work.Note
	Files   map[string]File            `json:"files"`  // by their name with slashes
	Build   `json:"build"`
	Run     `json:"run"`
}

// A File is what the store knows of one file of an artifact.
type File struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Digest is what is known of a file with some content.
func Digest(content io.Reader) (File, error) {
	hash := sha256.New()
	size, err := io.Copy(hash, content)
	return File{size, hex.EncodeToString(hash.Sum(nil))}, err
}

// Compare says how content differs from what was stored, "" if it does not.
func (f File) Compare(content io.Reader) (difference string, err error) {
	found, err := Digest(content)
	switch {
	case err != nil:
		return "", err
	case found.Size != f.Size:
		return fmt.Sprintf("it has %d bytes, stored were %d", found.Size, f.Size), nil
	case found.SHA256 != f.SHA256:
		return fmt.Sprintf("its SHA-256 is %.12s…, stored was %.12s…", found.SHA256, f.SHA256), nil
	}
	return "", nil
}

// Build is the program that made an artifact and what it computed on.
type Build struct {
	Go      string `json:"go"`
	System  string `json:"system"`  // linux/amd64
	SIMD    string `json:"simd"`    // the instruction set that the backend used
	Backend string `json:"backend"` // go, xla:cpu, xla:cuda
	// the kind of processor, as it calls itself
	Processor string            `json:"processor"`
	Revision  string            `json:"revision"` // of the program's source, see [Revision]
	Modules   map[string]string `json:"modules"`  // path → version
}

// Run is what making an artifact cost. CPU time and memory are those of the whole process: of all that ran in it at the
// time.
type Run struct {
	Started    time.Time                  `json:"started"`
	Wall       float64                    `json:"wall_seconds"`
	CPU        float64                    `json:"cpu_seconds"`
	PeakMemory int64                      `json:"peak_memory_bytes"`
	Measured   map[string]json.RawMessage `json:"measured"` // see Work.Measure
}

// thisBuild is the running program.
func thisBuild(by madeBy) Build {
	b := Build{Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH, SIMD: cmp.Or(by.simd, Unknown),
		Backend: cmp.Or(by.backend, Unknown), Processor: processor(), Revision: Revision(),
		Modules: map[string]string{}}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, module := range append([]*debug.Module{&info.Main}, info.Deps...) {
		if module.Replace != nil {
			module = module.Replace
		}
		b.Modules[module.Path] = module.Version
	}
	return b
}

// sealed is a manifest as it is written: with the SHA-256 of its own canonical form.
type sealed struct {
	Manifest
	Sum Key `json:"sha256"`
}

// encode writes a manifest for people and seals it for [decodeManifest].
func (m Manifest) encode() ([]byte, error) {
	canonical, err := Canonical(m)
	if err != nil {
		return nil, err
	}
	content, err := json.MarshalIndent(sealed{m, sum(canonical)}, "", "\t")
	return append(content, '\n'), err
}

// decodeManifest reads a manifest and checks its seal and that its key is that of its spec.
func decodeManifest(content []byte, key Key) (Manifest, error) {
	var m sealed
	var members map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(content, &m), json.Unmarshal(content, &members)); err != nil {
		return Manifest{}, errors.New("it is not whole JSON")
	}
	delete(members, "sha256")
	if canonical, err := Canonical(members); err != nil || sum(canonical) != m.Sum {
		return Manifest{}, errors.New("it is not what was written")
	}
	id, computed, err := identify(Stage{m.Stage, m.Version}, m.Spec)
	if err != nil {
		return Manifest{}, err
	}
	if m.Key != key || computed != key {
		return Manifest{}, fmt.Errorf("it belongs to the artifact %.12s", string(computed))
	}
	m.Spec = id.Spec
	for _, facts := range []map[string]json.RawMessage{m.Notes, m.Measured} {
		for name, fact := range facts { // without the white space of the file
			if facts[name], err = Canonical(fact); err != nil {
				return Manifest{}, err
			}
		}
	}
	return m.Manifest, nil
}
