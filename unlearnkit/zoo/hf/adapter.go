package hf

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// Suffixes of the two matrices of an adapted layer in PEFT's names.
const (
	downward = ".lora_A.weight" // [rank, in]
	upward   = ".lora_B.weight" // [out, rank]
	// wrapperPrefix is the prefix of all names in PEFT's files.
	wrapperPrefix = "base_model.model."
)

func isAdapter(name string) bool {
	return strings.HasSuffix(name, downward) || strings.HasSuffix(name, upward)
}

// adapterConfig holds the fields in PEFT's adapter_config.json that affect the forward pass.
type adapterConfig struct {
	Type         string         `json:"peft_type"`
	Task         string         `json:"task_type,omitempty"`
	Rank         int            `json:"r"`
	Alpha        float64        `json:"lora_alpha"`
	Dropout      float64        `json:"lora_dropout"`
	Bias         string         `json:"bias"`
	Targets      any            `json:"target_modules"`
	Saved        []string       `json:"modules_to_save,omitempty"`
	RankPattern  map[string]any `json:"rank_pattern,omitempty"`
	AlphaPattern map[string]any `json:"alpha_pattern,omitempty"`
	RootScale    bool           `json:"use_rslora"`
	Decomposed   bool           `json:"use_dora"`
	Transposed   bool           `json:"fan_in_fan_out"`
}

// check returns an error if an option that changes the forward pass is not implemented.
func (c adapterConfig) check() error {
	switch {
	case c.Type != "LORA":
		return fmt.Errorf("peft_type is %q, only LORA is read", c.Type)
	case c.Rank < 1 || c.Rank > 1<<16:
		return fmt.Errorf("the rank r is %d", c.Rank)
	case c.Bias != "none" && c.Bias != "":
		return fmt.Errorf("bias is %q, only none is read", c.Bias)
	case len(c.RankPattern)+len(c.AlphaPattern) > 0:
		return fmt.Errorf("rank_pattern and alpha_pattern are not read")
	case c.Decomposed || c.Transposed:
		return fmt.Errorf("use_dora and fan_in_fan_out are not read")
	}
	return nil
}

// AdapterFormat determines how SaveAdapter writes adapters.
type AdapterFormat struct {
	LoRA   nn.LoRA // rank and alpha of the adapters
	Layout string  // layout of names; "" for the family's first layout
	// Trained lists modules that were trained completely and whose tensors are also written. It uses their names in
	// this program, such as "multi_modal_projector".
	Trained []string
}

// SaveAdapter writes the adapters below scope to an existing folder in PEFT's format: adapter_config.json and
// adapter_model.safetensors.
func SaveAdapter(scope *model.Scope, dir string, names Names, format AdapterFormat) error {
	layout, ok := names.layout(format.Layout)
	if !ok {
		return fmt.Errorf("write %s: the model's names have no layout %q", dir, format.Layout)
	}
	config := adapterConfig{Type: "LORA", Rank: format.LoRA.Rank, Alpha: format.LoRA.Alpha, Bias: "none"}
	var all []safefile.TensorData
	targets := []string{}
	for variable := range scope.IterVariables() {
		name := ownName(scope, variable)
		file := layout.Source(name).Name
		module, isDownward := strings.CutSuffix(name, downward)
		switch {
		case isDownward:
			file = moduleName(layout, module) + downward
			targets = append(targets, moduleName(layout, module))
		case isAdapter(name):
			file = moduleName(layout, strings.TrimSuffix(name, upward)) + upward
		case !slices.ContainsFunc(format.Trained, func(module string) bool {
			return strings.HasPrefix(name, module+".")
		}):
			continue
		}
		data, err := content(variable)
		if err != nil {
			return fmt.Errorf("write %s: %w", dir, err)
		}
		all = append(all, safefile.TensorOfBytes(wrapperPrefix+file, fileTypes[variable.DType()],
			variable.Shape().Dimensions,
			data))
	}
	if len(targets) == 0 {
		return fmt.Errorf("write %s: the model has no adapters", dir)
	}
	slices.Sort(targets)
	config.Targets = targets
	for _, module := range format.Trained {
		config.Saved = append(config.Saved, strings.TrimSuffix(layout.Source(module+".").Name, "."))
	}
	if err := safefile.WriteTensors(filepath.Join(dir, "adapter_model.safetensors"), all,
		map[string]string{"format": "pt"}); err != nil {
		return err
	}
	return writeJSON(filepath.Join(dir, "adapter_config.json"), config)
}

// moduleName returns a layout's name for the module with a weight.
func moduleName(layout Layout, own string) string {
	return strings.TrimSuffix(layout.Source(own+".weight").Name, ".weight")
}

// LoadAdapter reads a folder in PEFT's format. Linear layers below scope get the folder's adapters, as explained at
// [nn.Adapt], and modules that were trained completely get their tensors. The model's own tensors must be known, as for
// [Load]. Graphs built afterwards use the adapters.
func LoadAdapter(scope *model.Scope, dir string, names Names) (Report, error) {
	path := filepath.Join(dir, "adapter_config.json")
	text, err := readConfig(path)
	if err != nil {
		return Report{}, err
	}
	var config adapterConfig
	if err := json.Unmarshal(text, &config); err != nil {
		return Report{}, fmt.Errorf("read %s: %w", path, err)
	}
	if err := config.check(); err != nil {
		return Report{}, fmt.Errorf("read %s: %w", path, err)
	}
	file, err := safefile.OpenFolder(dir, "adapter_model")
	if err != nil {
		return Report{}, err
	}
	defer file.Close()
	report, err := adapt(scope, file, names, config)
	if err != nil {
		return Report{}, fmt.Errorf("read %s: %w", dir, err)
	}
	return report, nil
}

