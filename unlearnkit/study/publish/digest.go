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

// digest returns the SHA-256 of a table's values, which does not depend on the file format. It hashes the columns
// sorted by name. For each column it hashes the name and a zero byte, and then the values: words with a zero byte after
// each, or float64 bits in little-endian order. All NaN have the same bits.
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
