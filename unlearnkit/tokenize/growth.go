package tokenize

// largestGrowth limits how much longer the steps of a tokenizer.json may make a text: a file with replacements that
// feed each other could fill any memory. Real files are below a hundred.
const largestGrowth = 10_000

// growth returns an upper bound of the factor by which the document's steps lengthen a text or a decoded text.
func (d document) growth() float64 {
	encoding := 1.0
	for _, part := range []*component{d.Normalizer, d.PreTokenizer} {
		if part != nil {
			encoding *= part.growth()
		}
	}
	if d.Decoder != nil {
		return max(encoding, d.Decoder.growth())
	}
	return encoding
}

func (c component) growth() float64 {
	factor := 1.0
	switch c.Type {
	case "NFC", "NFD":
		factor = 3
	case "NFKC", "NFKD":
		factor = 11 // U+FDFA, one character for a sentence
	case "Lowercase":
		factor = 1.5
	case "ByteLevel":
		factor = 2
	case "Prepend":
		factor = float64(1 + len(c.Prepend))
	case "Metaspace":
		factor = float64(1 + len(c.Replacement))
	case "Replace":
		shortest := 1
		if c.Pattern != nil && c.Pattern.String != nil {
			shortest = max(1, len(*c.Pattern.String))
		}
		factor = max(1, float64(len(c.Content))/float64(shortest))
	}
	for _, parts := range [][]component{c.Normalizers, c.PreTokenizers, c.Decoders} {
		for _, part := range parts {
			factor *= part.growth()
		}
	}
	return factor
}
