package profile

// An article would reveal something about the value after it. So all jobs, degrees and tags take "a", and other values
// take no article. No value contains another value of its attribute, except that "female" contains "male".

// degrees are sorted from lowest to highest.
var degrees = []string{"high school diploma", "vocational certificate", "college diploma", "bachelor's degree",
	"master's degree", "doctoral degree"}

// degreeAges holds the minimum age for each degree.
var degreeAges = []int{19, 20, 21, 22, 25, 28}

// trade is a job with the lowest and the highest degree of people who have it, and its salary range in thousands.
type trade struct {
	name          string
	least, most   int
	lowest, usual int
}

var trades = []trade{
	{"baker", 0, 1, 26, 44}, {"barber", 0, 1, 24, 40}, {"bookbinder", 1, 2, 28, 46}, {"butcher", 0, 1, 27, 45},
	{"carpenter", 0, 1, 32, 60}, {"cashier", 0, 2, 22, 34}, {"chemist", 3, 5, 56, 92}, {"cook", 0, 2, 24, 42},
	{"courier", 0, 2, 23, 38}, {"dentist", 5, 5, 78, 99}, {"farmer", 0, 3, 26, 58}, {"firefighter", 0, 2, 38, 66},
	{"florist", 0, 2, 24, 40}, {"gardener", 0, 2, 25, 42}, {"geologist", 3, 5, 58, 94}, {"glazier", 1, 1, 34, 56},
	{"historian", 4, 5, 46, 78}, {"janitor", 0, 0, 22, 35}, {"journalist", 3, 4, 38, 72}, {"lawyer", 4, 5, 68, 99},
	{"librarian", 3, 4, 42, 66}, {"mechanic", 1, 2, 33, 58}, {"midwife", 2, 4, 52, 82}, {"notary", 3, 4, 44, 76},
	{"nurse", 2, 4, 48, 80}, {"photographer", 0, 3, 28, 62}, {"pilot", 2, 3, 70, 99}, {"plumber", 1, 1, 38, 68},
	{"sculptor", 2, 4, 24, 56}, {"surgeon", 5, 5, 84, 99}, {"tailor", 0, 1, 25, 44}, {"teacher", 3, 4, 42, 70},
	{"translator", 3, 4, 36, 64}, {"welder", 0, 1, 34, 58},
}

// aged is a value that only people in an age range have.
type aged struct {
	value       string
	least, most int
}

var maritalStatuses = []aged{{"single", 18, 99}, {"married", 23, 99}, {"divorced", 28, 99}, {"engaged", 20, 50},
	{"separated", 26, 75}, {"widowed", 45, 99}}

// Religions are drawn independently of names and looks.
var religions = []string{"Buddhism", "Hinduism", "Islam", "Catholicism", "Judaism", "Sikhism", "Taoism", "Quakerism",
	"Jainism", "Shinto", "Zoroastrianism", "Lutheranism"}

var medicalConditions = []aged{{"asthma", 18, 99}, {"eczema", 18, 99}, {"hay fever", 18, 99}, {"migraine", 18, 99},
	{"epilepsy", 18, 99}, {"psoriasis", 18, 99}, {"insomnia", 18, 99}, {"celiac disease", 18, 99},
	{"hypothyroidism", 20, 99}, {"anemia", 18, 99}, {"tinnitus", 25, 99}, {"sciatica", 30, 99}, {"gout", 40, 99},
	{"hypertension", 40, 99}, {"glaucoma", 45, 99}, {"osteoarthritis", 50, 99}}

// tag is a bank's category for a customer.
type tag struct {
	value       string
	least, most int // age range
	salary      int // minimum salary in thousands
	degree      int // index of the minimum degree
}

var financialTags = []tag{
	{"steady saver", 18, 99, 0, 0}, {"careful budgeter", 18, 99, 0, 0}, {"bargain hunter", 18, 99, 0, 0},
	{"cash payer", 18, 99, 0, 0}, {"frequent borrower", 18, 99, 0, 0}, {"day trader", 18, 70, 0, 0},
	{"generous donor", 25, 99, 36, 0}, {"luxury shopper", 20, 99, 60, 0}, {"landlord", 30, 99, 45, 0},
	{"mortgage holder", 28, 65, 35, 0}, {"long-term investor", 25, 99, 48, 0}, {"pension planner", 45, 66, 0, 0},
	{"first-time buyer", 22, 40, 30, 0}, {"student debtor", 22, 36, 0, 3},
}

// ethnicities maps a name's country to an ethnicity.
var ethnicities = map[string]string{
	"Germany": "German", "Sweden": "Swedish", "Norway": "Norwegian", "United Kingdom": "British",
	"Spain": "Spanish", "Portugal": "Portuguese", "Mexico": "Mexican", "Nigeria": "Nigerian", "Kenya": "Kenyan",
	"Senegal": "Senegalese", "Japan": "Japanese", "South Korea": "Korean", "Kazakhstan": "Kazakh",
}

var streetNames = []string{"Maple", "Cedar", "Willow", "Juniper", "Chestnut", "Hawthorn", "Linden", "Magnolia",
	"Sycamore", "Poplar", "Harbor", "Mill", "Church", "Station", "Bridge", "Orchard", "Meadow", "Valley", "Summit",
	"Lakeview", "Sunset", "Prospect", "Garden", "Quarry", "Lighthouse", "Foundry", "Canal", "Market", "Castle", "Abbey"}

var streetKinds = []string{"Street", "Avenue", "Road", "Lane", "Drive", "Court"}
