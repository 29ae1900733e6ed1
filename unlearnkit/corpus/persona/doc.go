// Package persona generates the small world of SALMUBench: fictional people, their portraits, their private facts, and
// captions with these facts.
//
// [Generate] follows the five stages of the paper (arXiv:2603.26316, §7.3):
//
//  1. Anchors: the look of each person (head, hair, skin, clothes, beard, glasses), clearly different from all
//     earlier looks.
//  2. Pictures: dozens per persona with other expressions, rotations, light and backgrounds. Some are wrong, as with
//     a real generator.
//  3. Filter: a small classifier that never saw these people drops distorted pictures, pictures of several people, and
//     pictures that contradict the majority's gender and group. Personas with too few remaining pictures are dropped.
//     [FilterReport] counts dropped pictures and the classifier's errors.
//  4. Facts: a country of the group, a name, a city, a job and numbers in the country's formats. Check digits are
//     valid, number ranges are fictitious, and names and numbers are unique.
//  5. Captions: one fact per picture, in one of five ways of rephrasing, with name and value verbatim.
//
// There are sensitive rows and rows to keep. Rows to keep show generated people with generic captions, objects of many
// classes, and people drawn in a second style, which represent real photographs. Their captions use the same cities and
// similar names, but never a sensitive person's name. So even a model that has seen nothing sensitive links looks and
// names a little, like the paper's clean model.
//
// A [Spec] determines a world. Pictures are not stored: [World.Render] draws a row's picture on demand, in less than a
// tenth of a millisecond.
package persona
