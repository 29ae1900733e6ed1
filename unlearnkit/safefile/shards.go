package safefile

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxIndexBytes limits the index of a sharded model: a million tensors.
const maxIndexBytes = 128 << 20

// OpenFolder opens the tensors of a model's folder: base.safetensors or, if base.safetensors.index.json exists instead,
// all the shards that it lists. Base is "model" for transformers, "diffusion_pytorch_model" for diffusers,
// "adapter_model" for PEFT, "open_clip_model" for OpenCLIP.
func OpenFolder(folder, base string) (*Tensors, error) {
	single := filepath.Join(folder, base+".safetensors")
	if _, err := os.Stat(single); err == nil {
		return Open(single)
	}
	index := single + ".index.json"
	if _, err := os.Stat(index); err != nil {
		return nil, nothingToOpen(folder, base)
	}
	places, err := parseFile(index, maxIndexBytes, parseIndex)
	if err != nil {
		return nil, err
	}
	return openShards(folder, index, places)
}

// nothingToOpen describes what a folder has instead of tensors.
func nothingToOpen(folder, base string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("read %s: %w", folder, WithoutPath(err))
	}
	var tensors, pickles []string
	for _, entry := range entries {
		switch ending := filepath.Ext(entry.Name()); {
		case ending == ".safetensors":
			tensors = append(tensors, entry.Name())
		case slices.Contains(pickleEndings, ending):
			pickles = append(pickles, entry.Name())
		}
	}
	problem := fmt.Sprintf("read %s: no %s.safetensors or %[2]s.safetensors.index.json", folder, base)
	switch {
	case len(tensors) > 0:
		return fmt.Errorf("%s; it has %s", problem, quotedList(tensors))
	case len(pickles) > 0:
		return fmt.Errorf("%s, only pickles, which can run any program when they are read, so they are not; convert "+
			"each once where you trust it: %s",
			problem, conversion(filepath.Join(folder, pickles[0])))
	}
	return errors.New(problem)
}

// parseIndex parses the index of a sharded model: the file of each tensor.
func parseIndex(content []byte) (map[string]string, error) {
	reader, err := newStrictJSON(content)
	if err != nil {
		return nil, err
	}
	places := map[string]string{}
	err = reader.object(func(key string) error {
		if key != "weight_map" {
			return reader.skip()
		}
		return reader.object(func(name string) error {
			shard, err := reader.text()
			if err != nil {
				return fmt.Errorf("tensor %.80q: %w", name, err)
			}
			// A backslash is a separator on some systems.
			if !fs.ValidPath(shard) || shard == "." || strings.ContainsAny(shard, `/\:`) {
				return fmt.Errorf("tensor %.80q: the shard %.80q is not a file's name in the same folder", name, shard)
			}
			places[name] = shard
			return nil
		})
	})
	switch {
	case err != nil:
		return nil, err
	case len(places) == 0:
		return nil, errors.New("its weight_map names no tensor")
	}
	return places, nil
}

// openShards opens every file in an index and checks that index and files agree.
func openShards(folder, index string, places map[string]string) (all *Tensors, err error) {
	all = &Tensors{path: index, stored: map[string]storedTensor{}, metadata: map[string]string{}}
	defer func() {
		if err != nil {
			all.Close() //nolint:errcheck // the first error is reported
			all = nil
		}
	}()
	for _, shard := range slices.Compact(slices.Sorted(maps.Values(places))) {
		path := filepath.Join(folder, shard)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return all, fmt.Errorf("read %s: the shard %.80q is missing", index, shard)
		}
		metadata, err := all.add(path)
		if err != nil {
			return all, err
		}
		maps.Copy(all.metadata, metadata)
	}
	all.sortNames()
	return all, checkPlaces(all, index, places)
}

func checkPlaces(all *Tensors, index string, places map[string]string) error {
	for _, name := range all.names {
		if _, named := places[name]; !named {
			return fmt.Errorf("read %s: tensor %.80q of the shard %.80q is not in its weight_map", index, name,
				filepath.Base(all.stored[name].path))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(places)) {
		shard := places[name]
		if s, ok := all.stored[name]; !ok || filepath.Base(s.path) != shard {
			return fmt.Errorf("read %s: tensor %.80q is not in the shard %.80q", index, name, shard)
		}
	}
	return nil
}
