package tokenize

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// pieceKind is the kind of a piece, with the numbers of sentencepiece_model.proto.
type pieceKind int

const (
	normalPiece pieceKind = iota + 1
	unknownPiece
	controlPiece
	userDefinedPiece
	unusedPiece
	bytePiece
)

const (
	unigramModel = 1
	bpeModel     = 2
)

// spaceSymbol represents a space inside a piece.
const spaceSymbol = "\u2581"

type sentencePiece struct {
	text  string
	score float32
	kind  pieceKind
}

// SentencePiece is a model of Google's SentencePiece with the algorithm BPE (as LLaMA's) or Unigram. It has its own
// normalisation of text and optionally pieces for the bytes of unknown characters.
//
// Text that looks like a control piece, such as "<s>", is ordinary text. Encode adds no control pieces: for a model
// that expects its start, use append([]int{s.Start()}, s.Encode(text)...).
type SentencePiece struct {
	pieces     []sentencePiece
	ids        map[string]int // ids of the pieces that can occur in text
	bytes      [256]int       // ids of the byte pieces; -1 if a byte has none
	unknown    int
	start, end int

	algorithm      int
	byteFallback   bool
	unknownSurface string
	suffixSpace    bool

	normalizer pieceNormalizer
	defined    *trie // user-defined pieces, which are never split
	vocabulary *trie // pieces for Unigram
	minScore   float32
	maxScore   float32
	order      map[float32]int // rank of a score for BPE, the highest first
}

// loadSentencePiece reads a tokenizer.model.
func loadSentencePiece(path string) (*SentencePiece, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	model, err := parseSentencePiece(data)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return model, nil
}

