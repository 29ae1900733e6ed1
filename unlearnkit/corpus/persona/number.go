package persona

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// accountFormats holds the domestic parts of the international bank account numbers (ISO 13616): the bank's field, all
// zeros or Z, which no bank has, and the number of digits that follow. Check digits within the domestic part are not
// computed.
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

// mod97 returns the remainder modulo 97 of the number that ISO 7064 forms from letters and digits: A is 10, Z is 35.
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

// drawCard draws a card number with sixteen digits. Numbers that begin with 9 and a country's three digits are reserved
// for that country (ISO/IEC 7812); 999 is not a country.
func drawCard(source *rand.Rand) string {
	payload := drawPattern(source, "9999###########")
	return inFours(payload + strconv.Itoa(luhnDigit(payload)))
}

// luhnDigit returns the digit that makes the Luhn sum of payload and digit a multiple of ten.
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

// drawPattern replaces # by any digit and f by one of 0 to 4.
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
