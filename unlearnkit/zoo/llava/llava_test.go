package llava_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/nn"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

// lora adapts all projections with a given rank and, like the papers, the scale 2.
func lora(rank int) nn.LoRA {
	return nn.LoRA{Rank: rank, Alpha: 2 * float64(rank), Targets: llava.Projections}
}

// ReMem §4 adapts all projections of the decoder with rank 64, and trains the projector.
func TestModels_Parameters(t *testing.T) {
	d := devicetest.Open(t)
	tests := []struct {
		name                       string
		config                     llava.Config
		whole, adapters, projector int
	}{
		{"7B", llava.LLaVA15_7B(), 7_063_427_072, 159_907_840, 20_979_712},
		{"13B", llava.LLaVA15_13B(), 13_351_494_656, 250_347_520, 31_467_520},
	}
	for _, test := range tests {
		store := model.NewStore()
		nn.Adapt(store.Scope("/language_model"), lora(64))
		if err := test.config.Trace(d, store); err != nil {
			t.Fatal(err)
		}
		adapters := 0
		for variable := range store.IterVariables() {
			if strings.Contains(variable.Path(), "/lora_") {
				adapters += variable.Shape().Size()
			}
		}
		if projector := store.Scope("/multi_modal_projector").NumParameters(); adapters != test.adapters ||
			projector != test.projector {
			t.Errorf("%s: %d parameters in adapters and %d in the projector, want %d and %d", test.name, adapters,
				projector, test.adapters, test.projector)
		}
		if whole := store.NumParameters() - adapters; whole != test.whole {
			t.Errorf("%s has %d parameters, want %d", test.name, whole, test.whole)
		}
	}
}

// renamed writes and opens a copy of the LLaVA fixture in which tensors are renamed, or left out if the new name is "".
func renamed(t *testing.T, rename func(string) string) *safefile.Tensors {
	t.Helper()
	source, err := safefile.Open("testdata/llava/model.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	var all []safefile.TensorData
	for _, name := range source.Names() {
		tensor, _ := source.Tensor(name)
		data, err := source.Bytes(name)
		if err != nil {
			t.Fatal(err)
		}
		if changed := rename(name); changed != "" {
			all = append(all, safefile.TensorOfBytes(changed, tensor.Type, tensor.Shape, data))
		}
	}
	path := filepath.Join(t.TempDir(), "model.safetensors")
	if err := safefile.WriteTensors(path, all, nil); err != nil {
		t.Fatal(err)
	}
	file, err := safefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

func TestLoad_TensorNames(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseConfig, "llava")
	want := paritytest.Load(t, d, "testdata/llava", config)
	// Each pair is a prefix of names in the fixture and its counterpart in the layout.
	tests := map[string]*strings.Replacer{
		llava.Published: strings.NewReplacer("vision_tower.", "vision_tower.vision_model."),
		llava.Saved5:    strings.NewReplacer(),
		llava.InMemory: strings.NewReplacer("vision_tower.", "model.vision_tower.vision_model.",
			"language_model.model.", "model.language_model.", "language_model.lm_head", "lm_head",
			"multi_modal_projector", "model.multi_modal_projector"),
		llava.InMemory5: strings.NewReplacer("vision_tower.", "model.vision_tower.", "language_model.model.",
			"model.language_model.", "language_model.lm_head", "lm_head",
			"multi_modal_projector", "model.multi_modal_projector"),
		llava.Release: strings.NewReplacer("vision_tower.", "model.vision_tower.vision_tower.vision_model.",
			"language_model.model.", "model.", "language_model.lm_head", "lm_head",
			"multi_modal_projector.linear_1", "model.mm_projector.0", "multi_modal_projector.linear_2",
			"model.mm_projector.2"),
	}
	for layout, replacer := range tests {
		store := model.NewStore()
		if err := config.Trace(d, store); err != nil {
			t.Fatal(err)
		}
		file := renamed(t, replacer.Replace)
		report, err := hf.Load(store.RootScope(), file, config.Names())
		if err != nil {
			t.Errorf("%s: %v", layout, err)
			continue
		}
		if report.Layout != layout {
			t.Errorf("%s is taken for %s", layout, report.Layout)
		}
		equal(t, layout, store, want)
		dir := t.TempDir()
		if err := hf.Save(store.RootScope(), dir, config.Names(), hf.Format{Layout: layout}); err != nil {
			t.Fatal(err)
		}
		saved, err := safefile.OpenFolder(dir, "model")
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(saved.Names(), file.Names()) {
			t.Errorf("%s is saved under other names", layout)
		}
		saved.Close()
	}
}

// equal fails the test if the values in two stores differ.
func equal(t *testing.T, name string, got, want *model.Store) {
	t.Helper()
	for variable := range want.IterVariables() {
		other := got.GetVariable(variable.Path())
		if other == nil || !slices.Equal(paritytest.Values(other.MustValue()),
			paritytest.Values(variable.MustValue())) {
			t.Errorf("%s: %s has other values", name, variable.Path())
		}
	}
}

func TestLoad_WithoutVisionTower(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseConfig, "llava")
	release := renamed(t, func(name string) string {
		if strings.HasPrefix(name, "vision_tower.") {
			return ""
		}
		return strings.NewReplacer("language_model.model.", "model.", "language_model.lm_head", "lm_head",
			"multi_modal_projector.linear_1", "model.mm_projector.0", "multi_modal_projector.linear_2",
			"model.mm_projector.2").Replace(name)
	})
	vision := renamed(t, func(name string) string {
		if rest, ok := strings.CutPrefix(name, "vision_tower."); ok {
			return "vision_model." + rest
		}
		return ""
	})
	store := model.NewStore()
	if err := config.Trace(d, store); err != nil {
		t.Fatal(err)
	}
	if err := llava.LoadRelease(store.RootScope(), config, release, vision); err != nil {
		t.Fatal(err)
	}
	equal(t, "the release", store, paritytest.Load(t, d, "testdata/llava", config))
	if err := llava.LoadRelease(store.RootScope(), config, release, release); err == nil ||
		!strings.Contains(err.Error(), "vision_tower: none of the model's tensors") {
		t.Errorf("the error without a vision tower is %v", err)
	}
}