// piece is a tensor in an adapter's file and the model's tensor to which it belongs.
type piece struct {
	own        string // name of the layer for an adapter's matrix, otherwise of the tensor
	suffix     string // downward, upward, or "" for a tensor of the model
	dimensions []int
}

func adapt(scope *model.Scope, file *safefile.Tensors, names Names, config adapterConfig) (Report, error) {
	byName, own := variables(scope)
	layout, pieces, problems := assign(file, names, byName, own, config.Rank)
	layers := map[string]int{}
	for _, p := range pieces {
		if p.suffix != "" {
			layers[p.own]++
		}
	}
	for _, layer := range slices.Sorted(maps.Keys(layers)) {
		if layers[layer] != 2 {
			problems.missing = append(problems.missing, "the other matrix of "+layer)
		}
	}
	if err := problems.err(); err != nil {
		return Report{}, err
	}
	above, targets, err := common(layers, byName)
	if err != nil {
		return Report{}, err
	}
	alpha := config.Alpha
	if config.RootScale { // alpha/√rank instead of alpha/rank
		alpha *= math.Sqrt(float64(config.Rank))
	}
	report := Report{Layout: layout, Prefix: wrapperPrefix, Tensors: len(pieces), Adapted: pathOf(scope, above)}
	for _, name := range slices.Sorted(maps.Keys(pieces)) {
		p := pieces[name]
		variable := byName[p.own]
		if p.suffix != "" {
			variable = matrix(scope, p, byName[p.own+".weight"])
		}
		if err := set(variable, file, Source{Name: name, Parts: 1}); err != nil {
			return Report{}, err
		}
		report.Parameters += variable.Shape().Size()
		if err := report.warn(file, name); err != nil {
			return Report{}, err
		}
	}
	nn.Adapt(scope.Store().Scope(report.Adapted), nn.LoRA{Rank: config.Rank, Alpha: alpha, Targets: targets})
	return report, nil
}

// common returns the deepest module that contains all given layers, and the last parts of their names. It returns an
// error if the module has other layers with one of these names.
func common(layers map[string]int, byName map[string]*model.Variable) (above string, targets []string, err error) {
	var parents []string
	for i, layer := range slices.Sorted(maps.Keys(layers)) {
		parts := strings.Split(layer, ".")
		last := len(parts) - 1
		if !slices.Contains(targets, parts[last]) {
			targets = append(targets, parts[last])
		}
		if i == 0 {
			parents = parts[:last]
		}
		same := 0
		for same < min(len(parents), last) && parents[same] == parts[same] {
			same++
		}
		parents = parents[:same]
	}
	above = strings.Join(parents, ".")
	for name, variable := range byName {
		layer, isWeight := strings.CutSuffix(name, ".weight")
		called := slices.Contains(targets, layer[strings.LastIndex(layer, ".")+1:])
		if below := above == "" || strings.HasPrefix(name, above+"."); isWeight && below && called &&
			variable.Shape().Rank() == 2 && layers[layer] == 0 {
			return "", nil, fmt.Errorf("it adapts some layers of %s but not %s; all layers of one name, or none, can "+
				"be adapted", above, layer)
		}
	}
	return above, targets, nil
}

// assign finds the target of each tensor in the file, with the layout to which most of the tensors belong.
func assign(file *safefile.Tensors, names Names, byName map[string]*model.Variable, own []string,
	rank int) (layout string, pieces map[string]piece, problems faults) {
	for i, candidate := range names.layouts() {
		known := map[string]piece{}
		for _, name := range own {
			source, dimensions := candidate.Source(name), byName[name].Shape().Dimensions
			if source.Parts > 1 || source.Transposed {
				continue // this model cannot represent adapters of stacked matrices
			}
			known[wrapperPrefix+source.Name] = piece{own: name, dimensions: dimensions}
			if module, isWeight := strings.CutSuffix(name, ".weight"); isWeight && len(dimensions) == 2 {
				inFile := wrapperPrefix + strings.TrimSuffix(source.Name, ".weight")
				known[inFile+downward] = piece{module, downward, []int{rank, dimensions[1]}}
				known[inFile+upward] = piece{module, upward, []int{dimensions[0], rank}}
			}
		}
		var faulty faults
		found := map[string]piece{}
		for _, name := range file.Names() {
			if p, ok := known[name]; ok {
				found[name] = p
				faulty.compare(file, Source{Name: name, Parts: 1}, p.dimensions)
			} else {
				faulty.extra = append(faulty.extra, name)
			}
		}
		if i == 0 || len(found) > len(pieces) {
			layout, pieces, problems = candidate.Name, found, faulty
		}
	}
	return layout, pieces, problems
}

// matrix returns the variable for an adapter's matrix, with the type of the layer's weight.
func matrix(scope *model.Scope, p piece, weight *model.Variable) *model.Variable {
	path := pathOf(scope, p.own+p.suffix)
	if variable := scope.Store().GetVariable(path); variable != nil {
		return variable
	}
	shape := weight.Shape().Clone()
	shape.Dimensions = p.dimensions
	variable, err := scope.Store().CreateVariable(path, tensors.FromShape(shape))
	if err != nil {
		panic(err)
	}
	return variable
}