// parseSentencePiece reads the bytes of a tokenizer.model, a ModelProto of sentencepiece_model.proto.
func parseSentencePiece(data []byte) (*SentencePiece, error) {
	s := &SentencePiece{
		algorithm: unigramModel, unknownSurface: " \u2047 ",
		normalizer: pieceNormalizer{dummyPrefix: true, removeExtraSpaces: true, escapeSpaces: true},
	}
	names := map[protowire.Number]string{bosPieceField: "<s>", eosPieceField: "</s>"}
	err := eachField(data, func(f field) error {
		switch {
		case f.is(1, protowire.BytesType):
			return s.readPiece(f.bytes)
		case f.is(2, protowire.BytesType):
			return s.readTrainer(f.bytes, names)
		case f.is(3, protowire.BytesType):
			return s.normalizer.read(f.bytes)
		case f.is(5, protowire.BytesType):
			return refuseDenormalizer(f.bytes)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("not a SentencePiece model: %w", err)
	}
	if err := s.index(); err != nil {
		return nil, err
	}
	s.start, s.end = s.control(names[bosPieceField]), s.control(names[eosPieceField])
	return s, nil
}

func (s *SentencePiece) readPiece(message []byte) error {
	piece := sentencePiece{kind: normalPiece}
	err := eachField(message, func(f field) error {
		switch {
		case f.is(1, protowire.BytesType):
			piece.text = string(f.bytes)
		case f.is(2, protowire.Fixed32Type):
			piece.score = f.float()
		case f.is(3, protowire.VarintType):
			piece.kind = pieceKind(f.value)
		}
		return nil
	})
	if err == nil && (piece.text == "" || !utf8.ValidString(piece.text)) {
		err = fmt.Errorf("piece %d is %q, which no text can hold", len(s.pieces), piece.text)
	}
	if err == nil && math.IsNaN(float64(piece.score)) {
		err = fmt.Errorf("the score of piece %d, %q, is not a number", len(s.pieces), piece.text)
	}
	s.pieces = append(s.pieces, piece)
	return err
}

// Fields of TrainerSpec.
const (
	modelTypeField      = 3
	suffixSpaceField    = 24
	byteFallbackField   = 35
	unknownSurfaceField = 44
	bosPieceField       = 46
	eosPieceField       = 47
)

func (s *SentencePiece) readTrainer(message []byte, names map[protowire.Number]string) error {
	return eachField(message, func(f field) error {
		switch {
		case f.is(modelTypeField, protowire.VarintType):
			s.algorithm = int(f.value)
		case f.is(suffixSpaceField, protowire.VarintType):
			s.suffixSpace = f.value != 0
		case f.is(byteFallbackField, protowire.VarintType):
			s.byteFallback = f.value != 0
		case f.is(unknownSurfaceField, protowire.BytesType):
			s.unknownSurface = string(f.bytes)
		case f.is(bosPieceField, protowire.BytesType), f.is(eosPieceField, protowire.BytesType):
			names[f.number] = string(f.bytes)
		}
		return nil
	})
}

// refuseDenormalizer returns an error if the model rewrites decoded text.
func refuseDenormalizer(message []byte) error {
	return eachField(message, func(f field) error {
		if f.is(charsmapField, protowire.BytesType) && len(f.bytes) > 0 {
			return errors.New("a rewriting of decoded text (denormalizer_spec) is not supported")
		}
		return nil
	})
}

// index fills the tables for encoding.
func (s *SentencePiece) index() error {
	switch {
	case len(s.pieces) == 0:
		return errors.New("not a SentencePiece model: it holds no pieces")
	case s.algorithm != unigramModel && s.algorithm != bpeModel:
		return fmt.Errorf("SentencePiece algorithm %d is not supported, only Unigram (1) and BPE (2)", s.algorithm)
	case s.suffixSpace:
		return errors.New("a SentencePiece model with spaces after words (treat_whitespace_as_suffix) is not supported")
	}
	s.ids, s.defined, s.unknown = map[string]int{}, newTrie(), -1
	for b := range s.bytes {
		s.bytes[b] = -1
	}
	for id, piece := range s.pieces {
		switch piece.kind {
		case normalPiece, userDefinedPiece, unusedPiece:
			if _, twice := s.ids[piece.text]; twice {
				return fmt.Errorf("piece %d, %q, occurs twice", id, piece.text)
			}
			s.ids[piece.text] = id
		case unknownPiece:
			if s.unknown >= 0 {
				return errors.New("it has two unknown-token pieces")
			}
			s.unknown = id
		case bytePiece:
			var b byte
			if n, err := fmt.Sscanf(piece.text, "<0x%02X>", &b); n != 1 || err != nil {
				return fmt.Errorf("piece %d, %q, represents no byte", id, piece.text)
			}
			s.bytes[b] = id
		case controlPiece:
		default:
			return fmt.Errorf("piece %d, %q, is of the unknown kind %d", id, piece.text, piece.kind)
		}
		if piece.kind == userDefinedPiece {
			s.defined.add(piece.text, id)
		}
	}
	if s.unknown < 0 {
		return errors.New("it has no unknown-token piece")
	}
	if s.byteFallback {
		for b, id := range s.bytes {
			if id < 0 {
				return fmt.Errorf("it falls back to bytes but has no piece <0x%02X>", b)
			}
		}
	}
	s.normalizer.defined = s.defined
	if s.algorithm == bpeModel {
		s.indexScores()
	} else {
		s.indexVocabulary()
	}
	return nil
}

// control returns the id of a control piece, or -1 for an unknown name.
func (s *SentencePiece) control(name string) int {
	for id, piece := range s.pieces {
		if piece.kind == controlPiece && piece.text == name {
			return id
		}
	}
	return -1
}

// Start returns the id of the piece before a text, or -1 without one.
func (s *SentencePiece) Start() int { return s.start }

// End returns the id of the piece after a text, or -1 without one.
func (s *SentencePiece) End() int { return s.end }

// Unknown returns the id of the piece for unknown text.
func (s *SentencePiece) Unknown() int { return s.unknown }

// Size returns the number of pieces.
func (s *SentencePiece) Size() int { return len(s.pieces) }

// Piece returns the text of a piece as in the model's file, with U+2581 for a space, or "" for an unknown id.
func (s *SentencePiece) Piece(id int) string {
	if id < 0 || id >= len(s.pieces) {
		return ""
	}
	return s.pieces[id].text
}

// segment is a part of normalised text with the id of its piece, or of the unknown piece.
type segment struct {
	text string
	id   int
}

// Encode returns the ids of the normalised text.
func (s *SentencePiece) Encode(text string) []int {
	normalized := s.normalizer.apply(text)
	if normalized == "" {
		return nil
	}
	var segments []segment
	if s.algorithm == bpeModel {
		segments = s.mergeSegments(normalized)
	} else {
		segments = s.bestSegments(normalized)
	}
	var ids []int
	inUnknown := false
	for _, part := range segments {
		isUnknown := part.id == s.unknown
		switch {
		case isUnknown && s.byteFallback:
			for i := range len(part.text) {
				ids = append(ids, s.bytes[part.text[i]])
			}
		case !isUnknown || !inUnknown: // a run of unknown segments becomes one id
			ids = append(ids, part.id)
		}
		inUnknown = isUnknown
	}
	return ids
}

// Decode returns the text of the ids, without the space that encoding adds first and without control pieces.
func (s *SentencePiece) Decode(ids []int) string {
	var decoded strings.Builder
	var run []byte
	flush := func() {
		for len(run) > 0 {
			r, size := utf8.DecodeRune(run)
			decoded.WriteRune(r)
			run = run[size:]
		}
	}
	sawPrefix := false
	for _, id := range ids {
		if id < 0 || id >= len(s.pieces) {
			continue
		}
		piece := s.pieces[id]
		if piece.kind == bytePiece {
			var b byte
			fmt.Sscanf(piece.text, "<0x%02X>", &b)
			run = append(run, b)
			continue
		}
		flush()
		switch piece.kind {
		case controlPiece:
		case unknownPiece:
			decoded.WriteString(s.unknownSurface)
		default:
			text := piece.text
			if !sawPrefix && decoded.Len() == 0 && (s.normalizer.dummyPrefix || s.normalizer.removeExtraSpaces) {
				text, sawPrefix = strings.CutPrefix(text, spaceSymbol)
				sawPrefix = sawPrefix && !s.normalizer.removeExtraSpaces
			}
			decoded.WriteString(strings.ReplaceAll(text, spaceSymbol, " "))
		}
	}
	flush()
	return decoded.String()
}
