package diffusion_test

import (
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gomlx/compute/dtypes"
	"github.com/gomlx/compute/shapes"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/internal/testkit/devicetest"
	"github.com/unlearnlab/unlearnlab/internal/testkit/paritytest"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/diffusion"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/hf"
)

// The files of Stable Diffusion 1.4, as published. Missing options have the defaults of diffusers.
const (
	publishedUNet = `{"_class_name":"UNet2DConditionModel","_diffusers_version":"0.2.2","act_fn":"silu",
		"attention_head_dim":8,"block_out_channels":[320,640,1280,1280],"center_input_sample":false,
		"cross_attention_dim":768,
		"down_block_types":["CrossAttnDownBlock2D","CrossAttnDownBlock2D","CrossAttnDownBlock2D","DownBlock2D"],
		"downsample_padding":1,"flip_sin_to_cos":true,"freq_shift":0,"in_channels":4,"layers_per_block":2,
		"mid_block_scale_factor":1,"norm_eps":1e-05,"norm_num_groups":32,"out_channels":4,"sample_size":64,
		"up_block_types":["UpBlock2D","CrossAttnUpBlock2D","CrossAttnUpBlock2D","CrossAttnUpBlock2D"]}`
	publishedVAE = `{"_class_name":"AutoencoderKL","_diffusers_version":"0.2.2","act_fn":"silu",
		"block_out_channels":[128,256,512,512],
		"down_block_types":["DownEncoderBlock2D","DownEncoderBlock2D","DownEncoderBlock2D","DownEncoderBlock2D"],
		"in_channels":3,"latent_channels":4,"layers_per_block":2,"norm_num_groups":32,"out_channels":3,
		"sample_size":512,
		"up_block_types":["UpDecoderBlock2D","UpDecoderBlock2D","UpDecoderBlock2D","UpDecoderBlock2D"]}`
)

func TestConfig_StableDiffusion(t *testing.T) {
	unet, err := diffusion.ParseUNetConfig([]byte(publishedUNet))
	if err != nil || !reflect.DeepEqual(unet, diffusion.StableDiffusionUNet()) {
		t.Errorf("%+v, %v", unet, err)
	}
	vae, err := diffusion.ParseVAEConfig([]byte(publishedVAE))
	if err != nil || !reflect.DeepEqual(vae, diffusion.StableDiffusionVAE()) {
		t.Errorf("%+v, %v", vae, err)
	}
}

func TestUNetConfig_Refused(t *testing.T) {
	tests := []struct{ change, want string }{
		{`"_class_name":"UNet2DModel"`, "UNet2DModel"},
		{`"down_block_types":["AttnDownBlock2D","DownBlock2D"]`, `"AttnDownBlock2D"`},
		{`"up_block_types":["UpBlock2D","SimpleCrossAttnUpBlock2D"]`, `"SimpleCrossAttnUpBlock2D"`},
		{`"mid_block_type":"UNetMidBlock2DSimpleCrossAttn"`,
			`"mid_block_type" = "UNetMidBlock2DSimpleCrossAttn" is not supported, only UNetMidBlock2DCrossAttn`},
		{`"mid_block_type":null`, "mid_block_type"},
		{`"act_fn":"gelu"`, "act_fn"},
		{`"act_fn":"si\nlu"`, `"si\nlu"`},
		{`"class_embed_type":"timestep"`, "class_embed_type"},
		{`"addition_embed_type":"text_time"`, "addition_embed_type"},
		{`"num_attention_heads":4`, "num_attention_heads"},
		{`"center_input_sample":true`, "center_input_sample"},
		{`"a_new_option":3`, "a_new_option"},
		{`"block_out_channels":[8,12,16]`, "2 down blocks and 2 up blocks for 3 levels"},
		{`"block_out_channels":[8,10]`, "level 1 of a UNet: 10 channels cannot be normalised in 4 groups"},
		{`"attention_head_dim":5`, "cannot be shared by 5 heads"},
		{`"attention_head_dim":[2]`, "1 elements for 2 levels"},
		{`"layers_per_block":1000000000000`, "1000000000000 layers"},
		{`"layers_per_block":[1,0]`, "0 layers"},
		{`"transformer_layers_per_block":[[1,2],1]`, "cannot unmarshal"},
		{`"transformer_layers_per_block":100000`, "100000 blocks"},
		{`"cross_attention_dim":0`, "cross_attention_dim 0"},
		{`"in_channels":9999999999`, "in_channels 9999999999"},
		{`"norm_num_groups":null`, `"norm_num_groups" = null is not supported`},
		{`"norm_eps":0`, "norm_eps 0"},
		{`"freq_shift":4`, "freq_shift 4"},
	}
	content, err := os.ReadFile("testdata/unet/config.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		// The last value of a repeated option is used.
		changed := strings.TrimSuffix(strings.TrimSpace(string(content)), "}") + "," + test.change + "}"
		_, err := diffusion.ParseUNetConfig([]byte(changed))
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v, want one that says %q", test.change, err, test.want)
		}
	}
}

