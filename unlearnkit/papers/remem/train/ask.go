package train

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/graph"
	"github.com/gomlx/gomlx/core/tensors"
	"github.com/gomlx/gomlx/ml/model"

	"github.com/unlearnlab/unlearnlab/unlearnkit/papers/remem"
	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn/answering"
	"github.com/unlearnlab/unlearnlab/unlearnkit/zoo/llava"
)

const longest = 50 // largest number of tokens in an answer, as in FIUBench's code

// atOnce returns the batch size for questions. For a model of the paper's size, the logits at all positions of sixteen
// questions with pictures need 1.3 GB. Each step from logits to probabilities needs the same amount again.
func (w *witness) atOnce() int {
	if w.config.ImageTokens() > 100 {
		return 16
	}
	return 128
}

// rowsFor returns the batch size for a number of questions. It returns only a few different sizes, because each size
// needs its own compiled program.
func (w *witness) rowsFor(questions int) int {
	most := w.atOnce()
	for rows := most / 8; rows < most; rows *= 2 {
		if questions <= rows {
			return rows
		}
	}
	return most
}

// put is a tokenized question.
type put struct {
	at     int // index among all questions
	record answering.Record
}

// answers asks questions. Questions with answers of similar length share a batch, so that short answers need not wait
// for long ones.
func (w *witness) answers(ctx context.Context, questions []question, tell func(int)) ([]remem.Answer, error) {
	rows, asked := make([]remem.Answer, len(questions)), make([]put, len(questions))
	for i, q := range questions {
		drawn, err := q.picture()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.ID, err)
		}
		record, err := w.text.record(q.Question, q.Answer, pixels(w.config.Vision, drawn))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.ID, err)
		}
		asked[i] = put{i, record}
		rows[i] = remem.Answer{ID: q.ID, Part: q.part, Hop: string(q.Hop), Attribute: string(q.Attribute),
			Identity: int32(q.Identity), Question: q.Question, Reference: q.Answer, Keyword: q.Keyword}
	}
	slices.SortStableFunc(asked, func(a, b put) int { return cmp.Compare(len(a.record.Answer), len(b.record.Answer)) })
	for part := range slices.Chunk(asked, w.atOnce()) {
		if err := w.answer(ctx, rows, part); err != nil {
			return nil, err
		}
		tell(len(part))
	}
	return rows, nil
}

// answer asks the questions of one batch and fills in their rows.
func (w *witness) answer(ctx context.Context, rows []remem.Answer, part []put) error {
	prompts := make([]llava.Prompt, w.rowsFor(len(part)))
	for i := range prompts {
		r := part[min(i, len(part)-1)].record
		prompts[i] = llava.Prompt{IDs: r.Question, Pixels: r.Pixels}
	}
	outputs, err := w.generator.Generate(ctx, prompts, longest, w.text.end)
	if err != nil {
		return err
	}
	likely, err := w.likelihoods(ctx, part)
	if err != nil {
		return err
	}
	for i, p := range part {
		row := &rows[p.at]
		row.Output, row.LogProb = w.text.answer(outputs[i]), likely[i]
		if err := row.Measure(); err != nil {
			return err
		}
	}
	return nil
}

// likelihoods returns the mean log-probability of the tokens of each true answer.
func (w *witness) likelihoods(ctx context.Context, part []put) ([]float32, error) {
	config := w.config
	size := config.Vision.Channels * config.Vision.Image * config.Vision.Image
	length, count := 0, w.rowsFor(len(part))
	rows := make([][]int32, count)
	for i := range rows {
		r := part[min(i, len(part)-1)].record
		asked, err := config.Expand(r.Question)
		if err != nil {
			return nil, err
		}
		rows[i] = append(slices.Clone(asked), r.Answer...)
		length = max(length, (len(rows[i])+15)/16*16)
	}
	ids, seen, begins := make([]int32, count*length), make([]float32, count*size), make([]int32, count)
	ends := make([]int32, count)
	for i, row := range rows {
		r := part[min(i, len(part)-1)].record
		copy(ids[i*length:], row)
		copy(seen[i*size:], r.Pixels)
		begins[i], ends[i] = int32(len(row)-len(r.Answer)), int32(len(row))
	}
	if w.scorer == nil {
		var err error
		w.scorer, err = w.device.Compile("score true answers", w.scope.Store(), w.scoreAnswers)
		if err != nil {
			return nil, err
		}
	}
	c := config.Vision
	outputs, err := w.scorer.Run(ctx, tensors.FromFlatDataAndDimensions(ids, count, length),
		tensors.FromFlatDataAndDimensions(seen, count, c.Channels, c.Image, c.Image),
		tensors.FromFlatDataAndDimensions(begins, count, 1), tensors.FromFlatDataAndDimensions(ends, count, 1))
	if err != nil {
		return nil, err
	}
	return tensors.MustCopyFlatData[float32](outputs[0]), nil
}

// scoreAnswers returns the mean log-probability of each row's tokens from begin to end.
func (w *witness) scoreAnswers(_ *model.Scope, x []*graph.Node) []*graph.Node {
	scope := w.scope.Store().Scope(w.scope.Scope())
	logProbs := llava.LogProbs(llava.Logits(scope, w.config, x[1], x[0], nil), x[0]) // one value per next token
	place := graph.AddScalar(graph.Iota(x[0].Graph(), graph.Slice(x[0], graph.AxisRange(),
		graph.AxisRange(1)).Shape(), 1), 1)
	inside := graph.ConvertDType(graph.LogicalAnd(
		graph.GreaterOrEqual(place, graph.BroadcastToShape(x[2], place.Shape())),
		graph.LessThan(place, graph.BroadcastToShape(x[3], place.Shape()))), logProbs.DType())
	count := graph.ConvertDType(graph.Sub(x[3], x[2]), logProbs.DType())
	return []*graph.Node{graph.Div(graph.ReduceSum(graph.Mul(logProbs, inside), 1), graph.Reshape(count, -1))}
}

// choose answers multiple-choice questions. It chooses the most likely of the four letters, for each order of the
// options.
func (w *witness) choose(ctx context.Context, e examination, tell func(int)) (rows []remem.Choice, err error) {
	var letters []int32
	for _, letter := range []string{"A", "B", "C", "D"} {
		r, err := w.text.record("?", letter, nil)
		if err != nil {
			return nil, err
		}
		letters = append(letters, r.Answer[0])
	}
	var prompts []llava.Prompt
	for _, c := range e.choices {
		seen := pixels(w.config.Vision, picture(e.people.world.Crowd.Picture(c.Person, c.Picture)))
		for by, rotated := range c.Rotations() {
			r, err := w.text.record(rotated.Prompt(), rotated.Letter(), seen)
			if err != nil {
				return nil, err
			}
			prompts = append(prompts, llava.Prompt{IDs: r.Question, Pixels: r.Pixels})
			rows = append(rows, remem.Choice{ID: c.ID, Rotation: int32(by), Truth: int32(rotated.Answer)})
		}
	}
	atOnce := w.atOnce()
	for begin := 0; begin < len(prompts); begin += atOnce {
		part := make([]llava.Prompt, w.rowsFor(len(prompts)-begin))
		for i := range part {
			part[i] = prompts[min(begin+i, len(prompts)-1)]
		}
		chosen, err := w.generator.Choose(ctx, part, letters...)
		if err != nil {
			return nil, err
		}
		for i := range min(atOnce, len(rows)-begin) {
			rows[begin+i].Chosen = int32(chosen[i])
		}
		tell(min(atOnce, len(rows)-begin))
	}
	return rows, nil
}
