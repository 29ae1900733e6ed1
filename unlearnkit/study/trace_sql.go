package study

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// keyColumn is the column of published tables that names the run. keyDigits is how many digits of the run's key that
// column has.
const (
	keyColumn = "key"
	keyDigits = 12
)

// A query is a DuckDB statement that selects the rows of some runs. The runs differ only in their keys or files.
type query struct {
	keys  []string // keys of the runs; empty if every run has its own file
	files []string
	where []string
}

// queryOf returns the query for the rows of a reading. If partial is set, the query excludes rows without values.
func queryOf(at store.Location, rows Selection, frame *safefile.Frame, partial bool, place placing) (query, error) {
	q := query{files: []string{at.Path}}
	for _, label := range at.Labels {
		if label.Name == keyColumn && label.Texts != nil {
			q.keys = []string{fmt.Sprintf("%.*s", keyDigits, label.Texts[0])}
			continue
		}
		q.where = append(q.where, equal(label))
	}
	for _, c := range rows.Where {
		text, err := c.sql(frame, place)
		if err != nil {
			return q, err
		}
		q.where = append(q.where, text)
	}
	if partial {
		var there []string
		for _, name := range rows.Values {
			there = append(there, "isfinite("+identifier(name)+")") // excludes NULL and NaN
		}
		q.where = append(q.where, grouped(there, " or "))
	}
	return q, nil
}

// joins merges other into q if the two differ only in their keys or only in their files. It reports whether it did.
func (q *query) joins(other query) bool {
	published := len(q.keys) > 0
	if !slices.Equal(q.where, other.where) || published != (len(other.keys) > 0) ||
		published && !slices.Equal(q.files, other.files) {
		return false
	}
	q.keys = append(q.keys, other.keys...)
	if !published {
		q.files = append(q.files, other.files...)
	}
	return true
}

// joined merges q into one of the queries, or appends it.
func joined(queries []query, q query) []query {
	for i := range queries {
		if queries[i].joins(q) {
			return queries
		}
	}
	return append(queries, q)
}

// text returns the SQL statement. It has no SELECT clause, so that DuckDB returns all columns.
func (q query) text() string {
	var files []string
	for _, file := range q.files {
		files = append(files, quoted(file))
	}
	from := files[0]
	if len(files) > 1 {
		from = "read_parquet([" + strings.Join(files, ", ") + "])"
	}
	where := q.where
	if len(q.keys) > 0 {
		var keys []string
		for _, key := range q.keys {
			keys = append(keys, quoted(key))
		}
		where = append([]string{among(fmt.Sprintf("%s[:%d]", keyColumn, keyDigits), false, keys)}, where...)
	}
	if len(where) == 0 {
		return "from " + from
	}
	return "from " + from + " where " + strings.Join(where, " and ")
}

// A placing locates and reads the file of a reading.
type placing func(r Reading) (at store.Location, frame *safefile.Frame, err error)

func (c Condition) sql(frame *safefile.Frame, place placing) (string, error) {
	if c.Chosen != nil {
		chosen, err := c.Chosen.sql(c.Column, place)
		return fmt.Sprintf("%s %s (%s)", identifier(c.Column), inOperator(c.Not), chosen), err
	}
	var values []string
	for _, word := range c.Words {
		values = append(values, quoted(word))
	}
	column := frame.Column(c.Column)
	for _, number := range c.Numbers {
		values = append(values, numeral(number, column.Type))
	}
	return among(identifier(c.Column), c.Not, values), nil
}

func (c Choice) sql(column string, place placing) (string, error) {
	at, frame, err := place(c.Reading)
	if err != nil {
		return "", err
	}
	q, err := queryOf(at, c.Reading.Rows, frame, false, place)
	if err != nil {
		return "", err
	}
	text := "select " + identifier(column) + " " + q.text()
	if c.Lowest != "" {
		text += fmt.Sprintf(" order by %s limit %d", identifier(c.Lowest), c.Count)
	}
	return text, nil
}

// among returns the SQL condition that a column has one of the values, or, if not is true, that it has none of them.
func among(column string, not bool, values []string) string {
	switch {
	case len(values) == 1 && not:
		return column + " <> " + values[0]
	case len(values) == 1:
		return column + " = " + values[0]
	}
	return fmt.Sprintf("%s %s (%s)", column, inOperator(not), strings.Join(values, ", "))
}

func inOperator(not bool) string {
	if not {
		return "not in"
	}
	return "in"
}

// equal returns the SQL condition that a label column has the label's value.
func equal(label safefile.Column) string {
	if label.Texts != nil {
		return among(identifier(label.Name), false, []string{quoted(label.Texts[0])})
	}
	return among(identifier(label.Name), false, []string{numeral(label.Values[0], label.Type)})
}

func numeral(number float64, as safefile.NumberType) string {
	if as == safefile.AsTruth {
		return strconv.FormatBool(number != 0)
	}
	return strconv.FormatFloat(number, 'g', -1, 64)
}

func quoted(words string) string { return "'" + strings.ReplaceAll(words, "'", "''") + "'" }

// reserved lists SQL keywords that are likely to be column names.
var reserved = []string{"all", "end", "from", "group", "left", "limit", "order", "right", "select", "table", "using",
	"where"}

// identifier returns the name of a column as SQL, quoted if it is a keyword.
func identifier(name string) string {
	if slices.Contains(reserved, name) {
		return strconv.Quote(name)
	}
	return name
}

func grouped(conditions []string, word string) string {
	if len(conditions) == 1 {
		return conditions[0]
	}
	return "(" + strings.Join(conditions, word) + ")"
}
