package publish

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"math"
	"slices"

	"github.com/unlearnlab/unlearnlab/unlearnkit/safefile"
)

// digest is the SHA-256 of a table's values, however a file stores them: of its columns in the order of their names,
// each its name and a zero byte, then words with a zero byte behind each, or numbers as the bits of float64, the low
// ones first, with one NaN.
func digest(frame *safefile.Frame) string {
	hash := sha256.New()
	columns := slices.Clone(frame.Columns)
	slices.SortFunc(columns, func(a, b safefile.Column) int { return cmp.Compare(a.Name, b.Name) })
	for _, column := range columns {
		io.WriteString(hash, column.Name+"\x00")
		for _, word := range column.Texts {
			io.WriteString(hash, word+"\x00")
		}
		bits := make([]byte, 0, 8*len(column.Values))
		for _, value := range column.Values {
			if math.IsNaN(value) {
				value = math.NaN()
			}
			bits = binary.LittleEndian.AppendUint64(bits, math.Float64bits(value))
		}
		hash.Write(bits)
	}
	return hex.EncodeToString(hash.Sum(nil))
}
