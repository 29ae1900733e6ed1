package metric

import "math"

// CRSVariant selects a variant of the Concept Retrieval Score.
type CRSVariant uint8

const (
	CRSPrintedRetainVariant CRSVariant = iota // printed eq. (7)
	CRSPrintedForgetVariant                   // printed eq. (8)
	CRSCodeForgetVariant                      // score d of the paper's code, see [CRSMeans.CodeForget]
	CRSCodeRetainVariant                      // score 1 − d of the paper's code, see [CRSMeans.CodeRetain]
	CRSCorrectedVariant                       // score r, as [CRSCorrected] computes it
	CRSContrastVariant                        // score 1/2 + (r_O − r_U)/4, see [CRSMeans.Contrast]
)

var crsVariantNames = [...]string{"crs_printed_retain", "crs_printed_forget", "crs_code_forget", "crs_code_retain",
	"crs_corrected", "crs_contrast"}

// String returns the name of the variant in tables.
func (v CRSVariant) String() string { return crsVariantNames[v] }

// CRSRange returns the smallest and the largest value of the variant over all cosines in [−1, 1].
func CRSRange(v CRSVariant) (lo, hi float64) { return crsRange(v, -1) }

// CRSRangeRectified returns [CRSRange] over cosines in [0, 1]. Features after a ReLU have no other cosines.
func CRSRangeRectified(v CRSVariant) (lo, hi float64) { return crsRange(v, 0) }

// crsRange evaluates the variant at the ends of the range of cosines. This is enough, because every variant is monotone
// in each cosine.
func crsRange(v CRSVariant, least float64) (lo, hi float64) {
	a, b := math.Atan(least), math.Atan(1)
	switch v {
	case CRSPrintedRetainVariant:
		return 1 - 2/math.Pi*b, 1 - 2/math.Pi*a
	case CRSPrintedForgetVariant:
		return 2 / math.Pi * a, 2 / math.Pi * b
	case CRSCodeForgetVariant:
		return 0, (b - a) / (math.Pi / 2)
	case CRSCodeRetainVariant:
		return 1 - (b-a)/(math.Pi/2), 1
	case CRSCorrectedVariant:
		return 4 / math.Pi * a, 4 / math.Pi * b
	case CRSContrastVariant:
		reach := (b - a) / math.Pi // largest value of (r_O − r_U)/4
		return .5 - reach, .5 + reach
	}
	panic("metric: unknown variant of the concept retrieval score")
}
