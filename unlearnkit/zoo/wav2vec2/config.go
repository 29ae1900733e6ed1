// Package wav2vec2 implements the family of speech encoders that began with wav2vec 2.0 (Baevski et al., 2020), with a
// head for spoken intents: wav2vec2, HuBERT, XLS-R and XLSR-53.
//
// The models differ in two normalisation rules. In Base and HubertBase, only the first convolution has a norm, which is
// over time, and each transformer layer normalises its sums. In XLSR300M, every convolution has a norm over channels,
// and each transformer layer normalises its inputs. All other differences are sizes in [Config], so the smallest and
// the largest model use the same code.
//
// Tensors are below the model's scope and have the names of the transformers library with "/" instead of ".", such as
// "wav2vec2/encoder/layers/0/attention/q_proj/weight" and "classifier/bias".
//
//	out := wav2vec2.Forward(scope, config, wav2vec2.Input{Values: values, Mask: mask}) // out.Logits, out.Hidden
package wav2vec2

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Config describes a model, with the names in config.json.
type Config struct {
	// "wav2vec2" or "hubert", which is also the first element of the backbone's tensor names
	ModelType string `json:"model_type"`

	ConvDim    []int `json:"conv_dim"`
	ConvKernel []int `json:"conv_kernel"`
	ConvStride []int `json:"conv_stride"`
	ConvBias   bool  `json:"conv_bias"`
	// "group" normalises the first convolution over time; "layer" normalises every convolution over channels
	FeatExtractNorm       string `json:"feat_extract_norm"`
	FeatExtractActivation string `json:"feat_extract_activation"`
	FeatProjLayerNorm     bool   `json:"feat_proj_layer_norm"` // false occurs only in HuBERT

	HiddenSize                int     `json:"hidden_size"`
	NumHiddenLayers           int     `json:"num_hidden_layers"`
	NumAttentionHeads         int     `json:"num_attention_heads"`
	IntermediateSize          int     `json:"intermediate_size"`
	HiddenAct                 string  `json:"hidden_act"`
	LayerNormEps              float64 `json:"layer_norm_eps"`
	DoStableLayerNorm         bool    `json:"do_stable_layer_norm"` // norms before instead of after the residual sums
	NumConvPosEmbeddings      int     `json:"num_conv_pos_embeddings"`
	NumConvPosEmbeddingGroups int     `json:"num_conv_pos_embedding_groups"`
	InitializerRange          float64 `json:"initializer_range"`

	// NumLabels is the number of intents, or 0 for a backbone without a head.
	NumLabels          int `json:"num_labels"`
	ClassifierProjSize int `json:"classifier_proj_size"`
	// whether the head reads a learnt mean of all hidden states instead of the last one
	UseWeightedLayerSum bool `json:"use_weighted_layer_sum"`

	// The fields below apply only in training and to sites in [Input.Noise].
	HiddenDropout       float64 `json:"hidden_dropout"`
	AttentionDropout    float64 `json:"attention_dropout"`
	ActivationDropout   float64 `json:"activation_dropout"`
	FeatProjDropout     float64 `json:"feat_proj_dropout"`
	LayerDrop           float64 `json:"layerdrop"`
	ApplySpecAugment    bool    `json:"apply_spec_augment"`
	MaskTimeProb        float64 `json:"mask_time_prob"`
	MaskTimeLength      int     `json:"mask_time_length"`
	MaskTimeMinMasks    int     `json:"mask_time_min_masks"`
	MaskFeatureProb     float64 `json:"mask_feature_prob"`
	MaskFeatureLength   int     `json:"mask_feature_length"`
	MaskFeatureMinMasks int     `json:"mask_feature_min_masks"`
}

