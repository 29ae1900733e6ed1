// Package hf reads and writes models with the tensor names of the original libraries: Hugging Face transformers and
// diffusers, OpenCLIP, torchvision and PEFT. Files are safetensors, single or sharded.
//
// The models in this module name their tensors like one of these libraries. [Names] describes other names in use, so
// that a model can be read from all of them:
//
//	folder, err := hf.Open("clip-vit-base-patch32")       // what is it?
//	config, err := clip.ParseConfig(folder.Config)
//	err = config.Trace(d, store)                          // now the store knows every tensor's shape
//	report, err := hf.Load(store.RootScope(), folder.Tensors, config.Names())
package hf

import (
	"slices"
	"strings"

	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Names describes how files name a model family's tensors.
type Names struct {
	// Layouts lists the layouts in use, of which Save writes the first by default. An empty list stands for one layout
	// without rules.
	Layouts []Layout
	// Ignore lists patterns of tensors that may be in a file although the model does not use them. A pattern matches a
	// whole name, and * matches any text.
	Ignore []string
	// Prefixes lists possible prefixes of all names in a file, in addition to those of training wrappers: "module.",
	// "model." and "state_dict.".
	Prefixes []string
}

// A Layout is a library's way of naming tensors.
type Layout struct {
	Name  string // library, such as "transformers" or "open_clip"
	Rules []Rule // the first rule that matches the own name applies; without a match, the name is the same in the file
}

// A Rule renames tensors whose own name begins with Own: in the file, they begin with File instead. Each * in Own
// matches one part between dots, and replaces the * in File that has the same position.
type Rule struct {
	Own, File string
	// Parts, if positive, is the number of tensors that the file stacks along the first axis. This tensor has the index
	// Part.
	Part, Parts int
	// Transposed is set if the file contains the transposed matrix.
	Transposed bool
}

// Source is the place of a tensor in a file.
type Source struct {
	Name        string
	Part, Parts int
	Transposed  bool
}

// Source returns a tensor's place in a file with this layout, given the tensor's own name.
func (l Layout) Source(own string) Source {
	for _, rule := range l.Rules {
		if stars, rest, ok := matchStart(rule.Own, own); ok {
			name := rule.File
			for _, star := range stars {
				name = strings.Replace(name, "*", star, 1)
			}
			return Source{name + rest, rule.Part, max(rule.Parts, 1), rule.Transposed}
		}
	}
	return Source{Name: own, Parts: 1}
}

// matchStart matches a rule's pattern with the start of a name. It returns the matches of * and the rest of the name.
func matchStart(pattern, name string) (stars []string, rest string, ok bool) {
	rest = name
	for {
		literal, more, starred := strings.Cut(pattern, "*")
		if rest, ok = strings.CutPrefix(rest, literal); !ok || !starred {
			return stars, rest, ok
		}
		part, _, _ := strings.Cut(rest, ".")
		if part == "" {
			return nil, "", false
		}
		stars, rest, pattern = append(stars, part), rest[len(part):], more
	}
}

// matchWhole reports whether a whole name matches a pattern, in which * matches any text.
func matchWhole(pattern, name string) bool {
	literal, more, starred := strings.Cut(pattern, "*")
	if !starred {
		return name == pattern
	}
	rest, ok := strings.CutPrefix(name, literal)
	if !ok {
		return false
	}
	for i := range len(rest) + 1 {
		if matchWhole(more, rest[i:]) {
			return true
		}
	}
	return false
}

// everyFile lists buffers that many families store with the weights. Models compute them.
var everyFile = []string{"*position_ids", "*num_batches_tracked", "*rotary_emb.inv_freq"}

func (n Names) ignored(name string) bool {
	matches := func(pattern string) bool { return matchWhole(pattern, name) }
	return slices.ContainsFunc(n.Ignore, matches) || slices.ContainsFunc(everyFile, matches)
}

// layouts returns n.Layouts, or one zero Layout if it is empty.
func (n Names) layouts() []Layout {
	if len(n.Layouts) == 0 {
		return []Layout{{}}
	}
	return n.Layouts
}

// layout returns the layout with a name, or the first one if the name is "".
func (n Names) layout(name string) (Layout, bool) {
	for _, l := range n.layouts() {
		if l.Name == name || name == "" {
			return l, true
		}
	}
	return Layout{}, false
}

// prefixes returns the possible prefixes of names: "", a known prefix, or two of them.
func (n Names) prefixes() []string {
	single := append([]string{""}, n.Prefixes...)
	single = append(single, "module.", "model.", "state_dict.")
	all := slices.Clone(single)
	for _, outer := range single[1:] {
		for _, inner := range single[1:] {
			if inner != outer {
				all = append(all, outer+inner)
			}
		}
	}
	return all
}

// spelling is a layout with a prefix.
type spelling struct {
	Layout
	prefix string
}

func (s spelling) source(own string) Source {
	source := s.Source(own)
	source.Name = s.prefix + source.Name
	return source
}

// spelling returns the spelling with which the file has the most tensors. If several are equal, it returns the first.
func (n Names) spelling(file *safefile.Tensors, own []string) (best spelling, found int) {
	best = spelling{Layout: n.layouts()[0]}
	for _, layout := range n.layouts() {
		for _, prefix := range n.prefixes() {
			tried, has := spelling{layout, prefix}, 0
			for _, name := range own {
				if _, ok := file.Tensor(tried.source(name).Name); ok {
					has++
				}
			}
			if has > found {
				best, found = tried, has
			}
		}
	}
	return best, found
}

// variables returns the tensors below scope by own name, without adapters, and the sorted names.
func variables(scope *model.Scope) (byName map[string]*model.Variable, names []string) {
	byName = map[string]*model.Variable{}
	for variable := range scope.IterVariables() {
		name := ownName(scope, variable)
		if !isAdapter(name) {
			byName[name] = variable
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return byName, names
}

// ownName returns a variable's path below scope with dots, as in PyTorch.
func ownName(scope *model.Scope, variable *model.Variable) string {
	below := strings.TrimPrefix(strings.TrimPrefix(variable.Path(), scope.Scope()), "/")
	return strings.ReplaceAll(below, "/", ".")
}

// pathOf returns the path of a variable or module, given its own name.
func pathOf(scope *model.Scope, own string) string {
	return model.JoinPath(scope.Scope(), strings.ReplaceAll(own, ".", "/"))
}
