package judge

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
)

// ErrUnanswered means that the answer to a question is not stored and that no model can be asked.
var ErrUnanswered = errors.New("no answer to it is kept, and no endpoint is named")

// Remembering is a judge that asks a language model with the prompt of [metric.JudgePrompt] and stores the answers. It
// asks once per prompt, even if several outputs with the same prompt are judged at the same time. Several goroutines
// may use it.
type Remembering struct {
	model   metric.LanguageModel
	name    string
	answers *Answers
	now     singleflight.Group
}

// NewRemembering returns a judge that stores answers under the model's name. model may be nil if all needed answers are
// stored.
func NewRemembering(model metric.LanguageModel, name string, answers *Answers) *Remembering {
	return &Remembering{model: model, name: name, answers: answers}
}

// Judge scores c. If an answer cannot be parsed, it asks again, see [metric.LanguageModelJudge].
func (r *Remembering) Judge(ctx context.Context, c metric.JudgeCase) (metric.Judgment, error) {
	key := r.key(c)
	judged, err, _ := r.now.Do(key, func() (any, error) {
		return metric.LanguageModelJudge{Model: &conversation{r, key, 0}}.Judge(ctx, c)
	})
	return judged.(metric.Judgment), err
}

func (r *Remembering) key(c metric.JudgeCase) string {
	system, user := metric.JudgePrompt(c)
	return Key(r.name, system, user)
}

// Lacks returns how many distinct prompts of the cases have no stored answer.
func (r *Remembering) Lacks(cases []metric.JudgeCase) int {
	lacking := map[string]bool{}
	for _, c := range cases {
		key := r.key(c)
		if _, answered := r.answers.Get(key, 1); !answered {
			lacking[key] = true
		}
	}
	return len(lacking)
}

// conversation answers the requests for one output. It returns the stored answers first, and then asks the model.
type conversation struct {
	*Remembering
	key     string
	attempt int
}

// Complete returns the next answer to the prompt.
func (c *conversation) Complete(ctx context.Context, system, user string) (string, error) {
	c.attempt++
	if answer, kept := c.answers.Get(c.key, c.attempt); kept {
		return answer, nil
	}
	if c.model == nil {
		return "", ErrUnanswered
	}
	answer, err := c.model.Complete(ctx, system, user)
	if err != nil {
		return "", err
	}
	return answer, c.answers.Put(c.key, c.attempt, c.name, answer)
}

// All judges outputs, at most atOnce at the same time. After an error it starts no further ones. The error contains the
// number of the output, counted from 1. If done is not nil, it is called after each output, never by two goroutines at
// once.
func All(ctx context.Context, judge metric.Judge, cases []metric.JudgeCase, atOnce int, done func()) (
	[]metric.Judgment, error) {
	judgments := make([]metric.Judgment, len(cases))
	group, limited := errgroup.WithContext(ctx)
	group.SetLimit(max(1, atOnce))
	var telling sync.Mutex
	for i, c := range cases {
		if limited.Err() != nil {
			break
		}
		group.Go(func() (err error) {
			if limited.Err() != nil {
				return limited.Err() // an error occurred before this goroutine started
			}
			if judgments[i], err = judge.Judge(limited, c); err != nil {
				return fmt.Errorf("output %d: %w", i+1, err)
			}
			if done != nil {
				telling.Lock()
				defer telling.Unlock()
				done()
			}
			return nil
		})
	}
	err := group.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, err
	}
	return judgments, nil
}
