// Package persona makes the small world of SALMUBench: people who do not exist, their portraits, their private facts,
// and captions that tell them.
//
// [Generate] follows the five stages of the paper (arXiv:2603.26316, §7.3):
//
//  1. Anchors: the latents of a person (head, hair, skin, clothes, beard, glasses), each far from all before.
//  2. Pictures: some dozens of a persona with other expressions, turns, light and grounds, of which some go wrong as
//     with a real generator.
//  3. Filter: a small classifier that never saw these people drops distorted pictures, pictures of several people, and
//     pictures that contradict the majority's gender and group; personas with too few pictures left are dropped.
//     [FilterReport] has all rates, and how often the classifier was wrong.
//  4. Facts: a country of the group, a name, a city, a job and numbers in the country's formats. Check digits are
//     right, ranges fictitious, names and numbers unique.
//  5. Captions: one fact a picture, in one of five ways of rephrasing, with name and value verbatim.
//
// Beside the sensitive rows stand those to keep: generated people with generic captions, objects of many classes, and
// people in a second style of drawing that stand for real photographs. Their captions use the same names and cities,
// though never a sensitive person's name, so that a model that has seen nothing sensitive still links looks and names a
// little, as the paper's clean model does.
//
// A world is determined by its [Spec]. Pictures are not stored: [World.Render] draws the picture of a row when it is
// wanted, in less than a tenth of a millisecond.
package persona
