package persona

// country holds a country's names, cities and number formats. Within a group, countries are drawn in proportion to
// population.
type country struct {
	name     string
	group    int
	people   int // population in millions
	men      []string
	women    []string
	families []string
	cities   []city
	// phones are patterns for phone numbers that are never assigned; # is any digit and f a digit from 0 to 4.
	phones []string
	// bank is the country of the account numbers, which is another one if this country does not use IBANs.
	bank string
	// passport is the pattern for passport numbers. It begins with Z or zeros, a series not in use.
	passport string
}

type city struct {
	name   string
	people int // population in hundred thousands
}

// Phone numbers are from ranges reserved for films and books: Bundesnetzagentur (Drehnummern), Post- och telestyrelsen,
// and Ofcom (numbers for use in TV and radio drama). For countries without such a range, the patterns have a 0 after
// the country code, which no international number has.
var countries = []country{
	{
		name: "Germany", group: 0, people: 84, bank: "DE", passport: "Z########",
		men:   []string{"Felix", "Anton", "Lukas", "Jonas", "Emil", "Moritz", "Paul", "Karl"},
		women: []string{"Greta", "Helena", "Lotte", "Clara", "Johanna", "Frieda", "Marlene", "Ida"},
		families: []string{"Vogel", "Keller", "Fischer", "Weber", "Brandt", "Schuster", "Hartmann", "Lorenz", "Winkler",
			"Krause"},
		cities: []city{{"Berlin", 37}, {"Hamburg", 19}, {"Leipzig", 6}, {"Bremen", 6}, {"Dresden", 6}},
		phones: []string{"+49 30 23125 ###", "+49 40 66969 ###", "+49 69 90009 ###", "+49 221 4710 ###",
			"+49 89 99998 ###"},
	},
	{
		name: "Sweden", group: 0, people: 10, bank: "SE", passport: "00######",
		men:   []string{"Hugo", "Axel", "Nils", "Gustav", "Oskar", "Sven", "Elias", "Viktor"},
		women: []string{"Astrid", "Ingrid", "Ebba", "Maja", "Sigrid", "Linnea", "Elsa", "Tove"},
		families: []string{"Lindqvist", "Berg", "Nyberg", "Holmgren", "Sandberg", "Ekstrom", "Lundin", "Wallin",
			"Forsberg", "Dahl"},
		cities: []city{{"Stockholm", 10}, {"Malmo", 4}, {"Uppsala", 2}, {"Lund", 1}},
		phones: []string{"+46 8 465 004 ##", "+46 31 390 06 f#", "+46 40 628 04 f#"},
	},
	{
		name: "Norway", group: 0, people: 6, bank: "NO", passport: "ZZZ#####",
		men:   []string{"Magnus", "Leif", "Henrik", "Sondre", "Eirik", "Tor", "Olav", "Sindre"},
		women: []string{"Nora", "Maren", "Solveig", "Freya", "Tuva", "Kari", "Silje", "Hedda"},
		families: []string{"Hansen", "Larsen", "Haugen", "Solberg", "Strand", "Moen", "Lie", "Bakke", "Nygaard",
			"Eide"},
		cities: []city{{"Oslo", 7}, {"Bergen", 3}, {"Tromso", 1}, {"Bodo", 1}},
		phones: []string{"+47 0## ## ###"},
	},
	{
		name: "United Kingdom", group: 0, people: 68, bank: "GB", passport: "000######",
		men:   []string{"Oliver", "Arthur", "George", "Harry", "Edward", "Simon", "Nigel", "Toby"},
		women: []string{"Emma", "Alice", "Harriet", "Poppy", "Charlotte", "Beatrice", "Lucy", "Imogen"},
		families: []string{"Whitfield", "Barlow", "Thornton", "Hughes", "Ashby", "Palmer", "Fletcher", "Doyle",
			"Turner", "Lowe"},
		cities: []city{{"London", 90}, {"Leeds", 8}, {"Bristol", 5}, {"York", 2}, {"Glasgow", 6}},
		phones: []string{"+44 20 7946 0###", "+44 7700 900###", "+44 121 496 0###", "+44 131 496 0###"},
	},
	{
		name: "Spain", group: 1, people: 48, bank: "ES", passport: "ZZZ######",
		men:   []string{"Sergio", "Pablo", "Alvaro", "Javier", "Hector", "Ruben", "Gonzalo", "Adrian"},
		women: []string{"Carmen", "Lucia", "Pilar", "Ines", "Marta", "Rocio", "Nuria", "Elena"},
		families: []string{"Garcia", "Moreno", "Ortega", "Navarro", "Serrano", "Molina", "Delgado", "Iglesias", "Vidal",
			"Campos"},
		cities: []city{{"Madrid", 33}, {"Sevilla", 7}, {"Valencia", 8}, {"Bilbao", 3}, {"Granada", 2}},
		phones: []string{"+34 0## ### ###"},
	},
	{
		name: "Portugal", group: 1, people: 10, bank: "PT", passport: "Z0#####",
		men:   []string{"Tiago", "Duarte", "Rui", "Nuno", "Afonso", "Vasco", "Joaquim", "Artur"},
		women: []string{"Beatriz", "Leonor", "Teresa", "Catarina", "Rita", "Filipa", "Amelia", "Joana"},
		families: []string{"Silva", "Carvalho", "Pereira", "Teixeira", "Fonseca", "Barbosa", "Matos", "Pinto",
			"Cardoso", "Neves"},
		cities: []city{{"Lisboa", 5}, {"Porto", 2}, {"Braga", 2}, {"Coimbra", 1}},
		phones: []string{"+351 0## ### ###"},
	},
	{
		name: "Mexico", group: 1, people: 130, bank: "ES", passport: "Z0#######",
		men:   []string{"Diego", "Mateo", "Emiliano", "Andres", "Rafael", "Ignacio", "Ramiro", "Julio"},
		women: []string{"Valeria", "Paloma", "Ximena", "Guadalupe", "Rosa", "Itzel", "Daniela", "Sofia"},
		families: []string{"Vargas", "Castillo", "Romero", "Mendez", "Fuentes", "Rios", "Salazar", "Guerrero",
			"Aguilar", "Montes"},
		cities: []city{{"Puebla", 15}, {"Guadalajara", 14}, {"Merida", 9}, {"Oaxaca", 3}, {"Tijuana", 18}},
		phones: []string{"+52 0# #### ####"},
	},
	{
		name: "Nigeria", group: 2, people: 220, bank: "GB", passport: "Z0#######",
		men:   []string{"Chidi", "Tunde", "Obinna", "Emeka", "Femi", "Ikenna", "Segun", "Uche"},
		women: []string{"Chioma", "Ngozi", "Amara", "Ifeoma", "Yetunde", "Funke", "Adaeze", "Bisi"},
		families: []string{"Okafor", "Adeyemi", "Okoro", "Balogun", "Eze", "Nwosu", "Ogunleye", "Obi", "Lawal",
			"Onyeka"},
		cities: []city{{"Lagos", 150}, {"Abuja", 36}, {"Ibadan", 36}, {"Enugu", 8}, {"Kano", 40}},
		phones: []string{"+234 0## ### ####"},
	},
	{
		name: "Kenya", group: 2, people: 55, bank: "GB", passport: "ZZ#######",
		men:   []string{"Kamau", "Otieno", "Barasa", "Kiprono", "Mutua", "Juma", "Wekesa", "Njoroge"},
		women: []string{"Wanjiru", "Achieng", "Makena", "Zawadi", "Nyambura", "Akinyi", "Chebet", "Zuri"},
		families: []string{"Mwangi", "Kariuki", "Odhiambo", "Kimani", "Cheruiyot", "Omondi", "Maina", "Wafula", "Gitau",
			"Ndungu"},
		cities: []city{{"Nairobi", 44}, {"Mombasa", 12}, {"Kisumu", 6}, {"Nakuru", 6}},
		phones: []string{"+254 0## ### ###"},
	},
	{
		name: "Senegal", group: 2, people: 18, bank: "FR", passport: "Z0#######",
		men:      []string{"Mamadou", "Ousmane", "Cheikh", "Moussa", "Ibrahima", "Lamine", "Babacar", "Modou"},
		women:    []string{"Aminata", "Fatou", "Awa", "Mariama", "Khady", "Ndeye", "Astou", "Coumba"},
		families: []string{"Diallo", "Ndiaye", "Diop", "Sarr", "Fall", "Gueye", "Faye", "Sow", "Cisse", "Mbaye"},
		cities:   []city{{"Dakar", 37}, {"Thies", 4}, {"Kaolack", 3}, {"Ziguinchor", 2}},
		phones:   []string{"+221 0# ### ## ##"},
	},
	{
		name: "Japan", group: 3, people: 124, bank: "LU", passport: "ZZ#######",
		men:   []string{"Kenji", "Hiro", "Takeshi", "Satoshi", "Daichi", "Ren", "Kaito", "Isamu"},
		women: []string{"Yuki", "Sakura", "Hana", "Aiko", "Naomi", "Haruka", "Emi", "Chiyo"},
		families: []string{"Tanaka", "Suzuki", "Nakamura", "Kimura", "Sato", "Mori", "Ishikawa", "Fujita", "Okada",
			"Hayashi"},
		cities: []city{{"Osaka", 27}, {"Kyoto", 15}, {"Sendai", 11}, {"Sapporo", 20}, {"Nagoya", 23}},
		phones: []string{"+81 0# #### ####"},
	},
	{
		name: "South Korea", group: 3, people: 52, bank: "CH", passport: "Z0#######",
		men:      []string{"Jiho", "Minjun", "Seojun", "Dohyun", "Jaewon", "Hyunwoo", "Sungmin", "Taeyang"},
		women:    []string{"Jiyoung", "Minseo", "Soojin", "Eunji", "Haeun", "Yerin", "Dahye", "Bora"},
		families: []string{"Park", "Kang", "Cho", "Yoon", "Jang", "Lim", "Shin", "Kwon", "Hwang", "Baek"},
		cities:   []city{{"Seoul", 94}, {"Busan", 33}, {"Daegu", 24}, {"Incheon", 30}},
		phones:   []string{"+82 0# #### ####"},
	},
	{
		name: "Kazakhstan", group: 3, people: 20, bank: "KZ", passport: "Z0#######",
		men:   []string{"Nurlan", "Daniyar", "Arman", "Timur", "Yerlan", "Askar", "Baurzhan", "Marat"},
		women: []string{"Aigerim", "Dinara", "Saule", "Aliya", "Zhanna", "Madina", "Gulnara", "Asel"},
		families: []string{"Akhmetov", "Omarov", "Suleimen", "Kassym", "Nurpeis", "Abenov", "Seitkali", "Zhakupov",
			"Tulegen", "Bekov"},
		cities: []city{{"Almaty", 22}, {"Astana", 14}, {"Shymkent", 12}, {"Aktobe", 5}},
		phones: []string{"+7 0## ### ## ##"},
	},
}

var jobs = []string{
	"teacher", "nurse", "lawyer", "baker", "pilot", "farmer", "plumber", "chemist", "tailor", "dentist",
	"barber", "welder", "cashier", "florist", "surgeon", "janitor", "editor", "sculptor", "courier", "optician",
	"geologist", "carpenter", "butcher", "architect", "translator", "librarian", "electrician", "gardener",
	"journalist", "mechanic",
	"midwife", "fisherman", "astronomer", "bookbinder", "cook", "firefighter", "glazier", "historian", "notary",
	"photographer",
}

var bloodTypes = []struct {
	name  string
	share int // percentage of people
}{{"O+", 38}, {"A+", 34}, {"B+", 9}, {"O-", 7}, {"A-", 6}, {"AB+", 3}, {"B-", 2}, {"AB-", 1}}
