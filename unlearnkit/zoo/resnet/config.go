// Package resnet implements residual image classifiers (He et al., 2016) with basic blocks: ResNet-18, ResNet-34 and
// small ones.
//
// Tensors are below the model's scope and have torchvision's names with "/" instead of ".", such as
// "layer2/0/downsample/0/weight" and "fc/bias". The counters num_batches_tracked of batch norms are omitted, because no
// result depends on them.
//
//	out := resnet.Forward(scope, config, images, resnet.Mode{}) // out.Logits, out.Features
package resnet

import (
	"encoding/json"
	"fmt"
)

// Config describes a model.
type Config struct {
	// Blocks and Widths hold the number of blocks and of channels in each layer. Each layer except the first halves the
	// picture's edges.
	Blocks []int `json:"blocks"`
	Widths []int `json:"widths"`
	// StemKernel and StemStride are settings of the first convolution. If StemPool is set, max-pooling then halves the
	// edges.
	StemKernel int  `json:"stem_kernel"`
	StemStride int  `json:"stem_stride"`
	StemPool   bool `json:"stem_pool"`
	Classes    int  `json:"num_classes"`
}

// ResNet18 returns the configuration of torchvision's resnet18, with 11,689,512 parameters for its 1,000 classes.
func ResNet18() Config { return imageNet(2, 2, 2, 2) }

// ResNet34 returns the configuration of torchvision's resnet34, with 21,797,672 parameters for its 1,000 classes.
func ResNet34() Config { return imageNet(3, 4, 6, 3) }

func imageNet(blocks ...int) Config {
	return Config{Blocks: blocks, Widths: []int{64, 128, 256, 512}, StemKernel: 7, StemStride: 2, StemPool: true,
		Classes: 1000}
}

// Small returns the configuration of a model with three layers for pictures with edges of 16 to 64 pixels. Its stem is
// a 3×3 convolution without pooling, which keeps the size of the picture.
func Small(classes int) Config {
	return Config{Blocks: []int{1, 1, 1}, Widths: []int{16, 32, 64}, StemKernel: 3, StemStride: 1, Classes: classes}
}

// FeatureWidth returns the number of features, which is 512 for ResNet18.
func (c Config) FeatureWidth() int { return c.Widths[len(c.Widths)-1] }

// ParseConfig reads a model's config.json. The "architecture" is "resnet18", "resnet34" or "resnet", and the other
// fields are those of [Config], which may be omitted for "resnet18" and "resnet34".
func ParseConfig(content []byte) (Config, error) {
	var kind struct {
		Architecture string `json:"architecture"`
	}
	if err := json.Unmarshal(content, &kind); err != nil {
		return Config{}, fmt.Errorf("config: %w", err)
	}
	var c Config
	switch kind.Architecture {
	case "resnet18":
		c = ResNet18()
	case "resnet34":
		c = ResNet34()
	case "resnet":
		c = imageNet()
		c.Widths = nil
	default:
		return Config{}, fmt.Errorf(
			`config: the architecture %.60q is not known here: "resnet18", "resnet34" or "resnet"`, kind.Architecture)
	}
	if err := json.Unmarshal(content, &c); err != nil {
		return Config{}, fmt.Errorf("config: %w", err)
	}
	return c, c.Check()
}

// Check returns an error for the first size that is not valid. Sizes are limited, so that a malicious file cannot
// request an unlimited graph.
func (c Config) Check() error {
	if len(c.Blocks) == 0 || len(c.Blocks) > 16 || len(c.Blocks) != len(c.Widths) {
		return fmt.Errorf("config: blocks and widths must be equally long lists of 1 to 16 numbers, they have %d and "+
			"%d", len(c.Blocks), len(c.Widths))
	}
	type bounded struct {
		name        string
		value, most int
	}
	sizes := []bounded{{"stem_kernel", c.StemKernel, 63}, {"stem_stride", c.StemStride, 16},
		{"num_classes", c.Classes, 1 << 20}}
	for i := range c.Blocks {
		sizes = append(sizes, bounded{"a number of blocks", c.Blocks[i], 256}, bounded{"a width", c.Widths[i], 1 << 14})
	}
	for _, size := range sizes {
		if size.value < 1 || size.value > size.most {
			return fmt.Errorf("config: %s is %d, it must be between 1 and %d", size.name, size.value, size.most)
		}
	}
	if c.StemKernel%2 == 0 {
		return fmt.Errorf("config: stem_kernel is %d, it must be odd", c.StemKernel)
	}
	return nil
}