// defaults returns the defaults for a config.json in the transformers library.
func defaults(modelType string) Config {
	return Config{
		ModelType: modelType,
		ConvDim:   []int{512, 512, 512, 512, 512, 512, 512}, ConvKernel: []int{10, 3, 3, 3, 3, 2, 2},
		ConvStride:      []int{5, 2, 2, 2, 2, 2, 2},
		FeatExtractNorm: groupNorm, FeatExtractActivation: "gelu", FeatProjLayerNorm: true,
		HiddenSize: 768, NumHiddenLayers: 12, NumAttentionHeads: 12, IntermediateSize: 3072, HiddenAct: "gelu",
		LayerNormEps:         1e-5,
		NumConvPosEmbeddings: 128, NumConvPosEmbeddingGroups: 16, InitializerRange: 0.02, ClassifierProjSize: 256,
		HiddenDropout: 0.1, AttentionDropout: 0.1, ActivationDropout: 0.1, LayerDrop: 0.1,
		ApplySpecAugment: true, MaskTimeProb: 0.05, MaskTimeLength: 10, MaskTimeMinMasks: 2, MaskFeatureLength: 10,
	}
}

const (
	wav2vec2Type = "wav2vec2"
	hubertType   = "hubert"
	groupNorm    = "group"
	layerNorm    = "layer"
	withHead     = "ForSequenceClassification"
)

// ParseConfig reads a config.json of the transformers library. A model without an intent head, such as a pre-trained
// one, has no labels. To give it a new head, set NumLabels.
func ParseConfig(content []byte) (Config, error) {
	var kind struct {
		ModelType string `json:"model_type"`
	}
	if err := json.Unmarshal(content, &kind); err != nil {
		return Config{}, fmt.Errorf("config: %w", err)
	}
	if kind.ModelType != wav2vec2Type && kind.ModelType != hubertType {
		return Config{}, fmt.Errorf("config: model_type is %.60q, known here are %q and %q", kind.ModelType,
			wav2vec2Type, hubertType)
	}
	file := struct {
		Config
		Architectures    []string          `json:"architectures"`
		Labels           map[string]string `json:"id2label"`
		AddAdapter       bool              `json:"add_adapter"`
		AdapterAttnDim   *int              `json:"adapter_attn_dim"`
		ConvPosBatchNorm bool              `json:"conv_pos_batch_norm"`
	}{Config: defaults(kind.ModelType)}
	if err := json.Unmarshal(content, &file); err != nil {
		return Config{}, fmt.Errorf("config: %w", err)
	}
	if file.AddAdapter || file.AdapterAttnDim != nil {
		return Config{}, errors.New("config: models with adapters (add_adapter, adapter_attn_dim) are not known here")
	}
	if file.ConvPosBatchNorm {
		return Config{}, errors.New("config: a batch norm before the positional convolution (conv_pos_batch_norm) is " +
			"not known here")
	}
	c := file.Config
	if !slices.ContainsFunc(file.Architectures, func(name string) bool { return strings.HasSuffix(name, withHead) }) {
		c.NumLabels = 0
	} else if file.Labels != nil {
		c.NumLabels = len(file.Labels)
	} else if c.NumLabels == 0 {
		c.NumLabels = 2 // default of the library without labels and their number
	}
	return c, c.Check()
}