func TestAdapter_RoundTrip(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseConfig, "llava")
	store := paritytest.Load(t, d, "testdata/llava", config)
	if _, err := hf.LoadAdapter(store.RootScope(), "testdata/adapter", config.Names()); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	format := hf.AdapterFormat{LoRA: nn.LoRA{Rank: 3, Alpha: 5}, Layout: llava.InMemory5,
		Trained: []string{"multi_modal_projector"}}
	if err := hf.SaveAdapter(store.RootScope(), dir, config.Names(), format); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile("testdata/adapter/adapter_model.safetensors")
	after, _ := os.ReadFile(filepath.Join(dir, "adapter_model.safetensors"))
	if string(before) != string(after) || len(after) == 0 {
		t.Error("the adapter's file changed")
	}
	var written struct {
		Rank    int      `json:"r"`
		Alpha   float64  `json:"lora_alpha"`
		Targets []string `json:"target_modules"`
		Saved   []string `json:"modules_to_save"`
	}
	text, _ := os.ReadFile(filepath.Join(dir, "adapter_config.json"))
	if err := json.Unmarshal(text, &written); err != nil {
		t.Fatal(err)
	}
	if written.Rank != 3 || written.Alpha != 5 || len(written.Targets) != 14 ||
		!slices.Contains(written.Targets, "model.language_model.layers.1.mlp.down_proj") ||
		!slices.Equal(written.Saved, []string{"model.multi_modal_projector"}) {
		t.Errorf("the configuration is %+v", written)
	}
	again := paritytest.Load(t, d, "testdata/llava", config)
	if _, err := hf.LoadAdapter(again.RootScope(), dir, config.Names()); err != nil {
		t.Fatal(err)
	}
	equal(t, "the adapter", again, store)
}

