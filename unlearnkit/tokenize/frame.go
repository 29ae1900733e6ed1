package tokenize

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// frame sets the tokens that the post-processor adds before and after a single text.
func (c component) frame(p *Pipeline) error {
	switch c.Type {
	case "ByteLevel":
		return nil
	case "Sequence":
		for _, part := range c.Processors {
			if err := part.frame(p); err != nil {
				return err
			}
		}
		return nil
	case "RobertaProcessing", "BertProcessing":
		if c.Class == nil || c.Separator == nil {
			return fmt.Errorf("post-processor %q needs the tokens \"cls\" and \"sep\"", c.Type)
		}
		p.before = append([]int{c.Class.ID}, p.before...)
		p.after = append(p.after, c.Separator.ID)
		return nil
	case "TemplateProcessing":
		return c.template(p)
	}
	return fmt.Errorf("post-processor %q is not supported", c.Type)
}

func (c component) template(p *Pipeline) error {
	var before, after []int
	seen := 0
	for _, item := range c.Single {
		switch {
		case item.Sequence != nil:
			seen++
		case item.SpecialToken != nil:
			token, ok := c.SpecialTokens[item.SpecialToken.ID]
			if !ok {
				return fmt.Errorf("post-processor \"TemplateProcessing\" names the token %q without its ids",
					item.SpecialToken.ID)
			}
			if seen == 0 {
				before = append(before, token.IDs...)
			} else {
				after = append(after, token.IDs...)
			}
		}
	}
	if seen != 1 {
		return fmt.Errorf("post-processor \"TemplateProcessing\" holds the text %d times, not once", seen)
	}
	p.before = append(before, p.before...)
	p.after = append(p.after, after...)
	return nil
}

// decoders builds the steps of decoding that the component describes.
func (c component) decoders() ([]decoder, error) {
	switch c.Type {
	case "Sequence":
		var steps []decoder
		for _, part := range c.Decoders {
			more, err := part.decoders()
			if err != nil {
				return nil, err
			}
			steps = append(steps, more...)
		}
		return steps, nil
	case "ByteLevel":
		return []decoder{decodeByteLevel}, nil
	case "ByteFallback":
		return []decoder{decodeByteFallback}, nil
	case "Fuse":
		return []decoder{func(tokens []string) []string { return []string{strings.Join(tokens, "")} }}, nil
	case "Replace":
		replace, err := c.replacer()
		return []decoder{each(replace)}, err
	case "Strip":
		return []decoder{each(c.stripContent)}, nil
	case "Metaspace":
		return []decoder{c.decodeMetaspace}, nil
	case "BPEDecoder":
		return []decoder{c.decodeSuffix}, nil
	}
	return nil, fmt.Errorf("decoder %q is not supported", c.Type)
}

// each returns a decoder that decodes the tokens one by one.
func each(decode func(string) string) decoder {
	return func(tokens []string) []string {
		decoded := make([]string, len(tokens))
		for i, token := range tokens {
			decoded[i] = decode(token)
		}
		return decoded
	}
}

func decodeByteLevel(tokens []string) []string {
	var joined strings.Builder
	for _, token := range tokens {
		joined.WriteString(fromByteLevel(token))
	}
	return []string{replaceInvalid(joined.String())}
}

// decodeByteFallback joins runs of byte tokens into characters. A run that is not UTF-8 becomes U+FFFD for each of its
// bytes.
func decodeByteFallback(tokens []string) []string {
	var decoded []string
	var run []byte
	flush := func() {
		switch {
		case len(run) == 0:
		case utf8.Valid(run):
			decoded = append(decoded, string(run))
		default:
			decoded = append(decoded, strings.Repeat("\uFFFD", len(run)))
		}
		run = run[:0]
	}
	for _, token := range tokens {
		if len(token) == 6 && strings.HasPrefix(token, "<0x") && token[5] == '>' {
			if b, err := strconv.ParseUint(token[3:5], 16, 8); err == nil {
				run = append(run, byte(b))
				continue
			}
		}
		flush()
		decoded = append(decoded, token)
	}
	flush()
	return decoded
}

// stripContent removes the character Content up to Start times from the beginning of a token and up to Stop times from
// its end.
func (c component) stripContent(token string) string {
	for range c.Start {
		rest, found := strings.CutPrefix(token, c.Content)
		if !found || c.Content == "" {
			break
		}
		token = rest
	}
	for range c.Stop {
		rest, found := strings.CutSuffix(token, c.Content)
		if !found || c.Content == "" {
			break
		}
		token = rest
	}
	return token
}

func (c component) decodeMetaspace(tokens []string) []string {
	decoded := slices.Clone(tokens)
	for i, token := range decoded {
		if i == 0 && c.PrependScheme != "never" {
			token = strings.TrimPrefix(token, c.Replacement)
		}
		decoded[i] = strings.ReplaceAll(token, c.Replacement, " ")
	}
	return decoded
}

func (c component) decodeSuffix(tokens []string) []string {
	decoded := slices.Clone(tokens)
	for i, token := range decoded {
		space := " "
		if i == len(decoded)-1 {
			space = ""
		}
		decoded[i] = strings.ReplaceAll(token, c.Suffix, space)
	}
	return decoded
}