// Check returns an error for the first size or option that is not valid.
func (c Config) Check() error {
	if len(c.ConvDim) == 0 || len(c.ConvDim) != len(c.ConvKernel) || len(c.ConvDim) != len(c.ConvStride) {
		return fmt.Errorf("config: conv_dim, conv_kernel and conv_stride must be equally long lists, they have %d, "+
			"%d and %d elements", len(c.ConvDim), len(c.ConvKernel), len(c.ConvStride))
	}
	for _, size := range c.sizes() {
		if size.value < 1 || size.value > size.most {
			return fmt.Errorf("config: %s is %d, it must be between 1 and %d", size.name, size.value, size.most)
		}
	}
	for _, rate := range c.rates() {
		if !(rate.value >= 0 && rate.value <= 1) {
			return fmt.Errorf("config: %s is %g, it must be between 0 and 1", rate.name, rate.value)
		}
	}
	switch {
	case c.NumLabels < 0 || c.NumLabels > 1<<20:
		return fmt.Errorf("config: num_labels is %d, it must be between 0 and %d", c.NumLabels, 1<<20)
	case min(c.MaskTimeMinMasks, c.MaskFeatureMinMasks) < 0:
		return errors.New("config: mask_time_min_masks and mask_feature_min_masks must not be negative")
	case c.HiddenSize%c.NumAttentionHeads != 0:
		return fmt.Errorf("config: hidden_size %d cannot be divided among num_attention_heads %d", c.HiddenSize,
			c.NumAttentionHeads)
	case c.HiddenSize%c.NumConvPosEmbeddingGroups != 0:
		return fmt.Errorf("config: hidden_size %d cannot be divided among num_conv_pos_embedding_groups %d",
			c.HiddenSize, c.NumConvPosEmbeddingGroups)
	case c.FeatExtractNorm != groupNorm && c.FeatExtractNorm != layerNorm:
		return fmt.Errorf("config: feat_extract_norm is %.60q, known here are %q and %q", c.FeatExtractNorm, groupNorm,
			layerNorm)
	case !(c.LayerNormEps > 0 && c.LayerNormEps < 1):
		return fmt.Errorf("config: layer_norm_eps is %g, it must be between 0 and 1", c.LayerNormEps)
	case !(c.InitializerRange >= 0 && c.InitializerRange < 10):
		return fmt.Errorf("config: initializer_range is %g, it must be between 0 and 10", c.InitializerRange)
	}
	for _, name := range []string{c.FeatExtractActivation, c.HiddenAct} {
		if !slices.Contains(activations, name) {
			return fmt.Errorf("config: the activation %.60q is not known here: %s", name,
				strings.Join(activations, ", "))
		}
	}
	return nil
}

var activations = []string{"gelu", "gelu_new", "gelu_pytorch_tanh", "quick_gelu", "silu", "relu"}

type bounded struct {
	name        string
	value, most int
}

// sizes returns the sizes with their maximum values, so that a malicious file cannot request an unlimited graph.
func (c Config) sizes() []bounded {
	all := []bounded{
		{"the length of conv_dim", len(c.ConvDim), 64},
		{"hidden_size", c.HiddenSize, 1 << 14},
		{"num_hidden_layers", c.NumHiddenLayers, 256},
		{"num_attention_heads", c.NumAttentionHeads, 1 << 14},
		{"intermediate_size", c.IntermediateSize, 1 << 16},
		{"num_conv_pos_embeddings", c.NumConvPosEmbeddings, 1 << 12},
		{"num_conv_pos_embedding_groups", c.NumConvPosEmbeddingGroups, 1 << 14},
		{"classifier_proj_size", c.ClassifierProjSize, 1 << 16},
		{"mask_time_length", c.MaskTimeLength, 1 << 20},
		{"mask_feature_length", c.MaskFeatureLength, 1 << 20},
	}
	for i := range c.ConvDim {
		all = append(all, bounded{"conv_dim", c.ConvDim[i], 1 << 14}, bounded{"conv_kernel", c.ConvKernel[i], 1 << 12},
			bounded{"conv_stride", c.ConvStride[i], 1 << 12})
	}
	return all
}

type rate struct {
	name  string
	value float64
}

func (c Config) rates() []rate {
	return []rate{
		{"hidden_dropout", c.HiddenDropout}, {"attention_dropout", c.AttentionDropout},
		{"activation_dropout", c.ActivationDropout}, {"feat_proj_dropout", c.FeatProjDropout},
		{"layerdrop", c.LayerDrop}, {"mask_time_prob", c.MaskTimeProb}, {"mask_feature_prob", c.MaskFeatureProb},
	}
}
