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
	return readRows[Answer](artifact, RelearntFile(passes))
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
	if s.Answers, err = readRows[Answer](artifact, AnswersFile); err != nil {
		return s, err
	}
	if artifact.Has(SecretsFile) {
		if s.Secrets, err = readRows[Secret](artifact, SecretsFile); err != nil {
			return s, err
		}
	}
	if artifact.Has(ChoicesFile) {
		s.Choices, err = readRows[Choice](artifact, ChoicesFile)
	}
	return s, err
}

// readRows reads a table of an artifact.
func readRows[T any](artifact *store.Artifact, name string) ([]T, error) {
	frame, err := artifact.ReadTable(name)
	if err != nil {
		return nil, err
	}
	return safefile.RowsOf[T](frame)
}
