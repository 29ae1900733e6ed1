package persona

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// accountFormats holds the national parts of account numbers (IBAN, ISO 13616): a bank code of zeros or Zs, which no
// bank has, and the number of digits that follow. National check digits are not computed.
var accountFormats = map[string]struct {
	bank   string
	digits int
}{
	"CH": {"00000", 12},
	"DE": {"00000000", 10},
	"ES": {"0000", 16},
	"FR": {"00000", 18},
	"GB": {"ZZZZ", 14},
	"KZ": {"000", 13},
	"LU": {"000", 13},
	"NO": {"0000", 7},
	"PT": {"0000", 17},
	"SE": {"000", 17},
}

// drawAccount returns a random IBAN in groups of four characters.
func drawAccount(source *rand.Rand, issuer string) string {
	format := accountFormats[issuer]
	domestic := format.bank + drawPattern(source, strings.Repeat("#", format.digits))
	check := 98 - mod97(domestic+issuer+"00")
	return inFours(fmt.Sprintf("%s%02d%s", issuer, check, domestic))
}

// mod97 returns the remainder modulo 97 of an IBAN read as a number, where A counts as 10 and Z as 35 (ISO 7064).
func mod97(s string) int {
	remainder := 0
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9':
			remainder = (remainder*10 + int(c-'0')) % 97
		case c >= 'A' && c <= 'Z':
			remainder = (remainder*100 + int(c-'A') + 10) % 97
		default:
			panic(fmt.Sprintf("persona: %q in an account number", c))
		}
	}
	return remainder
}

// drawCard returns a random card number of sixteen digits, which is never issued: a 9 is followed by a country code
// (ISO/IEC 7812), and no country has the code 999.
func drawCard(source *rand.Rand) string {
	payload := drawPattern(source, "9999###########")
	return inFours(payload + strconv.Itoa(luhnDigit(payload)))
}

// luhnDigit returns the check digit that makes the Luhn sum a multiple of ten.
func luhnDigit(payload string) int {
	sum := 0
	for i := range payload {
		digit := int(payload[len(payload)-1-i] - '0')
		if i%2 == 0 {
			if digit *= 2; digit > 9 {
				digit -= 9
			}
		}
		sum += digit
	}
	return (10 - sum%10) % 10
}

func inFours(s string) string {
	var b strings.Builder
	for i, c := range s {
		if i > 0 && i%4 == 0 {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// drawPattern replaces each # by a random digit and each f by a digit from 0 to 4.
func drawPattern(source *rand.Rand, pattern string) string {
	filled := []byte(pattern)
	for i, c := range filled {
		switch c {
		case '#':
			filled[i] = '0' + byte(source.IntN(10))
		case 'f':
			filled[i] = '0' + byte(source.IntN(5))
		}
	}
	return string(filled)
}
