package answering

import (
	"errors"
	"fmt"
	"slices"

	"github.com/gomlx/gomlx/core/tensors"

	"github.com/unlearnlab/unlearnlab/unlearnkit/unlearn"
)

// Record is a question with its answer, in tokens.
type Record struct {
	// Question is the prompt: the beginning of a text, and the picture's placeholder if the answer is about a picture.
	Question []int32
	// Answer includes its end token.
	Answer []int32
	// Pixels are the preprocessed values of the picture [channels, height, width]; nil without a picture.
	Pixels []float32
}

// Data holds the records to forget and to keep. Parts that no method of a run reads may be left out.
type Data struct {
	Forget, Retain []Record
	// Refusals are the answers from which [DPO] and [PO] draw; each includes its end token.
	Refusals [][]int32
	// Pad is the padding token. Answers do not depend on it, but [KL] compares models at padding too.
	Pad int32
}

// step is the unit of text lengths: lengths are multiples of it, so that few programs are compiled and no text is much
// too long.
const step = 8

// paddedLength returns the common length of texts whose longest has the given number of tokens.
func paddedLength(longest int) int { return (longest + step - 1) / step * step }

// NewTask returns the task of a model with records to forget and to keep.
func NewTask(m Model, data Data) (Task, error) {
	if data.Pad < 0 || int(data.Pad) >= m.config.Text.Vocabulary || data.Pad == m.config.Placeholder {
		return Task{}, fmt.Errorf("padding cannot be the token %d: the vocabulary has %d tokens, the picture's is %d",
			data.Pad, m.config.Text.Vocabulary, m.config.Placeholder)
	}
	task := Task{Streams: unlearn.Streams{}, View: func(w unlearn.Weights) View { return View{m, w} }}
	longest := 0
	for i, refusal := range data.Refusals {
		if err := m.checkTokens(refusal, "answer"); err != nil {
			return Task{}, fmt.Errorf("refusal %d: %w", i, err)
		}
		longest = max(longest, len(refusal))
	}
	for _, name := range []string{unlearn.Forget, unlearn.Retain} {
		records, room := data.Retain, 0
		if name == unlearn.Forget {
			records, room = data.Forget, longest
		}
		if len(records) == 0 {
			continue
		}
		stream, err := m.texts(records, data.Pad, room)
		if err != nil {
			return Task{}, fmt.Errorf("%s: %w", name, err)
		}
		task.Streams[name] = stream
	}
	if len(data.Refusals) > 0 {
		task.Streams[Refusals] = refusals(data.Refusals, data.Pad, paddedLength(longest+1))
	}
	return task, nil
}

// refusals returns the stream of refusals, with padding after each as [Rows.Refusing] needs.
func refusals(answers [][]int32, pad int32, length int) unlearn.Table {
	ids, ends := make([]int32, 0, len(answers)*length), make([]int32, 0, len(answers))
	for _, answer := range answers {
		ids = append(append(ids, answer...), slices.Repeat([]int32{pad}, length-len(answer))...)
		ends = append(ends, int32(len(answer)))
	}
	return unlearn.Table{Text: tensors.FromFlatDataAndDimensions(ids, len(answers), length),
		End: tensors.FromFlatDataAndDimensions(ends, len(ends))}
}

// texts is a stream of records whose rows have one length.
type texts struct {
	records []Record // records with expanded questions
	pad     int32
	length  int
	picture []int // the shape of a picture; nil if the model reads none
}

// texts checks records and makes a stream of them, with room for an answer of room tokens after every question.
func (m Model) texts(records []Record, pad int32, room int) (*texts, error) {
	t := &texts{records: slices.Clone(records), pad: pad}
	if m.visual {
		t.picture = []int{m.config.Vision.Channels, m.config.Vision.Image, m.config.Vision.Image}
	}
	longest := 0
	for i := range t.records {
		record := &t.records[i]
		if err := m.check(record, t.picture, room); err != nil {
			return nil, fmt.Errorf("record %d: %w", i, err)
		}
		longest = max(longest, len(record.Question)+max(len(record.Answer), room))
	}
	t.length = paddedLength(longest)
	return t, nil
}

// check expands a record's question, and returns an error if the model cannot read the record.
func (m Model) check(r *Record, picture []int, room int) error {
	if err := m.checkTokens(r.Question, "question"); err != nil {
		return err
	}
	if err := m.checkTokens(r.Answer, "answer"); err != nil {
		return err
	}
	shown, size := slices.Contains(r.Question, m.config.Placeholder), 1
	for _, n := range picture {
		size *= n
	}
	switch {
	case slices.Contains(r.Answer, m.config.Placeholder):
		return errors.New("its answer has the placeholder of a picture")
	case !m.visual && r.Pixels != nil:
		return errors.New("it has a picture, but the model is a decoder without vision")
	case shown != (r.Pixels != nil):
		return errors.New("it must have a placeholder in its question and a picture, or neither")
	case r.Pixels != nil && len(r.Pixels) != size:
		return fmt.Errorf("its picture has %d values, the model takes %v", len(r.Pixels), picture)
	}
	if m.visual {
		expanded, err := m.config.Expand(r.Question)
		if err != nil {
			return err
		}
		r.Question = expanded
	}
	if tokens := len(r.Question) + max(len(r.Answer), room); tokens > m.config.Text.Context {
		return fmt.Errorf("it has %d tokens with its answer or the longest refusal, the model was made for %d", tokens,
			m.config.Text.Context)
	}
	return nil
}

// checkTokens returns an error if the tokens of a question or an answer are not valid.
func (m Model) checkTokens(ids []int32, what string) error {
	if len(ids) == 0 {
		return fmt.Errorf("its %s has no tokens", what)
	}
	for _, id := range ids {
		if id < 0 || int(id) >= m.config.Text.Vocabulary {
			return fmt.Errorf("its %s has the token %d, the vocabulary goes from 0 to %d", what, id,
				m.config.Text.Vocabulary-1)
		}
	}
	return nil
}

// Rows implements [unlearn.Stream].
func (t *texts) Rows() int { return len(t.records) }

// Columns implements [unlearn.Stream].
func (t *texts) Columns() []string {
	if t.picture == nil {
		return []string{Begin, End, Text}
	}
	return []string{Begin, End, Text, Pixels}
}

// Batch implements [unlearn.Stream].
func (t *texts) Batch(rows []int) ([]*tensors.Tensor, error) {
	var begins, ends, ids []int32
	var pixels []float32
	size := 1
	for _, n := range t.picture {
		size *= n
	}
	for _, row := range rows {
		r := t.records[row]
		begin, end := len(r.Question), len(r.Question)+len(r.Answer)
		begins, ends = append(begins, int32(begin)), append(ends, int32(end))
		ids = append(append(append(ids, r.Question...), r.Answer...), slices.Repeat([]int32{t.pad}, t.length-end)...)
		if r.Pixels == nil {
			pixels = append(pixels, make([]float32, size)...) // ignored by the model
		}
		pixels = append(pixels, r.Pixels...)
	}
	columns := []*tensors.Tensor{tensors.FromFlatDataAndDimensions(begins, len(rows)),
		tensors.FromFlatDataAndDimensions(ends, len(rows)), tensors.FromFlatDataAndDimensions(ids, len(rows), t.length)}
	if t.picture != nil {
		columns = append(columns, tensors.FromFlatDataAndDimensions(pixels, append([]int{len(rows)}, t.picture...)...))
	}
	return columns, nil
}
