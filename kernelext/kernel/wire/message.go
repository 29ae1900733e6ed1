package wire

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// ProtocolVersion is the version of the Jupyter messaging protocol in new messages.
const ProtocolVersion = "5.4"

// delimiter separates the routing identities from the message.
const delimiter = "<IDS|MSG>"

// Errors of [Parse].
var (
	errNotMessage = errors.New("not a Jupyter message")
	errSignature  = errors.New("wrong signature")
)

// A Header identifies a message.
type Header struct {
	ID       string `json:"msg_id"`
	Session  string `json:"session"`
	Username string `json:"username"`
	Date     string `json:"date"`
	Type     string `json:"msg_type"`
	Version  string `json:"version"`
}

// A Message is a Jupyter message. The raw parts are signed and sent; Header and Parent are decoded from them.
type Message struct {
	Identities [][]byte // routing identities, or the topic on iopub
	Header     Header
	Parent     Header // header of the message to which this one belongs; zero if there is none

	RawHeader, RawParent, Metadata, Content json.RawMessage

	Buffers [][]byte
}

// Parse parses a message and verifies its signature. With an empty key it verifies nothing, because Jupyter then does
// not sign messages. The message shares memory with parts.
func Parse(parts [][]byte, key string) (*Message, error) {
	d := 0
	for d < len(parts) && string(parts[d]) != delimiter {
		d++
	}
	if len(parts) < d+6 {
		return nil, fmt.Errorf("%w: %d parts, %d of them routing", errNotMessage, len(parts), d)
	}
	m := &Message{
		Identities: parts[:d:d],
		RawHeader:  parts[d+2], RawParent: parts[d+3], Metadata: parts[d+4], Content: parts[d+5],
		Buffers: parts[d+6:],
	}
	if key != "" && !hmac.Equal(parts[d+1], m.signature(key)) {
		return nil, errSignature
	}
	if err := json.Unmarshal(m.RawHeader, &m.Header); err != nil {
		return nil, fmt.Errorf("%w: header: %v", errNotMessage, err)
	}
	if err := json.Unmarshal(m.RawParent, &m.Parent); err != nil {
		return nil, fmt.Errorf("%w: parent header: %v", errNotMessage, err)
	}
	return m, nil
}

// New returns a message of the given type. It refers to parent unless parent is nil.
func New(messageType, session string, parent *Message, content any) (*Message, error) {
	m := &Message{
		Header: Header{ID: NewID(), Session: session, Username: "unlearnlab", Type: messageType,
			Version: ProtocolVersion,
			Date:    time.Now().UTC().Format("2006-01-02T15:04:05.000000Z")},
		RawParent: json.RawMessage("{}"),
		Metadata:  json.RawMessage("{}"),
	}
	if parent != nil {
		m.Parent, m.RawParent = parent.Header, parent.RawHeader
	}
	var err error
	if m.RawHeader, err = encodeJSON(m.Header); err != nil {
		return nil, err
	}
	return m, m.Encode(content)
}

// Decode decodes the content into v.
func (m *Message) Decode(v any) error {
	if err := json.Unmarshal(m.Content, v); err != nil {
		return fmt.Errorf("content of %s: %w", m.Header.Type, err)
	}
	return nil
}

// Encode sets the content to v.
func (m *Message) Encode(v any) error {
	content, err := encodeJSON(v)
	if err != nil {
		return fmt.Errorf("content of %s: %w", m.Header.Type, err)
	}
	m.Content = content
	return nil
}

// Parts returns the message signed with the key, ready for [Encode].
func (m *Message) Parts(key string) [][]byte {
	parts := append([][]byte{}, m.Identities...)
	parts = append(parts, []byte(delimiter), m.signature(key), m.RawHeader, m.RawParent, m.Metadata, m.Content)
	return append(parts, m.Buffers...)
}

func (m *Message) signature(key string) []byte {
	if key == "" {
		return nil
	}
	mac := hmac.New(sha256.New, []byte(key))
	for _, part := range [][]byte{m.RawHeader, m.RawParent, m.Metadata, m.Content} {
		mac.Write(part)
	}
	return hex.AppendEncode(nil, mac.Sum(nil))
}

// encodeJSON encodes v without escaping <, > and &, which are common in code.
func encodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// NewID returns a new random identifier for messages, sessions and keys.
func NewID() string {
	b := make([]byte, 16)
	rand.Read(b)
	return hex.EncodeToString(b)
}