func TestAdapter_Misfit(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseConfig, "llava")
	original, _ := os.ReadFile("testdata/adapter/adapter_config.json")
	tests := []struct {
		name           string
		change         *strings.Replacer
		tensor, rename string // tensor that is renamed to rename, or left out if rename is ""
		want           string
	}{
		{"another rank", strings.NewReplacer(`"r": 3`, `"r": 4`), "", "", "is [3 24] and should be [4 24]"},
		{"another kind", strings.NewReplacer(`"LORA"`, `"IA3"`), "", "", `peft_type is "IA3"`},
		{"ranks by layer", strings.NewReplacer(`"rank_pattern": {}`, `"rank_pattern": {"q_proj": 4}`), "", "",
			"rank_pattern"},
		{"weights taken apart", strings.NewReplacer(`"use_dora": false`, `"use_dora": true`), "", "", "use_dora"},
		{"half a layer", strings.NewReplacer(), "model.language_model.layers.1.mlp.up_proj.lora_B.weight", "",
			"the other matrix of language_model.model.layers.1.mlp.up_proj"},
		{"an unknown layer", strings.NewReplacer(), "model.language_model.layers.1.mlp.up_proj.lora_B.weight",
			"model.language_model.layers.7.mlp.up_proj.lora_B.weight",
			"not known to the model: base_model.model.model.language_model.layers.7"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "adapter_config.json"),
				[]byte(test.change.Replace(string(original))), 0o644); err != nil {
				t.Fatal(err)
			}
			copyAdapter(t, dir, "base_model.model."+test.tensor, test.rename)
			store := paritytest.Load(t, d, "testdata/llava", config)
			before := store.NumVariables()
			_, err := hf.LoadAdapter(store.RootScope(), dir, config.Names())
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("the error is %v, want %q", err, test.want)
			}
			if store.NumVariables() != before {
				t.Error("the model was changed all the same")
			}
		})
	}
}

// copyAdapter copies the tensors in the fixture. It gives the tensor called name a new name, or leaves it out if rename
// is "".
func copyAdapter(t *testing.T, dir, name, rename string) {
	t.Helper()
	source, err := safefile.Open("testdata/adapter/adapter_model.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	defer source.Close()
	var all []safefile.TensorData
	for _, each := range source.Names() {
		tensor, _ := source.Tensor(each)
		data, _ := source.Bytes(each)
		switch {
		case each != name:
		case rename == "":
			continue
		default:
			each = "base_model.model." + rename
		}
		all = append(all, safefile.TensorOfBytes(each, tensor.Type, tensor.Shape, data))
	}
	if err := safefile.WriteTensors(filepath.Join(dir, "adapter_model.safetensors"), all, nil); err != nil {
		t.Fatal(err)
	}
}

func TestConfig_Refused(t *testing.T) {
	tests := []struct{ text, want string }{
		{`{"text_config": {"model_type": "mistral"}}`, `the decoder is a "mistral"`},
		{`{"text_config": {"num_hidden_layers": 1000000000000}}`, "num_hidden_layers is 1000000000000"},
		{`{"text_config": {"num_attention_heads": 32, "num_key_value_heads": 5}}`, "32 heads cannot share 5"},
		{`{"text_config": {"num_key_value_heads": 0}}`, "num_key_value_heads is 0"},
		{`{"text_config": {"num_attention_heads": 0}}`, "num_attention_heads is 0"},
		{`{"text_config": {"head_dim": 7}}`, "7 wide"},
		{`{"text_config": {"hidden_act": "gelu"}}`, `hidden_act is "gelu"`},
		{`{"text_config": {"attention_bias": true}}`, "attention_bias"},
		{`{"text_config": {"rope_scaling": {"type": "linear", "factor": 2}}}`, `rule "linear"`},
		{`{"text_config": {"rope_parameters": {"rope_type": "llama3", "rope_theta": 5e5}}}`, `rule "llama3"`},
		{`{"text_config": {"rope_theta": 0}}`, "rope_theta is 0"},
		{`{"text_config": {"vocab_size": 100}}`, "image_token_index is 32000, the vocabulary has 100"},
		{`{"vision_feature_layer": [-2, -5]}`, "vision_feature_layer is [-2, -5]"},
		{`{"vision_feature_layer": -26, "text_config": {"vocab_size": 32064}}`, "vision_feature_layer is -26"},
		{`{"vision_feature_select_strategy": "cls"}`, `strategy is "cls"`},
		{`{"vision_config": {"model_type": "siglip_vision_model"}}`, "siglip_vision_model"},
		{`{"projector_hidden_act": "tanh", "text_config": {"vocab_size": 32064}}`, `projector_hidden_act "tanh"`},
	}
	for _, test := range tests {
		if _, err := llava.ParseConfig([]byte(test.text)); err == nil || !strings.Contains(err.Error(), test.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s gives the error %v, want one line with %q", test.text, err, test.want)
		}
	}
}

// The published configuration lacks values that are the defaults of the classes in transformers.
func TestConfig_Defaults(t *testing.T) {
	config, err := llava.ParseConfig([]byte(`{
		"architectures": ["LlavaForConditionalGeneration"], "image_token_index": 32000, "model_type": "llava",
		"text_config": {"max_position_embeddings": 4096, "model_type": "llama", "rms_norm_eps": 1e-05,
			"vocab_size": 32064},
		"vision_config": {"hidden_size": 1024, "image_size": 336, "intermediate_size": 4096,
			"model_type": "clip_vision_model", "num_attention_heads": 16, "num_hidden_layers": 24,
			"patch_size": 14, "projection_dim": 768, "vocab_size": 32000}}`))
	if err != nil || config != llava.LLaVA15_7B() {
		t.Errorf("the published configuration is %+v, %v", config, err)
	}
	decoder, err := llava.ParseDecoder([]byte(`{"rope_theta": 100000, "rope_scaling": null, "num_key_value_heads": 8}`))
	if err != nil || decoder.Theta != 100000 || decoder.KeyValueHeads != 8 || decoder.HeadWidth != 128 {
		t.Errorf("an older configuration is %+v, %v", decoder, err)
	}
}

func TestExpand_Once(t *testing.T) {
	config := llava.SmallS()
	image := slices.Repeat([]int32{config.Placeholder}, 16)
	once := slices.Concat([]int32{1}, image, []int32{9})
	for _, prompt := range [][]int32{{1, config.Placeholder, 9}, once} {
		if got, err := config.Expand(prompt); err != nil || !slices.Equal(got, once) {
			t.Errorf("%v becomes %v, %v", prompt, got, err)
		}
	}
	if got, err := config.Expand([]int32{1, 9}); err != nil || !slices.Equal(got, []int32{1, 9}) {
		t.Errorf("a prompt without an image becomes %v, %v", got, err)
	}
	torn := slices.Concat(image[:8], []int32{1}, image[8:])
	if _, err := config.Expand(torn); err == nil {
		t.Error("an image in two parts was taken")
	}
}

func TestInputs_Misfit(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseConfig, "llava")
	store := paritytest.Load(t, d, "testdata/llava", config)
	pixels := tensors.FromScalarAndDimensions(float32(0), 2, 3, 10, 10)
	ids := func(values ...int32) *tensors.Tensor {
		return tensors.FromFlatDataAndDimensions(values, 2, len(values)/2)
	}
	tests := []struct {
		ids  *tensors.Tensor
		want string
	}{
		{ids(1, 57, 1, 2), "row 1 of input_ids: the prompt has no placeholder 57"},
		{ids(1, 57, 57, 57), "row 1 of input_ids: the prompt has the image's placeholder 57 at 2 places"},
		{ids(57, 57, 57, 57, 57, 1, 1, 1),
			"row 1 of input_ids: some prompts have their image expanded and others do not"},
		{tensors.FromScalarAndDimensions(int32(57), 1, 1),
			"pixel_values has the shape [2 3 10 10] and should have [1 3 10 10]"},
	}
	for _, test := range tests {
		_, err := config.Run(d, store, map[string]*tensors.Tensor{"pixel_values": pixels, "input_ids": test.ids})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("the error is %v, want %q", err, test.want)
		}
	}
}

