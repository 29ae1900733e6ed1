package salmu512

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestFacts(t *testing.T) {
	side := &SideFiles{
		Identities: map[string]json.RawMessage{
			"00000007": []byte(
				`{"name": "Ada", "city": "Paris", "emails": ["a@x", "ada@y"], "zip": 75001,
					"phones": {"b": "+2", "a": "+1"}, "empty": [], "none": null}`),
			"nameless": []byte(`{"city": "Paris"}`), "text": []byte(`"Ada"`),
		},
		Fields: map[string]string{},
	}
	for _, test := range []struct{ identity, field, caption, value, problem string }{
		{"00000007", "city", "Ada lives there", "Paris", ""},
		{"7", "city", "", "Paris", ""},
		{"00000007", "emails", "write to ada@y", "ada@y", ""},
		{"00000007", "emails", "write to Ada", "a@x", ""},
		{"00000007", "zip", "", "75001", ""},
		{"00000007", "phones", "call +2", "+2", ""},
		{"00000007", "empty", "", "", `has no name, or no empty`},
		{"00000007", "none", "", "", `has no name, or no none, which the caption of 00000007_none tells`},
		{"00000007", "iban", "", "", `identities_metadata.json: "00000007" has no name, or no iban`},
		{"00000007", "", "", "", "sensitive_set_captions_metadata.json: it does not say what the caption of " +
			"00000007_ tells"},
		{"nameless", "city", "", "", "has no name"},
		{"text", "city", "", "", "is not an object"},
		{"8", "city", "", "", `identities_metadata.json: there is no person "8"`},
	} {
		row := Row{Identity: test.identity, Caption: test.caption,
			FileName: strings.Repeat("0", max(0, 8-len(test.identity))) + test.identity + "_" + test.field}
		if test.field != "" {
			side.Fields[row.FileName] = test.field
		}
		name, value, err := side.Fact(row)
		if test.problem == "" && (err != nil || name != "Ada" || value != test.value) {
			t.Errorf("%+v: %q, %q, %v", test, name, value, err)
		}
		if test.problem != "" && (err == nil || !strings.Contains(err.Error(), test.problem)) {
			t.Errorf("%+v: %v", test, err)
		}
	}
}
