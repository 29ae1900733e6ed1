// Package concept makes the visual world of "Unlearning or Concealment?": small pictures with captions, in which
// objects, styles and textures can be forgotten.
//
// A picture shows one of eight objects in one of five styles, in one of five colours, and bare, spotted or banded. What
// the paper asks of Stable Diffusion is asked here of these:
//
//	an artist's style (Van Gogh, Killian Eng, Greg Rutkowski)     a style (swirl, neon, mosaic)
//	nudity, and clothes that are to be kept                       spots, and bands
//	a thing (grumpy cat, desert rose)                             an object (cat, rose)
//	one of a kind (R2D2 among robots)                             a droid: a blue robot
//
// Captions are of a few words out of 24 and leave out some of what is to be seen. [PaperPrompts] has a counterpart of
// each of the paper's prompts, which shares words with the others as the paper's do; [Erasures] are the concepts to
// forget. [Erasure.Tuning] gives prompts to choose a method's settings by, and [Erasure.Pairs] such as a method may
// learn from; none of them is used to judge it. Captions of training pictures may be any prompts, as those that Stable
// Diffusion has seen.
//
// A world is determined by its [Spec]. Pictures are not stored: [World.Render] draws one when it is wanted, in less
// than a millisecond. A picture depends on the seed, its split and its number there alone, so a world without a concept
// ([Spec.Without]) has the very pictures of the whole world but for those of the concept: a gold model trained on it
// has seen the same and no others.
package concept
