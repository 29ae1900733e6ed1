// Package concept generates the visual world of "Unlearning or Concealment?": small pictures with captions. A model
// trained on them can forget objects, styles and textures.
//
// A picture shows one of eight objects in one of five styles and one of five colours. The object is bare, spotted or
// banded. The concepts of the paper's experiments with Stable Diffusion correspond to concepts of this world:
//
//	an artist's style (Van Gogh, Killian Eng, Greg Rutkowski)     a style (swirl, neon, mosaic)
//	nudity, and clothes that are to be kept                       spots, and bands
//	a thing (grumpy cat, desert rose)                             an object (cat, rose)
//	one of a kind (R2D2 among robots)                             a droid: a blue robot
//
// Captions consist of a few words out of 24 and do not mention everything that the picture shows. [PaperPrompts] has a
// counterpart for each of the paper's prompts; counterparts share words where the paper's prompts do. [Erasures]
// returns the concepts to forget. [Erasure.Tuning] returns prompts for choosing a method's settings, and
// [Erasure.Pairs] returns prompts from which a method may learn. Neither includes evaluation prompts. Captions of
// training pictures may equal any prompt, as with Stable Diffusion.
//
// A [Spec] determines a world. Pictures are not stored: [World.Render] draws a picture on demand, in less than a
// millisecond. A picture depends only on the seed, its split and its index. So if a world leaves out a concept
// ([Spec.Without]), its other pictures are the same as in the whole world. Gold models are trained on such worlds.
package concept
