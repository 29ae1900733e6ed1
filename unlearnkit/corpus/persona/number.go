package persona

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// accountFormats are the domestic parts of the international bank account numbers (ISO 13616): the bank's field, all
// zeros or Z, which no bank has, and the length of what follows in digits. Check digits that a country puts inside its
// own part are not computed.
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

// drawAccount draws an IBAN in groups of four.
func drawAccount(source *rand.Rand, issuer string) string {
	format := accountFormats[issuer]
	domestic := format.bank + drawPattern(source, strings.Repeat("#", format.digits))
	check := 98 - mod97(domestic+issuer+"00")
	return inFours(fmt.Sprintf("%s%02d%s", issuer, check, domestic))
}

// mod97 is the remainder by 97 of the number that ISO 7064 makes of letters and digits: A is 10, Z is 35.
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

// drawCard draws a card number of sixteen digits. Numbers that begin with 9 and a country's three digits are left to
// that country (ISO/IEC 7812); 999 is none.
func drawCard(source *rand.Rand) string {
	payload := drawPattern(source, "9999###########")
	return inFours(payload + strconv.Itoa(luhnDigit(payload)))
}

// luhnDigit is the digit that makes the Luhn sum of payload and digit a multiple of ten.
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

// drawPattern fills # with any digit and f with one of 0 to 4.
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
