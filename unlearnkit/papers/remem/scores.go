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

// Parts of the questions, from the view of a model that is to forget.
const (
	PartForget      = "forget"       // D_f: training questions about the people to forget
	PartRetain      = "retain"       // D'_r: one question for each attribute and hop of the other people
	PartTest        = "test"         // D_t: unseen wording and layouts, about the people to forget
	PartTrain       = "train"        // D: training questions about everybody
	PartParaphrase  = "paraphrase"   // training questions in other words, with training pictures
	PartReverse     = "reverse"      // questions from the value to the name
	PartFirstPerson = "first person" // questions as if asked by the person in the picture
)

// Answer is a model's answer to a question, with its scores.
type Answer struct {
	ID        string  `parquet:"id,dict"`
	Part      string  `parquet:"part,dict"`
	Hop       string  `parquet:"hop,dict"`
	Attribute string  `parquet:"attribute,dict"`
	Identity  int32   `parquet:"identity,dict"`
	Question  string  `parquet:"question,dict"`
	Reference string  `parquet:"reference,dict"` // the true answer
	Keyword   string  `parquet:"keyword,dict"`   // part of the true answer that counts
	Output    string  `parquet:"output,dict"`    // the model's answer
	LogProb   float32 `parquet:"log_prob"`       // mean log-probability of the true answer's tokens

	// Scores that [Answer.Measure] computes.
	Right  bool    `parquet:"right"`      // the output contains the keyword
	Recall float32 `parquet:"rouge"`      // ROUGE-L recall of the output, as in TOFU and FIUBench
	F1     float32 `parquet:"rouge_f1"`   // ROUGE-L F1, as in MLLMU-Bench
	Judged float32 `parquet:"rule_judge"` // score of the rule judge, from 0 to 100
}

// Measure compares the model's output with the true answer. A keyword counts as a whole word or number, so that
// "female" does not contain "male".
func (a *Answer) Measure() error {
	rouge := metric.ROUGEL(a.Reference, a.Output)
	judgment, err := metric.RuleJudge{}.Judge(context.Background(), metric.JudgeCase{Question: a.Question,
		GroundTruth: a.Reference, Output: a.Output, PII: []string{a.Keyword}})
	a.Right = metric.KeywordMatchWhole(a.Output, a.Keyword) == 1
	a.Recall, a.F1, a.Judged = float32(rouge.Recall), float32(rouge.F1), float32(judgment.Score)
	return err
}

// Secret is the rank of the true value among all values of an attribute in the world.
type Secret struct {
	Part       string  `parquet:"part,dict"` // forget, or train if everybody is asked about
	Hop        string  `parquet:"hop,dict"`
	Attribute  string  `parquet:"attribute,dict"`
	Identity   int32   `parquet:"identity,dict"`
	Rank       int32   `parquet:"rank,dict"`
	Candidates int32   `parquet:"candidates,dict"`
	Tokens     int32   `parquet:"tokens,dict"`
	Inverse    float32 `parquet:"inverse_perplexity"` // inverse perplexity of the true value
	MinK       float32 `parquet:"min_k"`              // mean probability of its least likely tenth of tokens
}

// Choice is the most likely option of a multiple-choice question, for a model.
type Choice struct {
	ID       string `parquet:"id,dict"`
	Rotation int32  `parquet:"rotation,dict"` // number of places by which the options were rotated
	Truth    int32  `parquet:"truth,dict"`
	Chosen   int32  `parquet:"chosen,dict"`
}

// RelearntFile names the file of answers after a number of relearning passes.
func RelearntFile(passes int) string { return fmt.Sprintf("answers-%d.parquet", passes) }

// WriteAnswers writes one row per answer.
func WriteAnswers(path string, answers []Answer) error { return safefile.WriteRows(path, answers) }

// Scores holds the raw scores of a model.
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

// ReadScores reads the files that Write has written. A missing file of secrets or choices gives no rows.
func ReadScores(artifact *store.Artifact) (Scores, error) {
	s, _, err := readScores(artifact)
	return s, err
}

// readScores reads the same files as rows and as tables.
func readScores(artifact *store.Artifact) (s Scores, tables map[string]*safefile.Frame, err error) {
	tables = map[string]*safefile.Frame{}
	for _, name := range []string{AnswersFile, SecretsFile, ChoicesFile} {
		if name != AnswersFile && !artifact.Has(name) {
			continue
		}
		if tables[name], err = artifact.ReadTable(name); err != nil {
			return s, nil, err
		}
		switch name {
		case AnswersFile:
			s.Answers, err = safefile.RowsOf[Answer](tables[name])
		case SecretsFile:
			s.Secrets, err = safefile.RowsOf[Secret](tables[name])
		default:
			s.Choices, err = safefile.RowsOf[Choice](tables[name])
		}
		if err != nil {
			return s, nil, err
		}
	}
	return s, tables, nil
}

// readRows reads a table of an artifact.
func readRows[T any](artifact *store.Artifact, name string) ([]T, error) {
	frame, err := artifact.ReadTable(name)
	if err != nil {
		return nil, err
	}
	return safefile.RowsOf[T](frame)
}