func TestVAEConfig_Refused(t *testing.T) {
	tests := []struct{ change, want string }{
		{`"_class_name":"AutoencoderTiny"`, "AutoencoderTiny"},
		{`"down_block_types":["DownEncoderBlock2D","AttnDownEncoderBlock2D"]`,
			`"AttnDownEncoderBlock2D" is not known: DownEncoderBlock2D`},
		{`"up_block_types":["UpDecoderBlock2D"]`, "2 down blocks and 1 up blocks for 2 levels"},
		{`"act_fn":"relu"`, "act_fn"},
		{`"shift_factor":0.1`, "shift_factor"},
		{`"latents_mean":[0,0,0,0]`, "latents_mean"},
		{`"block_out_channels":[6,10]`, "level 1 of a VAE"},
		{`"latent_channels":0`, "channels"},
		{`"layers_per_block":1000`, "1000 layers"},
		{`"scaling_factor":0`, "scaling_factor 0"},
	}
	content, err := os.ReadFile("testdata/pipeline/vae/config.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range tests {
		changed := strings.TrimSuffix(strings.TrimSpace(string(content)), "}") + "," + test.change + "}"
		if _, err := diffusion.ParseVAEConfig([]byte(changed)); err == nil ||
			!strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that says %q", test.change, err, test.want)
		}
	}
}

