// Package profile makes fictional people, with pictures of them and questions about them.
//
// They are the training data of a small vision-language model that is then made to forget. The counts follow
// arXiv:2605.03759: a world has 20 people with 14 attributes. Each person has 100 training pictures with one question
// each; 70 questions name the person and 30 do not. For the test there are 28 more pictures and questions, whose
// templates and layouts occur nowhere else. [Set.Divide] divides a set into what to forget and what to retain.
//
// [Generate] follows the paper's order. Looks are drawn far from each other, and two anchor pictures define them.
// Further pictures vary pose, clothes, expression, background and light, and are sometimes faulty. A filter keeps those
// in which an embedding recognises the anchors, and [FilterReport] reports how often it was right. Facts are
// consistent: the job requires its education, the salary depends on the job, and the marital status and the illness on
// age.
//
// In addition to the private people there are public ones of the same form, which a base model may know. There is also
// a crowd for training a vision tower and for multiple-choice questions ([World.Choices]).
//
// A world is determined by its [Spec]. Pictures are not stored: they are drawn on demand, with the same pixels on every
// processor.
package profile
