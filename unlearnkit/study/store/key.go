package store

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
)

// Key names an artifact: a SHA-256 in 64 hexadecimal digits.
type Key string

// check returns an error for an invalid key. Call it before a key becomes part of a path.
func (k Key) check() error {
	digest, err := hex.DecodeString(string(k))
	if err != nil || len(digest) != sha256.Size || hex.EncodeToString(digest) != string(k) {
		return fmt.Errorf("%.80q is not a key: a key has 64 hexadecimal digits", string(k))
	}
	return nil
}

// short returns the beginning of the key, for messages.
func (k Key) short() string { return string(k[:min(12, len(k))]) }

// A Stage is one kind of work. Its version must be increased whenever it would make something else from the same spec.
type Stage struct {
	Name    string // name, such as "salmu/train"
	Version int
}

// identity is the value whose hash is an artifact's key.
type identity struct {
	Stage   string          `json:"stage"`
	Version int             `json:"version"`
	Spec    json.RawMessage `json:"spec"`
}

func identify(stage Stage, spec any) (identity, Key, error) {
	if stage.Name == "" {
		return identity{}, "", errors.New("a stage needs a name")
	}
	canonical, err := Canonical(spec)
	if err != nil {
		return identity{}, "", fmt.Errorf("the spec of %s: %w", stage.Name, err)
	}
	id := identity{stage.Name, stage.Version, canonical}
	name, err := Canonical(stage.Name)
	if err != nil {
		return identity{}, "", fmt.Errorf("the stage %.80q: %w", stage.Name, err)
	}
	// this is the canonical form of id, written without parsing the spec again
	return id, sum(fmt.Appendf(nil, `{"spec":%s,"stage":%s,"version":%d}`, canonical, name, stage.Version)), nil
}

// KeyOf returns the key of what a stage makes from a spec: the SHA-256 of the [Canonical] form of {"spec", "stage",
// "version"}. Specs with equal JSON have equal keys, regardless of their types and the order of their fields.
func KeyOf(stage Stage, spec any) (Key, error) {
	_, key, err := identify(stage, spec)
	return key, err
}

func sum(content []byte) Key {
	digest := sha256.Sum256(content)
	return Key(hex.EncodeToString(digest[:]))
}