// Rows with and without an image may be mixed.
func TestImages_AtPlaceholders(t *testing.T) {
	d := devicetest.Open(t)
	config := parsed(t, llava.ParseConfig, "llava")
	store := paritytest.Load(t, d, "testdata/llava", config)
	ids := tensors.FromFlatDataAndDimensions([]int32{1, 57, 57, 57, 57, 8, 1, 5, 6, 7, 8, 9, 9, 8, 57, 57, 57, 57}, 3,
		6)
	outputs := paritytest.Compute(t, d, store, func(scope *model.Scope, x []*graph.Node) []*graph.Node {
		return []*graph.Node{llava.Embed(scope, config, x[0], x[1]),
			config.Text.Embed(scope.At("language_model"), x[1]), llava.Image(scope, config, x[0])}
	}, reference(t, "llava").Tensor("pixel_values", dtypes.Float32), ids)
	width := config.Text.Width
	mixed, words, images := paritytest.Values(outputs[0]), paritytest.Values(outputs[1]), paritytest.Values(outputs[2])
	want := slices.Clone(words)
	copy(want[1*width:], images[:4*width])
	copy(want[(12+2)*width:], images[8*width:])
	if !slices.Equal(mixed, want) {
		t.Error("the embeddings are not the words' with the images in their places")
	}
}
