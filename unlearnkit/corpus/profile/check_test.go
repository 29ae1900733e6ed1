package profile

import (
	"maps"
	"slices"
	"testing"
)

// brought returns a user's set with two people, two training questions and one test question.
func brought() *Set {
	person := func(name, email, phone, address, job string) Profile {
		return Profile{Pictures: 2, Facts: map[Attribute]string{FullName: name, Email: email, PhoneNumber: phone,
			Address: address, Job: job}}
	}
	return &Set{
		People: []Profile{
			person("Ada Moe", "ada@example.com", "555-1", "1 Elm Road", "baker"),
			person("Bo Lund", "bo@example.com", "555-2", "2 Elm Road", "baker"),
		},
		Records: []Record{
			{ID: "a", Identity: 0, Picture: 0, Split: Train, Hop: Single, Attribute: Job, Template: "work",
				Question: "What does Ada Moe do?", Answer: "Ada Moe is a baker.", Keyword: "baker"},
			{ID: "b", Identity: 1, Picture: 1, Split: Train, Hop: Multi, Attribute: PhoneNumber, Template: "call",
				Question: "How do I call this person?", Answer: "Dial 555-2.", Keyword: "555-2"},
			{ID: "c", Identity: 0, Picture: 1, Split: Test, Hop: Multi, Attribute: PhoneNumber, Template: "dial",
				Question: "Which number does one dial?", Answer: "Dial 555-1.", Keyword: "555-1"},
		},
	}
}

func TestCheck_Refused(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Set)
		want   string
	}{
		{"fewer than two people", func(s *Set) { s.People = s.People[:1] },
			"profile: the set has fewer than two people; bring one to forget and one to keep at least"},
		{"nobody's name", func(s *Set) { delete(s.People[1].Facts, FullName) },
			"profile: person 1 has no full_name; give one"},
		{"no pictures", func(s *Set) { s.People[1].Pictures = 0 },
			"profile: person 1 (Bo Lund) has no pictures; add one or leave the person out"},
		{"a shared name", func(s *Set) { s.People[1].Facts[FullName] = "ADA  Moe" },
			`profile: people 0 and 1 share the full_name "ADA  Moe"; each needs one of their own`},
		{"a shared email", func(s *Set) { s.People[1].Facts[Email] = "ada@example.com" },
			`profile: people 0 and 1 share the email "ada@example.com"; each needs one of their own`},
		{"a shared phone", func(s *Set) { s.People[1].Facts[PhoneNumber] = "555-1" },
			`profile: people 0 and 1 share the phone_number "555-1"; each needs one of their own`},
		{"a shared address", func(s *Set) { s.People[1].Facts[Address] = "1 Elm Road" },
			`profile: people 0 and 1 share the address "1 Elm Road"; each needs one of their own`},
		{"a shared id", func(s *Set) { s.Records[1].ID = "a" },
			`profile: record 1 has the id "a", which is empty or another's; number the records`},
		{"nobody's record", func(s *Set) { s.Records[2].Identity = 2 },
			"profile: record c is about person 2; there are 0 to 1"},
		{"a missing picture", func(s *Set) { s.Records[2].Picture = 2 },
			"profile: record c: it shows picture 2, but Ada Moe has 0 to 1"},
		{"no split", func(s *Set) { s.Records[2].Split = "" },
			"profile: record c: its split is empty; say train or test"},
		{"another hop", func(s *Set) { s.Records[2].Hop = "both" },
			`profile: record c: its hop is "both"; say single if the question names the person, otherwise multi`},
		{"no question", func(s *Set) { s.Records[0].Question = " " },
			"profile: record a: question or keyword is empty; give both"},
		{"no keyword in the answer", func(s *Set) { s.Records[0].Answer = "Ada Moe bakes." },
			`profile: record a: the answer "Ada Moe bakes." lacks the keyword "baker"; write the answer with it`},
		{"the answer in the question", func(s *Set) { s.Records[0].Question = "Is Ada Moe a Baker?" },
			`profile: record a: the question "Is Ada Moe a Baker?" gives the answer "baker" away; ask without it`},
		{"a name in a multi-hop question", func(s *Set) { s.Records[1].Question = "How do I call Bo Lund?" },
			`profile: record b: the question "How do I call Bo Lund?" names Bo Lund though its hop is multi; ` +
				"leave the name out or say single"},
		{"a shared template", func(s *Set) { s.Records[2].Template = "call" },
			`profile: records b of training and c of test share the template "call"; ask one in other words`},
		{"a shared question", func(s *Set) {
			s.Records[2].Question, s.Records[2].Template = "how do I call  this person?", ""
		}, `profile: records b of training and c of test share the template "how do i call this person?"; ` +
			"ask one in other words"},
		{"a question shared but for the name", func(s *Set) {
			s.Records[2] = Record{ID: "c", Identity: 1, Split: Test, Hop: Single, Question: "What does Bo Lund do?",
				Answer: "Bo Lund is a baker.", Keyword: "baker"}
		}, `profile: records a of training and c of test share the template "what does {name} do?"; ` +
			"ask one in other words"},
	} {
		set := brought()
		if err := set.Check(); err != nil {
			t.Fatalf("a sound set: %v", err)
		}
		test.change(set)
		if err := set.Check(); err == nil || err.Error() != test.want {
			t.Errorf("%s:\n%v, want\n%s", test.name, err, test.want)
		}
	}
}

func TestCheck_SharedFacts(t *testing.T) {
	set := brought()
	set.People[1].Facts = maps.Clone(set.People[0].Facts)
	for _, a := range personal {
		set.People[1].Facts[a] += "2"
	}
	set.Records = slices.Delete(set.Records, 1, 2)
	if err := set.Check(); err != nil {
		t.Error(err)
	}
	if got := Values(set.People, Job); !slices.Equal(got, []string{"baker"}) {
		t.Errorf("the values of the job are %v", got)
	}
}
