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

// A Manifest describes an artifact, its inputs and its making.
//
// The fields that a second run must reproduce come first: key, stage, version, spec, inputs, notes and files. [Build]
// may explain a difference; [Run] is different each time.
type Manifest struct {
	Key     Key                        `json:"key"`
	Stage   string                     `json:"stage"`
	Version int                        `json:"version"`
	Spec    json.RawMessage            `json:"spec"`
	Inputs  []Key                      `json:"inputs"` // keys of the artifacts used as inputs, sorted
	Notes   map[string]json.RawMessage `json:"notes"`  // values recorded by Work.Note
	Files   map[string]File            `json:"files"`  // size and digest by file name, with slashes between folders
	Build   `json:"build"`
	Run     `json:"run"`
}

// A File holds the size and digest of one file of an artifact.
type File struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// digestOf returns the size and digest of content.
func digestOf(content io.Reader) (File, error) {
	hash := sha256.New()
	size, err := io.Copy(hash, content)
	return File{size, hex.EncodeToString(hash.Sum(nil))}, err
}

// Compare describes how content differs from what was stored, or returns "" if it does not.
func (f File) Compare(content io.Reader) (difference string, err error) {
	found, err := digestOf(content)
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

// Build describes the program that made an artifact and the device that it ran on.
type Build struct {
	Go      string `json:"go"`
	System  string `json:"system"`  // operating system and architecture, such as linux/amd64
	SIMD    string `json:"simd"`    // instruction set that the backend used
	Backend string `json:"backend"` // go, xla:cpu or xla:cuda
	// model name of the processor
	Processor string            `json:"processor"`
	Revision  string            `json:"revision"` // commit of the program's source, see [Revision]
	Modules   map[string]string `json:"modules"`  // version of each module path
}

// Run holds the cost of making an artifact. CPU time and memory are of the whole process, including anything else that
// ran in it.
type Run struct {
	Started    time.Time                  `json:"started"`
	Wall       float64                    `json:"wall_seconds"`
	CPU        float64                    `json:"cpu_seconds"`
	PeakMemory int64                      `json:"peak_memory_bytes"`
	Measured   map[string]json.RawMessage `json:"measured"` // values recorded by Work.Measure
}

// thisBuild describes the running program.
func thisBuild(by device) Build {
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

// sealedManifest is a manifest together with its seal, the SHA-256 of its canonical form.
type sealedManifest struct {
	Manifest
	Sum Key `json:"sha256"`
}

// encode returns the manifest with its seal, as indented JSON for [decodeManifest].
func (m Manifest) encode() ([]byte, error) {
	canonical, err := Canonical(m)
	if err != nil {
		return nil, err
	}
	content, err := json.MarshalIndent(sealedManifest{m, sum(canonical)}, "", "\t")
	return append(content, '\n'), err
}

// decodeManifest parses a manifest, checks its seal, and checks that its spec gives the key.
func decodeManifest(content []byte, key Key) (Manifest, error) {
	var m sealedManifest
	var members map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal(content, &m), json.Unmarshal(content, &members)); err != nil {
		return Manifest{}, errors.New("it is not whole JSON")
	}
	delete(members, "sha256")
	if canonical, err := Canonical(members); err != nil || sum(canonical) != m.Sum {
		return Manifest{}, errors.New("its content has changed since it was written")
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
		for name, fact := range facts { // remove the white space that indentation added
			if facts[name], err = Canonical(fact); err != nil {
				return Manifest{}, err
			}
		}
	}
	return m.Manifest, nil
}
