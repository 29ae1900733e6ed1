package persona

// head is a drawing of a head, with hair or a hat.
type head struct {
	name    string
	outline string // heads with equal outlines look alike in small pictures
	gender  Gender
	shows   bool   // whether the colour of the hair is visible
	words   string // description for captions; % stands for the colour of the hair
}

// expression is a facial expression. words is empty if captions never mention it.
type expression struct {
	name, words string
}

// art lists the parts of a style's drawings. The first beard and the first pair of glasses are empty.
type art struct {
	heads           []head
	beards, glasses []string
	faces           []expression
}

var arts = [...]art{
	peepsStyle: {
		heads: peepsHeads(),
		beards: []string{"", "chin", "full", "full2", "full3", "full4", "goatee1", "goatee2",
			"moustache2", "moustache3", "moustache5", "moustache6", "moustache7", "moustache9"},
		glasses: []string{"", "glasses", "glasses2", "glasses3", "glasses4", "glasses5", "sunglasses", "sunglasses2"},
		faces: []expression{
			{"calm", ""}, {"smile", "smiling"}, {"smileBig", "smiling"}, {"serious", "looking serious"},
			{"solemn", "looking serious"}, {"suspicious", ""},
			{"explaining", "talking"}, {"concerned", "looking worried"}, {"cheeky", "smiling"}, {"driven", ""},
			{"contempt", ""}, {"cute", "smiling"},
			{"smileTeethGap", "smiling"}, {"tired", "looking tired"}, {"eyesClosed", "with closed eyes"},
			{"veryAngry", "looking angry"}, {"blank", ""},
			{"eatingHappy", "smiling"}, {"concernedFear", "looking worried"}, {"smileLOL", "laughing"},
		},
	},
	loreleiStyle: {
		heads:   loreleiHeads(),
		beards:  []string{"", "variant01", "variant02"},
		glasses: []string{"", "variant01", "variant02", "variant03", "variant04", "variant05"},
		faces: []expression{
			{"happy01", "smiling"}, {"happy02", "smiling"}, {"happy05", "smiling"}, {"happy08", ""},
			{"happy12", "laughing"}, {"happy16", "laughing"},
			{"sad01", "looking sad"}, {"sad03", ""}, {"sad05", "looking serious"}, {"sad08", "looking sad"},
		},
	},
}

// headFamily is a group of heads that differ only in their names.
type headFamily struct {
	outline string
	gender  Gender
	shows   bool
	words   string
	names   []string
}

func heads(families []headFamily) []head {
	var all []head
	for _, f := range families {
		for _, name := range f.names {
			all = append(all, head{name: name, outline: f.outline, gender: f.gender, shows: f.shows, words: f.words})
		}
	}
	return all
}

func peepsHeads() []head {
	return heads([]headFamily{
		{"bald", Man, false, "a bald head", []string{"noHair1", "noHair2"}},
		{"fringe", Man, true, "a bald head", []string{"noHair3"}},
		{"cropped", Man, true, "short % hair",
			[]string{"short1", "short2", "short5", "shaved1", "shaved2", "grayShort"}},
		{"flat", Man, true, "a % flat top", []string{"flatTop", "flatTopLong"}},
		{"quiff", Man, true, "short % hair", []string{"pomp", "short4"}},
		{"mohawk", Man, true, "a % mohawk", []string{"mohawk", "mohawk2"}},
		{"curls", Man, true, "curly % hair", []string{"twists", "twists2", "shaved3", "short3"}},
		{"afro", Woman, true, "a % afro", []string{"afro"}},
		{"curtain", Woman, true, "long curly % hair", []string{"longCurly"}},
		{"bob", Woman, true, "a % bob", []string{"bangs2", "medium1", "mediumBangs3"}},
		{"shoulder", Woman, true, "shoulder-length % hair",
			[]string{"bangs", "medium2", "medium3", "mediumBangs", "mediumBangs2", "mediumStraight"}},
		{"long", Woman, true, "long % hair", []string{"long", "longBangs"}},
		{"bun", Woman, true, "% hair in a bun", []string{"grayBun"}},
		{"plaits", Woman, true, "% braids", []string{"cornrows2"}},
		{"cap", Man, true, "a knitted cap", []string{"hatBeanie"}},
		{"brim", Man, false, "a black hat", []string{"hatHip"}},
		{"veil", Woman, false, "a headscarf", []string{"hijab"}},
		{"turban", Man, false, "a turban", []string{"turban"}},
	})
}

func loreleiHeads() []head {
	return heads([]headFamily{
		{"short", Man, true, "short % hair",
			[]string{"variant01", "variant02", "variant03", "variant04", "variant07", "variant09", "variant25",
				"variant47"}},
		{"tousled", Man, true, "tousled % hair", []string{"variant20", "variant27", "variant43"}},
		{"curls", Man, true, "curly % hair", []string{"variant05", "variant22", "variant39"}},
		{"long", Woman, true, "long % hair",
			[]string{"variant10", "variant13", "variant15", "variant16", "variant18", "variant24", "variant35",
				"variant40", "variant45"}},
		{"tied", Woman, true, "% hair tied back",
			[]string{"variant29", "variant31", "variant33", "variant37", "variant48"}},
		{"bun", Woman, true, "% hair in a bun", []string{"variant26", "variant41", "variant46"}},
		{"plaits", Woman, true, "% braids", []string{"variant30"}},
	})
}
