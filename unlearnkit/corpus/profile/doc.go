// Package profile makes people who do not exist, with pictures of them and questions about them.
//
// It is what a small vision-language model learns and is made to forget. The counts follow arXiv:2605.03759: a world
// has 20 people of 14 attributes; each has 100 pictures with a question each to learn from, 70 of which name the person
// and 30 do not, and 28 pictures and questions to be tested by, whose templates and layouts are seen nowhere else.
// [Set.Divide] cuts out what is to be forgotten and what stays.
//
// [Generate] follows the paper's order. Looks are drawn far from each other; two anchor pictures fix them; further
// pictures vary pose, clothes, expression, background and light, and sometimes go wrong; a filter keeps those in which
// an embedding recognises the anchors, and [FilterReport] says how often it was right. Facts fit each other: the job
// wants its education, the salary its job, the marital status and the illness their age.
//
// Beside the private people stand public ones of the same form, whom a base model may know, and a crowd that a vision
// tower learns to tell apart and that multiple-choice questions are about ([World.Choices]).
//
// A world is determined by its [Spec]. Pictures are not stored: they are drawn when they are wanted, with the same
// pixels on every processor.
package profile
