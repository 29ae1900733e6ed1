package persona

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/unlearnlab/unlearnlab/unlearnkit/seed"
)

func TestPerson_Unique(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		seen := map[string]bool{}
		for _, p := range w.People {
			for _, value := range []string{p.Name, p.Facts[PhoneNumber], p.Facts[Email], p.Facts[IBAN],
				p.Facts[CreditCard], p.Facts[Passport]} {
				if value == "" || seen[value] {
					t.Errorf("%s: %q is missing or another's", p.Name, value)
				}
				seen[value] = true
			}
			if len(p.Facts) != len(Attributes()) {
				t.Errorf("%s has %d facts", p.Name, len(p.Facts))
			}
		}
	})
}

// The examples are from the registry of ISO 13616 and articles about both check digits.
func TestCheckDigits_Published(t *testing.T) {
	for _, iban := range []string{"GB82WEST12345698765432", "DE89370400440532013000", "NO9386011117947",
		"ES9121000418450200051332", "CH9300762011623852957", "FR1420041010050500013M02606",
		"PT50000201231234567890154", "SE4550000000058398257466", "LU280019400644750000", "KZ86125KZT5004100100"} {
		if got := mod97(iban[4:] + iban[:4]); got != 1 {
			t.Errorf("%s leaves %d", iban, got)
		}
	}
	for _, card := range []string{"4111111111111111", "79927398713", "5555555555554444", "378282246310005"} {
		payload, digit := card[:len(card)-1], int(card[len(card)-1]-'0')
		if got := luhnDigit(payload); got != digit {
			t.Errorf("%s: check digit %d", card, got)
		}
	}
}

// Generated numbers follow the same rules, computed differently: by the remainder of the whole number, and by a table
// of doubled digits.
func TestCheckDigits_Numbers(t *testing.T) {
	doubled := [10]int{0, 2, 4, 6, 8, 1, 3, 5, 7, 9}
	everyWorld(t, func(t *testing.T, w *World) {
		for _, p := range w.People {
			iban := strings.ReplaceAll(p.Facts[IBAN], " ", "")
			var digits strings.Builder
			for _, c := range iban[4:] + iban[:4] {
				if c >= 'A' {
					digits.WriteString(big.NewInt(int64(c - 'A' + 10)).String())
				} else {
					digits.WriteRune(c)
				}
			}
			number, _ := new(big.Int).SetString(digits.String(), 10)
			if rest := new(big.Int).Mod(number, big.NewInt(97)); rest.Int64() != 1 {
				t.Errorf("%s leaves %v", iban, rest)
			}
			sum := 0
			for i, c := range strings.ReplaceAll(p.Facts[CreditCard], " ", "") {
				if i%2 == 0 {
					sum += doubled[c-'0']
				} else {
					sum += int(c - '0')
				}
			}
			if sum%10 != 0 {
				t.Errorf("card %s sums to %d", p.Facts[CreditCard], sum)
			}
		}
	})
}

