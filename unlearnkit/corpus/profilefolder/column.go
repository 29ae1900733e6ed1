package profilefolder

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/corpus/profile"
)

// field is the content of a column, such as the question.
type field int

// Fields of a row.
const (
	recordID field = iota
	identity
	name
	picture
	split
	hop
	attribute
	template
	question
	answer
	keyword
	fields
)

// names lists the possible column names of each field. The first existing column is used. The first name is ReMem's own
// term, and the others are common alternatives.
var names = [fields][]string{
	recordID:  {"id", "record_id", "qa_id", "question_id", "sample_id"},
	identity:  {"identity_id", "identity", "person_id", "profile_id", "subject_id", "unique_id"},
	name:      {"full_name", "name", "person_name", "subject_name", "profile.full_name", "profile.name"},
	picture:   {"image", "image_path", "picture", "img", "img_path", "image_file", "file_name"},
	split:     {"split", "subset", "partition"},
	hop:       {"hop", "hop_type", "qa_type", "question_type", "type"},
	attribute: {"attribute", "relation", "attribute_name", "field", "key"},
	template:  {"template_id", "template"},
	question:  {"question", "query", "prompt", "instruction"},
	answer:    {"answer", "response", "ground_truth", "target"},
	keyword:   {"keyword", "keywords", "value", "attribute_value", "answer_value"},
}

// descriptions describes the fields in messages.
var descriptions = [fields]string{identity: "whose it is", picture: "the picture",
	hop:       "whether a question names its person",
	attribute: "what is asked for", question: "the question", answer: "the answer", keyword: "the value in the answer"}

// columns maps each field to the name of its column in a table, or to "" if the table lacks it.
type columns [fields]string

// columnsFor finds the columns of a table. If pictures are stored in cells, bytesColumn is the column with their bytes.
func columnsFor(t *table) (c columns, bytesColumn string) {
	for f, those := range names {
		c[f] = t.column(those)
	}
	for _, called := range names[picture] {
		if bytesColumn = t.column([]string{called + ".bytes"}); bytesColumn != "" {
			c[picture] = t.column([]string{called + ".path"})
			break
		}
	}
	if c[identity] == "" {
		c[identity] = c[name]
	}
	return c, bytesColumn
}

// lacking returns the error for a table without a column for a field.
func lacking(t *table, f field) error {
	return fmt.Errorf("read %s: no column for %s: looked for %s; it has %s", t.path, descriptions[f],
		strings.Join(names[f], ", "), shorten(strings.Join(t.columns, ", "), 300))
}

func shorten(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}

// factColumns returns the columns of a table that hold facts from a profile, by attribute.
func factColumns(t *table) map[profile.Attribute]string {
	found := map[profile.Attribute]string{}
	for _, a := range profile.Attributes() {
		if column := t.column([]string{string(a), "profile." + string(a), "facts." + string(a)}); column != "" {
			found[a] = column
		}
	}
	if column := t.column(names[name]); column != "" {
		found[profile.FullName] = column
	}
	return found
}

// attributeOf converts a name to an attribute in this program's spelling: "Phone number" becomes phone_number.
func attributeOf(text string) profile.Attribute {
	return profile.Attribute(strings.NewReplacer(" ", "_", "-", "_", "/", "_").Replace(
		strings.ToLower(strings.TrimSpace(text))))
}

// hopOf parses a hop by its prefix, ignoring case: "single", "one" or "1"; "multi", "two" or "2".
func hopOf(text string) (profile.Hop, error) {
	switch lower := strings.ToLower(strings.TrimSpace(text)); {
	case strings.HasPrefix(lower, "single"), strings.HasPrefix(lower, "one"), strings.HasPrefix(lower, "1"):
		return profile.Single, nil
	case strings.HasPrefix(lower, "multi"), strings.HasPrefix(lower, "two"), strings.HasPrefix(lower, "2"):
		return profile.Multi, nil
	}
	return "", fmt.Errorf("its hop is %.40q; say %s if the question names the person, otherwise %s", text,
		profile.Single, profile.Multi)
}

// splitOf parses the split of a question. It returns unknown splits in lower case.
func splitOf(text string) profile.Split {
	switch lower := strings.ToLower(strings.TrimSpace(text)); lower {
	case "train", "training":
		return profile.Train
	case "test", "testing", "eval", "evaluation", "held_out", "held-out", "heldout":
		return profile.Test
	default:
		return profile.Split(lower)
	}
}

// splitOfFile returns the split at the start of a file's name, as in train-00000-of-00001.parquet, or in the name of
// its folder.
func splitOfFile(path string) (profile.Split, bool) {
	first := filepath.Base(path)
	if end := strings.IndexAny(first, ".-_"); end >= 0 {
		first = first[:end]
	}
	for _, word := range []string{first, filepath.Base(filepath.Dir(path))} {
		if split := splitOf(word); split == profile.Train || split == profile.Test {
			return split, true
		}
	}
	return "", false
}
