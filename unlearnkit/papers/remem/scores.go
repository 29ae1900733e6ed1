package remem

import (
	"context"
	"fmt"

	"github.com/unlearnlab/unlearnlab/unlearnkit/metric"
	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// Files of a judgement.
const (
	AnswersFile = "answers.parquet"
	SecretsFile = "secrets.parquet"
	ChoicesFile = "choices.parquet"
)

// Parts of the questions, by what they are to a model that is to forget.
const (
	PartForget      = "forget"       // D_f: what the forgotten people were learnt from
	PartRetain      = "retain"       // D'_r: a question for each attribute and hop of the others
	PartTest        = "test"         // D_t: unseen wording and layouts, of the forgotten people
	PartTrain       = "train"        // D: what everybody was learnt from
	PartParaphrase  = "paraphrase"   // other words, pictures of training
	PartReverse     = "reverse"      // from the value to the name
	PartFirstPerson = "first person" // as if the one in the picture asked
)

// Answer is what a model says to a question.
type Answer struct {
	ID        string  `parquet:"id,dict"`
	Part      string  `parquet:"part,dict"`
	Hop       string  `parquet:"hop,dict"`
	Attribute string  `parquet:"attribute,dict"`
	Identity  int32   `parquet:"identity,dict"`
	Question  string  `parquet:"question,dict"`
	Reference string  `parquet:"reference,dict"` // the true answer
	Keyword   string  `parquet:"keyword,dict"`   // what of it counts
	Output    string  `parquet:"output,dict"`    // what the model says
	LogProb   float32 `parquet:"log_prob"`       // of the true answer, the mean over its tokens

	// What [Answer.Measure] makes of the words.
	Right  bool    `parquet:"right"`      // the output has the keyword
	Recall float32 `parquet:"rouge"`      // ROUGE-L of the output, as TOFU and FIUBench have it
	F1     float32 `parquet:"rouge_f1"`   // as MLLMU-Bench has it
	Judged float32 `parquet:"rule_judge"` // from 0 to 100, by rules
}

// Measure compares what a model says with the truth. A keyword counts as a whole word or number: a woman who is called
// "female" is not called "male".
func (a *Answer) Measure() error {
	rouge := metric.ROUGEL(a.Reference, a.Output)
	judgment, err := metric.RuleJudge{}.Judge(context.Background(), metric.JudgeCase{Question: a.Question,
		GroundTruth: a.Reference, Output: a.Output, PII: []string{a.Keyword}})
	a.Right = metric.KeywordMatchWhole(a.Output, a.Keyword) == 1
	a.Recall, a.F1, a.Judged = float32(rouge.Recall), float32(rouge.F1), float32(judgment.Score)
	return err
}

// Secret is where the true value stands among all values that an attribute has in the world.
type Secret struct {
	Part       string  `parquet:"part,dict"` // forget, or train where everybody is asked about
	Hop        string  `parquet:"hop,dict"`
	Attribute  string  `parquet:"attribute,dict"`
	Identity   int32   `parquet:"identity,dict"`
	Rank       int32   `parquet:"rank,dict"`
	Candidates int32   `parquet:"candidates,dict"`
	Tokens     int32   `parquet:"tokens,dict"`
	Inverse    float32 `parquet:"inverse_perplexity"` // of the true value
	MinK       float32 `parquet:"min_k"`              // the mean probability of its least likely tenth of tokens
}

// Choice is the option that a model finds likeliest of a multiple-choice question.
type Choice struct {
	ID       string `parquet:"id,dict"`
	Rotation int32  `parquet:"rotation,dict"` // places that the options were moved on by
	Truth    int32  `parquet:"truth,dict"`
	Chosen   int32  `parquet:"chosen,dict"`
}

// RelearntFile names the answers after so many passes over what is learnt again.
func RelearntFile(passes int) string { return fmt.Sprintf("answers-%d.parquet", passes) }

// WriteAnswers writes one row an answer.
func WriteAnswers(path string, answers []Answer) error { return safefile.WriteRows(path, answers) }

// ReadRelearnt reads the answers after so many passes.
func ReadRelearnt(artifact *store.Artifact, passes int) ([]Answer, error) {
	return readAnswers(artifact, RelearntFile(passes))
}

// Scores are the raw scores of a model.
type Scores struct {
	Answers []Answer
	Secrets []Secret
	Choices []Choice
}

// Write writes the files of a judgement into a folder of its artifact.
func (s Scores) Write(path func(name string) string) error {
	if err := WriteAnswers(path(AnswersFile), s.Answers); err != nil {
		return err
	}
	if len(s.Secrets) > 0 {
		if err := safefile.WriteRows(path(SecretsFile), s.Secrets); err != nil {
			return err
		}
	}
	if len(s.Choices) > 0 {
		return safefile.WriteRows(path(ChoicesFile), s.Choices)
	}
	return nil
}

// ReadScores reads what Write has written; a file that was not written has no rows.
func ReadScores(artifact *store.Artifact) (s Scores, err error) {
	if s.Answers, err = readAnswers(artifact, AnswersFile); err != nil {
		return s, err
	}
	if artifact.Has(SecretsFile) {
		if s.Secrets, err = readSecrets(artifact); err != nil {
			return s, err
		}
	}
	if artifact.Has(ChoicesFile) {
		s.Choices, err = readChoices(artifact)
	}
	return s, err
}

// reader reads columns of a table into rows and keeps the first error.
type reader struct {
	frame interface {
		Words(column string) ([]string, error)
		Numbers(column string) ([]float64, error)
		Rows() int
	}
	err error
}

func (r *reader) words(column string, into func(row int, word string)) {
	if r.err != nil {
		return
	}
	words, err := r.frame.Words(column)
	for i, word := range words {
		into(i, word)
	}
	r.err = err
}

func (r *reader) numbers(column string, into func(row int, number float64)) {
	if r.err != nil {
		return
	}
	numbers, err := r.frame.Numbers(column)
	for i, number := range numbers {
		into(i, number)
	}
	r.err = err
}

func readAnswers(artifact *store.Artifact, name string) ([]Answer, error) {
	frame, err := artifact.ReadTable(name)
	if err != nil {
		return nil, err
	}
	r := &reader{frame: frame}
	rows := make([]Answer, frame.Rows())
	r.words("id", func(i int, word string) { rows[i].ID = word })
	r.words("part", func(i int, word string) { rows[i].Part = word })
	r.words("hop", func(i int, word string) { rows[i].Hop = word })
	r.words("attribute", func(i int, word string) { rows[i].Attribute = word })
	r.words("question", func(i int, word string) { rows[i].Question = word })
	r.words("reference", func(i int, word string) { rows[i].Reference = word })
	r.words("keyword", func(i int, word string) { rows[i].Keyword = word })
	r.words("output", func(i int, word string) { rows[i].Output = word })
	r.numbers("identity", func(i int, number float64) { rows[i].Identity = int32(number) })
	r.numbers("log_prob", func(i int, number float64) { rows[i].LogProb = float32(number) })
	r.numbers("right", func(i int, number float64) { rows[i].Right = number > 0 })
	r.numbers("rouge", func(i int, number float64) { rows[i].Recall = float32(number) })
	r.numbers("rouge_f1", func(i int, number float64) { rows[i].F1 = float32(number) })
	r.numbers("rule_judge", func(i int, number float64) { rows[i].Judged = float32(number) })
	return rows, named(name, r.err)
}

func readSecrets(artifact *store.Artifact) ([]Secret, error) {
	frame, err := artifact.ReadTable(SecretsFile)
	if err != nil {
		return nil, err
	}
	r := &reader{frame: frame}
	rows := make([]Secret, frame.Rows())
	r.words("part", func(i int, word string) { rows[i].Part = word })
	r.words("hop", func(i int, word string) { rows[i].Hop = word })
	r.words("attribute", func(i int, word string) { rows[i].Attribute = word })
	r.numbers("identity", func(i int, number float64) { rows[i].Identity = int32(number) })
	r.numbers("rank", func(i int, number float64) { rows[i].Rank = int32(number) })
	r.numbers("candidates", func(i int, number float64) { rows[i].Candidates = int32(number) })
	r.numbers("tokens", func(i int, number float64) { rows[i].Tokens = int32(number) })
	r.numbers("inverse_perplexity", func(i int, number float64) { rows[i].Inverse = float32(number) })
	r.numbers("min_k", func(i int, number float64) { rows[i].MinK = float32(number) })
	return rows, named(SecretsFile, r.err)
}

func readChoices(artifact *store.Artifact) ([]Choice, error) {
	frame, err := artifact.ReadTable(ChoicesFile)
	if err != nil {
		return nil, err
	}
	r := &reader{frame: frame}
	rows := make([]Choice, frame.Rows())
	r.words("id", func(i int, word string) { rows[i].ID = word })
	r.numbers("rotation", func(i int, number float64) { rows[i].Rotation = int32(number) })
	r.numbers("truth", func(i int, number float64) { rows[i].Truth = int32(number) })
	r.numbers("chosen", func(i int, number float64) { rows[i].Chosen = int32(number) })
	return rows, named(ChoicesFile, r.err)
}

func named(file string, err error) error {
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
