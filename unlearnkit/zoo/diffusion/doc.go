// Package diffusion implements text-to-image diffusion as in Stable Diffusion 1.x, at any size: the UNet with
// cross-attention, the autoencoder, and sampling with classifier-free guidance. Package schedule below it has the noise
// process and the solvers.
//
// Tensors have diffusers' names; inputs and outputs have its layout [batch, channels, height, width]. [Model.Noise] is
// what the papers call a model's noise prediction, whatever the network itself outputs:
//
//	model := diffusion.Small()
//	program, err := d.Compile("denoise", store, func(scope *model.Scope, in []*graph.Node) []*graph.Node {
//		return []*graph.Node{model.Noise(scope, in[0], in[1], in[2])}
//	})
package diffusion
