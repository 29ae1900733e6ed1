// Package diffusion implements text-to-image diffusion as in Stable Diffusion 1.x, at any size: the UNet with
// cross-attention, the autoencoder, and sampling with classifier-free guidance. Package schedule contains the noise
// process and the solvers.
//
// Tensors have the same names as in diffusers, and inputs and outputs the same layout [batch, channels, height, width].
// [Model.Noise] is what papers call a model's noise prediction, no matter what the network itself predicts:
//
//	model := diffusion.Small()
//	program, err := d.Compile("denoise", store, func(scope *model.Scope, in []*graph.Node) []*graph.Node {
//		return []*graph.Node{model.Noise(scope, in[0], in[1], in[2])}
//	})
package diffusion
