// Package hf reads and writes models under the original libraries' tensor names: Hugging Face transformers and
// diffusers, OpenCLIP, torchvision and PEFT, in single and sharded safetensors files.
//
// The models of this module name their tensors as one of those libraries does. [Names] lists the other names in use, so
// that one model reads them all:
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

// Names describes the names of a model family's tensors in files.
type Names struct {
	// Layouts lists the layouts in use; Save writes the first one by default. An empty list means one layout without
	// rules.
	Layouts []Layout
	// Ignore lists patterns of tensors that files may have and the model does not use. A pattern is a whole name, in
	// which * matches any text.
	Ignore []string
	// Prefixes may precede every name of a file, in addition to the prefixes of training wrappers: "module.", "model.",
	// "state_dict.".
	Prefixes []string
}

// A Layout is one library's naming scheme.
type Layout struct {
	Name  string // the library: "transformers", "open_clip"
	Rules []Rule // the first rule that matches a tensor's own name applies; without a match the file has the own name
}

// A Rule renames tensors whose own name begins with Own: in the file, File replaces Own. A * in Own matches one part
// between dots; the first * of File is replaced by the match of the first * of Own, and so on.
type Rule struct {
	Own, File string
	// Parts, if positive, is the number of tensors that the file stacks along the first axis. This tensor has the
	// number Part.
	Part, Parts int
	// Transposed is set if the file has the transpose of the matrix.
	Transposed bool
}

// Source is the place of a tensor in a file.
type Source struct {
	Name        string
	Part, Parts int
	Transposed  bool
}

// Source returns the place of the tensor with the given own name in a file of the layout.
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

// matchStart matches the start of a name with a rule's pattern; rest is the remainder.
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

// matchWhole matches a whole name with a pattern in which * matches any text.
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

// everyFile lists buffers that files of many families have in addition to weights; models compute them themselves.
var everyFile = []string{"*position_ids", "*num_batches_tracked", "*rotary_emb.inv_freq"}

func (n Names) ignored(name string) bool {
	matches := func(pattern string) bool { return matchWhole(pattern, name) }
	return slices.ContainsFunc(n.Ignore, matches) || slices.ContainsFunc(everyFile, matches)
}

// layouts returns the layouts, at least one.
func (n Names) layouts() []Layout {
	if len(n.Layouts) == 0 {
		return []Layout{{}}
	}
	return n.Layouts
}

// layout returns the layout called name, or the first one if name is empty.
func (n Names) layout(name string) (Layout, bool) {
	for _, l := range n.layouts() {
		if l.Name == name || name == "" {
			return l, true
		}
	}
	return Layout{}, false
}

// prefixes returns the possible prefixes of names: none, one of the known ones, or two of them.
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

// spelling returns the spelling under which the file has most of the given tensors, the first of equal ones.
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

// variables returns the tensors below scope by their own names, except adapters, and the names in order.
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

// ownName returns a variable's path below scope with dots, in PyTorch's notation.
func ownName(scope *model.Scope, variable *model.Variable) string {
	below := strings.TrimPrefix(strings.TrimPrefix(variable.Path(), scope.Scope()), "/")
	return strings.ReplaceAll(below, "/", ".")
}

// pathOf returns the path of the variable or module with the given own name.
func pathOf(scope *model.Scope, own string) string {
	return model.JoinPath(scope.Scope(), strings.ReplaceAll(own, ".", "/"))
}
