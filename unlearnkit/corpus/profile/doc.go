// Package profile generates fictional people, pictures of them, and questions about them.
//
// A small vision-language model is trained on these data and then unlearns a part of them. The counts follow
// arXiv:2605.03759: a world has 20 people with 14 attributes each. Each person has 100 training pictures with one
// question each; 70 questions name the person and 30 do not. For the test, each person has 28 more pictures and
// questions, whose templates and layouts occur nowhere else. [Set.Divide] divides a set into what to forget and what to
// retain.
//
// [Generate] follows the order of the paper. People look clearly different, and two anchor pictures define each look.
// Further pictures vary pose, clothes, expression, background and light, and are sometimes wrong. A filter keeps the
// pictures whose embeddings are similar to the anchors'. [FilterReport] counts its errors. Facts are consistent:
// education fits the job, salary depends on the job, and marital status and illness depend on age.
//
// A world also has public people with data of the same kind, which a base model may know, and a crowd for training a
// vision tower and for multiple-choice questions ([World.Choices]).
//
// A [Spec] determines a world. Pictures are not stored; they are drawn on demand, with the same pixels on every
// processor.
package profile
