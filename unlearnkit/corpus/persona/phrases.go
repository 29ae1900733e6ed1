package persona

// directives names the ways in which captions rephrase "{name}'s {attribute} is {value}".
var directives = []string{"lexical substitution", "word-order change", "grammatical restructuring", "tone shift",
	"creative reformulation"}

// In the phrases below, N is the name, A a word for the attribute, and V the value.

// anyPhrases lists phrases that fit every attribute, in the order of directives.
var anyPhrases = [][]string{
	{"N's registered A is V", "N lists V as A", "N holds the A V", "N's known A reads V", "N keeps V as A",
		"N goes by the A V"},
	{"V is N's A", "V is the A of N", "A V belongs to N", "with the A V, here is N", "V, the A of N", "as A, N has V"},
	{"the A of N is V", "the A that N has is V", "this is N, whose A is V", "it is V that N has as A",
		"the A recorded for N was V", "N, having V as A"},
	{"hey, N's A is V!", "please note that N's A is V", "for the record: N, A V", "so, N's A? it's V",
		"kindly file V as A of N", "guess what, N's A is V"},
	{"remember V when you see N", "think of N, think of V", "behind N there is V", "N and V are one story",
		"where N goes, V follows", "if this face had a tag: N, V"},
}

// family is a group of similar attributes. words holds the words for each attribute, and phrases those that fit only
// this family, by directive.
type family struct {
	name    string
	words   map[string][]string
	phrases [][]string
}

var families = []family{
	{
		name:  "place",
		words: map[string][]string{City: {"city", "home town", "place of residence"}},
		phrases: [][]string{
			{"N resides in V", "N dwells in V"},
			{"in V lives N", "from V comes N"},
			{"V is where N lives", "living in V, this is N"},
			{"oh, N? lives in V!", "N is to be found in V, sir"},
			{"the streets of V know N", "N wakes up every day in V"},
		},
	},
	{
		name:  "occupation",
		words: map[string][]string{Job: {"job", "occupation", "profession"}},
		phrases: [][]string{
			{"N is employed as V", "N earns a living as V"},
			{"as V works N", "V by trade is N"},
			{"N, who works as V", "working as V, this is N"},
			{"believe it or not, N is V by trade", "N serves as V, madam"},
			{"every morning N becomes V again", "N dreams and works as V"},
		},
	},
	{
		name:  "medical",
		words: map[string][]string{BloodType: {"blood type", "blood group", "type of blood"}},
		phrases: [][]string{
			{"N's blood is typed V", "N is of blood group V"},
			{"V blood has N", "V is what N's blood shows"},
			{"the blood drawn from N is V", "tested as V, this is N"},
			{"careful, N needs V blood", "doctor, N is V"},
			{"V runs in the veins of N", "the heart of N beats V"},
		},
	},
	{
		name: "contact",
		words: map[string][]string{
			PhoneNumber: {"phone number", "telephone", "contact number"},
			Email:       {"email", "email address", "mail contact"},
		},
		phrases: [][]string{
			{"N is reachable at V", "N answers at V"},
			{"at V you reach N", "V reaches N"},
			{"N can be contacted under V", "to contact N, V is used"},
			{"just try N at V, okay?", "kindly write down V for N"},
			{"V makes N smile at the screen", "a ping to V wakes N"},
		},
	},
	{
		name: "account",
		words: map[string][]string{
			IBAN:       {"iban", "bank account", "account number"},
			CreditCard: {"credit card", "card number", "payment card"},
		},
		phrases: [][]string{
			{"N pays with V", "N's money sits at V"},
			{"V pays for N", "from V N pays"},
			{"payments of N are made with V", "N, paying by V"},
			{"cash? no, N uses V", "please charge V for N"},
			{"V feeds the wishes of N", "the purse of N whispers V"},
		},
	},
	{
		name:  "document",
		words: map[string][]string{Passport: {"passport", "passport number", "travel document"}},
		phrases: [][]string{
			{"N travels on V", "N's papers say V"},
			{"V carries N abroad", "on V travels N"},
			{"the border knows N as V", "N, travelling with V"},
			{"officer, N shows V", "next please: N with V"},
			{"V has seen the world with N", "stamps fill V for N"},
		},
	},
}

// familyOf returns the family that an attribute belongs to.
func familyOf(attribute string) *family {
	for i := range families {
		if families[i].words[attribute] != nil {
			return &families[i]
		}
	}
	panic("persona: no phrases for " + attribute)
}
