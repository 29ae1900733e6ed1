// Package concept makes the visual world of "Unlearning or Concealment?": small pictures with captions, in which
// objects, styles and textures can be forgotten.
//
// A picture shows one of eight objects in one of five styles, in one of five colours, and bare, spotted or banded. The
// concepts of the paper's experiments with Stable Diffusion correspond to concepts here:
//
//	an artist's style (Van Gogh, Killian Eng, Greg Rutkowski)     a style (swirl, neon, mosaic)
//	nudity, and clothes that are to be kept                       spots, and bands
//	a thing (grumpy cat, desert rose)                             an object (cat, rose)
//	one of a kind (R2D2 among robots)                             a droid: a blue robot
//
// Captions consist of a few words out of 24 and leave out some of what the picture shows. [PaperPrompts] has a
// counterpart for each of the paper's prompts, which shares words with the others as the paper's prompts do. [Erasures]
// are the concepts to forget. [Erasure.Tuning] returns prompts for choosing a method's settings, and [Erasure.Pairs]
// prompts from which a method may learn; none of them is used to evaluate it. Captions of training pictures may equal
// any prompt, as with Stable Diffusion.
//
// A world is determined by its [Spec]. Pictures are not stored: [World.Render] draws one on demand, in less than a
// millisecond. A picture depends only on the seed, its split and its number. So a world without a concept
// ([Spec.Without]) has exactly the other pictures of the whole world, and the gold model trained on it has seen these
// and no others.
package concept
