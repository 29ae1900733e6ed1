// Package persona makes the small world of SALMUBench: fictional people, their portraits, their private facts, and
// captions with these facts.
//
// [Generate] follows the five stages of the paper (arXiv:2603.26316, §7.3):
//
//  1. Anchors: the latents of a person (head, hair, skin, clothes, beard, glasses), each far from all previous ones.
//  2. Pictures: dozens per persona with other expressions, turns, light and grounds, some of them faulty as with
//     a real generator.
//  3. Filter: a small classifier that never saw these people drops distorted pictures, pictures of several people, and
//     pictures that contradict the majority's gender and group; personas with too few remaining pictures are dropped.
//     [FilterReport] has all rates, and how often the classifier was wrong.
//  4. Facts: a country of the group, a name, a city, a job and numbers in the country's formats. Check digits are
//     valid, ranges fictitious, names and numbers unique.
//  5. Captions: one fact per picture, in one of five ways of rephrasing, with name and value verbatim.
//
// In addition to the sensitive rows there are rows to keep: generated people with generic captions, objects of many
// classes, and people in a second style of drawing that represent real photographs. Their captions use the same names
// and cities, though never a sensitive person's name. So a model that has seen nothing sensitive still links looks and
// names a little, as the paper's clean model does.
//
// A world is determined by its [Spec]. Pictures are not stored: [World.Render] draws the picture of a row on demand, in
// less than a tenth of a millisecond.
package persona
