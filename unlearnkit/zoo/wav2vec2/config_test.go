package wav2vec2_test

import (
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/wav2vec2"
)

func TestConfig_Defaults(t *testing.T) {
	// the defaults of Wav2Vec2Config() and HubertConfig() in transformers
	c, err := wav2vec2.ParseConfig(
		[]byte(`{"model_type": "wav2vec2", "architectures": ["Wav2Vec2ForSequenceClassification"]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := wav2vec2.Base()
	want.NumLabels, want.ActivationDropout, want.FeatProjDropout, want.LayerDrop = 2, 0.1, 0, 0.1
	if !reflect.DeepEqual(c, want) {
		t.Errorf("the defaults are\n%+v, want\n%+v", c, want)
	}
}

func TestConfig_Transformers(t *testing.T) {
	content, err := os.ReadFile("testdata/stable/config.json")
	if err != nil {
		t.Fatal(err)
	}
	c, err := wav2vec2.ParseConfig(content)
	if err != nil {
		t.Fatal(err)
	}
	if c.NumLabels != 5 || !c.DoStableLayerNorm || !c.ConvBias || c.FeatExtractNorm != "layer" || c.HiddenSize != 18 ||
		c.HiddenAct != "gelu_new" || c.LayerNormEps != 2e-5 || c.ConvDim[1] != 12 || c.MaskTimeLength != 3 {
		t.Errorf("the configuration was read as %+v", c)
	}
}

func TestConfig_OtherHead(t *testing.T) {
	c, err := wav2vec2.ParseConfig([]byte(`{"model_type": "wav2vec2", "architectures": ["Wav2Vec2ForPreTraining"],
		"id2label": {"0": "a", "1": "b"}}`))
	if err != nil || c.NumLabels != 0 {
		t.Errorf("a pre-trained model has %d labels and the error %v, want 0 and none", c.NumLabels, err)
	}
}

func TestConfig_Refused(t *testing.T) {
	tests := []struct{ change, want string }{
		{`"model_type": "bert"`, `model_type is "bert"`},
		{`"model_type": "wav2vec2-conformer"`, `model_type is "wav2vec2-conformer"`},
		{`"hidden_size": 1e12`, "hidden_size"},
		{`"hidden_size": "wide"`, "hidden_size"},
		{`"num_hidden_layers": 1000000000000`, "num_hidden_layers is 1000000000000"},
		{`"num_hidden_layers": 0`, "num_hidden_layers is 0"},
		{`"num_attention_heads": 5`, "num_attention_heads 5"},
		{`"num_conv_pos_embedding_groups": 7`, "num_conv_pos_embedding_groups 7"},
		{`"conv_dim": [8, 8]`, "equally long"},
		{`"conv_dim": [], "conv_kernel": [], "conv_stride": []`, "equally long"},
		{`"conv_stride": [5, 2, 2, 0, 2, 2, 2]`, "conv_stride is 0"},
		{`"feat_extract_norm": "batch"`, `feat_extract_norm is "batch"`},
		{`"hidden_act": "mish"`, `"mish"`},
		{`"feat_extract_activation": "tanh"`, `"tanh"`},
		{`"layer_norm_eps": 0`, "layer_norm_eps"},
		{`"hidden_dropout": 1.5`, "hidden_dropout is 1.5"},
		{`"layerdrop": -0.1`, "layerdrop is -0.1"},
		{`"mask_time_length": 0`, "mask_time_length is 0"},
		{`"mask_time_min_masks": -1`, "mask_time_min_masks"},
		{`"initializer_range": -1`, "initializer_range"},
		{`"add_adapter": true`, "adapter"},
		{`"adapter_attn_dim": 16`, "adapter"},
		{`"model_type": "hubert", "conv_pos_batch_norm": true`, "conv_pos_batch_norm"},
	}
	for _, test := range tests {
		text := "{" + test.change + "}"
		if !strings.Contains(test.change, "model_type") {
			text = `{"model_type": "wav2vec2", ` + test.change + "}"
		}
		_, err := wav2vec2.ParseConfig([]byte(text))
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s has the error %v, want one line with %s", test.change, err, test.want)
		}
	}
	if _, err := wav2vec2.ParseConfig([]byte(`{"model_type":`)); err == nil {
		t.Error("half a file is read")
	}
}

func TestParts_Paths(t *testing.T) {
	const (
		convolution = "policy/wav2vec2/feature_extractor/conv_layers/0/conv/weight"
		attention   = "wav2vec2/encoder/layers/11/attention/q_proj/bias"
		norm        = "wav2vec2/encoder/layer_norm/weight"
		projector   = "/policy/projector/weight"
		classifier  = "classifier/bias"
		weights     = "layer_weights"
	)
	all := []string{convolution, attention, norm, projector, classifier, weights}
	tests := []struct {
		name string
		part func(path string) bool
		want []string
	}{
		{"FeatureEncoder", wav2vec2.FeatureEncoder, []string{convolution}},
		{"Head", wav2vec2.Head, []string{projector, classifier, weights}},
		{"LastChildren(0)", wav2vec2.LastChildren(0), nil},
		{"LastChildren(1)", wav2vec2.LastChildren(1), []string{classifier}},
		{"LastChildren(2)", wav2vec2.LastChildren(2), []string{projector, classifier}},
		{"LastChildren(3)", wav2vec2.LastChildren(3), all},
		{"layer 11", func(path string) bool {
			layer, ok := wav2vec2.EncoderLayer(path)
			return ok && layer == 11
		}, []string{attention}},
	}
	for _, test := range tests {
		var got []string
		for _, path := range all {
			if test.part(path) {
				got = append(got, path)
			}
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s has %v, want %v", test.name, got, test.want)
		}
	}
}

func ExampleConfig_Frames() {
	c := wav2vec2.Base()
	fmt.Println(c.ReceptiveField(), "samples a frame,", c.Frames(16000), "frames a second")
	// Output: 400 samples a frame, 49 frames a second
}

func ExampleLastChildren() {
	trained := wav2vec2.LastChildren(1) // CF-1 trains only the classifier
	fmt.Println(trained("classifier/weight"), trained("projector/weight"))
	// Output: true false
}