// IBANs have the lengths in the registry of ISO 13616. Bank codes and all other numbers are from ranges that nobody
// has.
func TestNumbers_Fictitious(t *testing.T) {
	accounts := map[string]string{
		"CH": `^CH\d\d00000\d{12}$`, "DE": `^DE\d\d00000000\d{10}$`, "ES": `^ES\d\d0000\d{16}$`,
		"FR": `^FR\d\d00000\d{18}$`, "GB": `^GB\d\dZZZZ\d{14}$`,
		"KZ": `^KZ\d\d000\d{13}$`, "LU": `^LU\d\d000\d{13}$`, "NO": `^NO\d\d0000\d{7}$`, "PT": `^PT\d\d0000\d{17}$`,
		"SE": `^SE\d\d000\d{17}$`,
	}
	lengths := map[string]int{"CH": 21, "DE": 22, "ES": 24, "FR": 27, "GB": 22, "KZ": 20, "LU": 20, "NO": 15, "PT": 25,
		"SE": 24}
	phones := map[string]string{
		"Germany":        `^\+49 (30 23125|40 66969|69 90009|221 4710|89 99998) \d{3}$`,
		"Sweden":         `^\+46 (8 465 004 \d\d|31 390 06 [0-4]\d|40 628 04 [0-4]\d)$`,
		"United Kingdom": `^\+44 (20 7946 0\d{3}|7700 900\d{3}|1[23]1 496 0\d{3})$`,
		"Norway":         `^\+47 0\d\d \d\d \d{3}$`, "Spain": `^\+34 0\d\d \d{3} \d{3}$`,
		"Portugal": `^\+351 0\d\d \d{3} \d{3}$`, "Mexico": `^\+52 0\d \d{4} \d{4}$`,
		"Nigeria": `^\+234 0\d\d \d{3} \d{4}$`, "Kenya": `^\+254 0\d\d \d{3} \d{3}$`,
		"Senegal": `^\+221 0\d \d{3} \d\d \d\d$`,
		"Japan":   `^\+81 0\d \d{4} \d{4}$`, "South Korea": `^\+82 0\d \d{4} \d{4}$`,
		"Kazakhstan": `^\+7 0\d\d \d{3} \d\d \d\d$`,
	}
	if len(phones) != len(countries) {
		t.Fatalf("%d countries, %d rules", len(countries), len(phones))
	}
	email := regexp.MustCompile(`^[a-z]+(\.[a-z]+)?\d{0,2}@example\.(org|com|net)$`)
	card := regexp.MustCompile(`^9999 \d{4} \d{4} \d{4}$`)
	passport := regexp.MustCompile(`^(Z|00)[Z\d]{6,8}$`)
	source := seed.Stream(5, "test", "facts")
	for _, home := range countries {
		for range 200 {
			p := Person{Group: home.group}
			if err := p.identify(source, newRegister()); err != nil {
				t.Fatal(err)
			}
			iban := strings.ReplaceAll(p.Facts[IBAN], " ", "")
			first, family, _ := strings.Cut(p.Name, " ")
			for what, fits := range map[string]bool{
				"account": regexp.MustCompile(accounts[iban[:2]]).MatchString(iban) &&
					len(iban) == lengths[iban[:2]],
				PhoneNumber: regexp.MustCompile(phones[p.Country]).MatchString(p.Facts[PhoneNumber]),
				Email:       email.MatchString(p.Facts[Email]),
				CreditCard:  card.MatchString(p.Facts[CreditCard]),
				Passport:    passport.MatchString(p.Facts[Passport]),
				Job:         slices.Contains(jobs, p.Facts[Job]),
				"email of name": strings.Contains(p.Facts[Email], strings.ToLower(first)) ||
					strings.Contains(p.Facts[Email], strings.ToLower(family)),
			} {
				if !fits {
					t.Fatalf("%s of %+v", what, p)
				}
			}
		}
	}
}

func TestCountries_NamesAndCities(t *testing.T) {
	owner := map[string]string{}
	groups := map[int]int{}
	for _, c := range countries {
		groups[c.group]++
		var places []string
		for _, city := range c.cities {
			places = append(places, city.name)
		}
		for _, word := range slices.Concat(c.men, c.women, c.families, places) {
			if other, taken := owner[word]; taken {
				t.Errorf("%s is of %s and %s", word, other, c.name)
			}
			owner[word] = c.name
			if !regexp.MustCompile(`^[A-Z][a-z]+$`).MatchString(word) {
				t.Errorf("%s has other than plain letters", word)
			}
		}
		if _, ok := accountFormats[c.bank]; !ok {
			t.Errorf("no account format of %s", c.bank)
		}
	}
	if len(countries) < 8 || len(groups) != MaxGroups {
		t.Errorf("%d countries in %d groups", len(countries), len(groups))
	}
}

func TestCountries_ByInhabitants(t *testing.T) {
	source := seed.Stream(6, "test", "countries")
	counts := map[string]int{}
	const draws = 20000
	for range draws {
		counts[drawCountry(source, 1).name]++
	}
	for country, share := range map[string]float64{"Spain": 48. / 188, "Portugal": 10. / 188, "Mexico": 130. / 188} {
		if got := float64(counts[country]) / draws; got < share-.015 || got > share+.015 {
			t.Errorf("%s has %.3f, want %.3f", country, got, share)
		}
	}
	if len(counts) != 3 {
		t.Errorf("group 1 comes from %v", counts)
	}
}

func TestCountries_ByGroup(t *testing.T) {
	everyWorld(t, func(t *testing.T, w *World) {
		for _, p := range w.People {
			at := slices.IndexFunc(countries, func(c country) bool { return c.name == p.Country })
			home := countries[at]
			first, family, _ := strings.Cut(p.Name, " ")
			pool := home.men
			if p.Gender == Woman {
				pool = home.women
			}
			if home.group != p.Group || !slices.Contains(pool, first) || !slices.Contains(home.families, family) {
				t.Errorf("%+v is not of group %d of %s", p, home.group, home.name)
			}
			if !slices.ContainsFunc(home.cities, func(c city) bool { return c.name == p.Facts[City] }) {
				t.Errorf("%s lives in %s", p.Name, p.Facts[City])
			}
		}
	})
}

func TestRegister_NamesUsedUp(t *testing.T) {
	source, names := seed.Stream(7, "test"), newRegister()
	for range 3000 {
		p := Person{Group: 2}
		if err := p.identify(source, names); err != nil {
			if !strings.Contains(err.Error(), "no name is left") {
				t.Error(err)
			}
			return
		}
	}
	t.Error("names without end")
}
