// Package diffusion is text-to-image diffusion as Stable Diffusion 1.x does it, at any size: the UNet with
// cross-attention, the autoencoder, and sampling with classifier-free guidance; package schedule below it has the noise
// process and the solvers.
//
// Tensors are named as in diffusers, inputs and outputs have its layout [batch, channels, height, width]. What the
// papers call a model's noise prediction is [Model.Noise], whatever the network itself puts out:
//
//	model := diffusion.Small()
//	program, err := d.Compile("denoise", store, func(scope *model.Scope, in []*graph.Node) []*graph.Node {
//		return []*graph.Node{model.Noise(scope, in[0], in[1], in[2])}
//	})
package diffusion