func FuzzConfig_OneLineErrors(f *testing.F) {
	for _, seed := range []string{publishedUNet, publishedVAE,
		`{"_class_name":"UNet2DConditionModel","layers_per_block":[1,2,3,4],"attention_head_dim":[[1]]}`, `null`, `[]`,
		`{"_class_name":"AutoencoderKL","block_out_channels":[]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		unet, err := diffusion.ParseUNetConfig(content)
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of several lines: %q", err)
		}
		if err == nil && unet.Check() != nil {
			t.Error("a UNet that cannot be built was read")
		}
		vae, err := diffusion.ParseVAEConfig(content)
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of several lines: %q", err)
		}
		if err == nil && vae.Check() != nil {
			t.Error("a VAE that cannot be built was read")
		}
	})
}

// rewritten returns a copy of the tiny VAE's weights with renamed and edited tensors. If the new name is "", the tensor
// is left out.
func rewritten(t *testing.T, rename func(name string) string,
	edit func(name string, values []float32, shape []int) []int) *safefile.Tensors {
	t.Helper()
	file, err := safefile.Open("testdata/pipeline/vae/diffusion_pytorch_model.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var data []safefile.TensorData
	for _, name := range file.Names() {
		tensor, _ := file.Tensor(name)
		values := make([]float32, tensor.Elements())
		if err := file.Float32(name, values); err != nil {
			t.Fatal(err)
		}
		if to := rename(name); to != "" {
			data = append(data, safefile.TensorOf(to, edit(name, values, tensor.Shape), values))
		}
	}
	path := filepath.Join(t.TempDir(), "x.safetensors")
	if err := safefile.WriteTensors(path, data, nil); err != nil {
		t.Fatal(err)
	}
	changed, err := safefile.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { changed.Close() })
	return changed
}

func same(name string) string                            { return name }
func untouched(_ string, _ []float32, shape []int) []int { return shape }

func TestVAE_OlderNames(t *testing.T) {
	old := strings.NewReplacer("attentions.0.to_q", "attentions.0.query", "attentions.0.to_k", "attentions.0.key",
		"attentions.0.to_v", "attentions.0.value", "attentions.0.to_out.0", "attentions.0.proj_attn")
	f := newFixture(t, "testdata/pipeline/vae/reference.safetensors", dtypes.Float32)
	c := load(f, "pipeline/vae", diffusion.ParseVAEConfig)
	store := model.NewStore()
	if err := c.Trace(f.device, store); err != nil {
		t.Fatal(err)
	}
	report, err := hf.Load(store.RootScope(), rewritten(t, old.Replace, untouched), c.Names())
	if err != nil || report.Layout == "diffusers" || report.Parameters != 15946 {
		t.Fatalf(`got %+v, %v, want Layout other than "diffusers", Parameters 15946`, report, err)
	}
	for variable := range store.IterVariables() {
		if want := f.store.GetVariable(variable.Path()); !variable.MustValue().Equal(want.MustValue()) {
			t.Errorf("%s differs", variable.Path())
		}
	}
}

func TestWeights_Foreign(t *testing.T) {
	d := devicetest.Open(t)
	content, err := os.ReadFile("testdata/pipeline/vae/config.json")
	if err != nil {
		t.Fatal(err)
	}
	c, err := diffusion.ParseVAEConfig(content)
	if err != nil {
		t.Fatal(err)
	}
	without := func(name string) string {
		if name == "decoder.conv_in.weight" {
			return ""
		}
		return name
	}
	extra := func(name string) string {
		if name == "quant_conv.bias" {
			return "quant_conv.bias2"
		}
		return name
	}
	flat := func(name string, values []float32, shape []int) []int {
		if name == "encoder.conv_in.weight" {
			return []int{len(values)}
		}
		return shape
	}
	tests := []struct {
		file *safefile.Tensors
		want []string
	}{
		{rewritten(t, without, untouched), []string{"missing: decoder.conv_in.weight"}},
		{rewritten(t, extra, untouched),
			[]string{"missing: quant_conv.bias", "not known to the model: quant_conv.bias2"}},
		{rewritten(t, same, flat), []string{"encoder.conv_in.weight"}},
	}
	for _, test := range tests {
		store := model.NewStore()
		if err := c.Trace(d, store); err != nil {
			t.Fatal(err)
		}
		_, err := hf.Load(store.RootScope(), test.file, c.Names())
		for _, want := range test.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("error %v, want one that says %q", err, want)
			}
		}
	}
}

func TestWeights_NaN(t *testing.T) {
	f := newFixture(t, "testdata/pipeline/vae/reference.safetensors", dtypes.Float32)
	c := load(f, "pipeline/vae", diffusion.ParseVAEConfig)
	spoilt := rewritten(t, same, func(name string, values []float32, shape []int) []int {
		if name == "encoder.conv_in.bias" {
			values[2] = float32(math.NaN())
		}
		return shape
	})
	report, err := hf.Load(f.store.RootScope(), spoilt, c.Names())
	if err != nil || len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0], "encoder.conv_in.bias") {
		t.Errorf(`got %+v, %v, want 1 Warnings, "encoder.conv_in.bias" in Warnings[0]`, report, err)
	}
}

func TestRun_Arrays(t *testing.T) {
	f := newFixture(t, "testdata/unet/reference.safetensors", dtypes.Float32)
	unet := load(f, "unet", diffusion.ParseUNetConfig)
	in := map[string]*tensors.Tensor{
		"sample":                f.reference.Tensor("sample", dtypes.Float32),
		"timestep":              f.reference.Tensor("timestep", dtypes.Int32),
		"encoder_hidden_states": f.reference.Tensor("encoder_hidden_states", dtypes.Float32),
	}
	outputs, err := unet.Run(f.device, f.store, in)
	if err != nil {
		t.Fatal(err)
	}
	f.reference.Compare("output", outputs["sample"], 1e-4, 0)
	for name, timestep := range map[string]*tensors.Tensor{"scalar": tensors.FromScalar(int32(617)),
		"fractional": tensors.FromScalar(float32(617)), "single": tensors.FromFlatDataAndDimensions([]int32{617}, 1)} {
		in["timestep"] = timestep
		single, err := unet.Run(f.device, f.store, in)
		if err != nil {
			t.Fatalf("%s timestep: %v", name, err)
		}
		// The reference has this timestep for the first sample, and another for the second.
		want, got := paritytest.Values(outputs["sample"]), paritytest.Values(single["sample"])
		if half := len(want) / 2; relative(got[:half], want[:half]) > 1e-5 || relative(got[half:], want[half:]) < 1e-3 {
			t.Errorf("%s timestep: not that timestep for all samples", name)
		}
	}

	g := newFixture(t, "testdata/pipeline/vae/reference.safetensors", dtypes.Float32)
	vae := load(g, "pipeline/vae", diffusion.ParseVAEConfig)
	pictures := map[string]*tensors.Tensor{"sample": g.reference.Tensor("sample", dtypes.Float32)}
	if outputs, err = vae.Run(g.device, g.store, pictures); err != nil {
		t.Fatal(err)
	}
	g.reference.Compare("mean", outputs["mean"], 1e-4, 0)
	g.reference.Compare("reconstruction", outputs["sample"], 1e-4, 0)
}

func TestArrays_Misfit(t *testing.T) {
	f := newFixture(t, "testdata/unet/reference.safetensors", dtypes.Float32)
	c := load(f, "unet", diffusion.ParseUNetConfig)
	floats := func(dimensions ...int) *tensors.Tensor {
		return tensors.FromShape(shapes.Make(dtypes.Float32, dimensions...))
	}
	tests := []struct {
		name  string
		array *tensors.Tensor
		want  string
	}{
		{"sample", nil, "sample is missing"},
		{"sample", floats(3, 2, 7, 9), "sample has the shape [3 2 7 9]"},
		{"timestep", tensors.FromFlatDataAndDimensions([]int32{1, 2, 3}, 3), "timestep has the shape [3]"},
		{"timestep", tensors.FromScalar(float64(3)), "timestep is of type Float64"},
		{"encoder_hidden_states", floats(1, 10, 10), "encoder_hidden_states has the shape"},
		{"prompt", floats(2, 3, 7, 9), "prompt is not known"},
	}
	for _, test := range tests {
		in := map[string]*tensors.Tensor{
			"sample":                f.reference.Tensor("sample", dtypes.Float32),
			"timestep":              f.reference.Tensor("timestep", dtypes.Int32),
			"encoder_hidden_states": f.reference.Tensor("encoder_hidden_states", dtypes.Float32),
		}
		if in[test.name] = test.array; test.array == nil {
			delete(in, test.name)
		}
		if _, err := c.Run(f.device, f.store, in); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error %v, want one that says %q", err, test.want)
		}
	}
}
