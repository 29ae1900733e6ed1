package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// signed returns a message signed by jupyter_client 8.10:
//
//	from jupyter_client.session import Session
//	s = Session(key=b"secret", session="s", username="u")
//	s.sign([b'{"msg_id":"1","msg_type":"execute_request"}', b'{}', b'{}', b'{"code":"%%\\nprint(1)"}'])
func signed() [][]byte {
	return [][]byte{[]byte("identity"), []byte(delimiter),
		[]byte("ce9ed91be377f4048bae2a3b10c86fc922afec0bc409392abc8f697ab05d85ad"),
		[]byte(`{"msg_id":"1","msg_type":"execute_request"}`), []byte("{}"), []byte("{}"),
		[]byte(`{"code":"%%\nprint(1)"}`), []byte("buffer")}
}

func TestMessage_RoundTrip(t *testing.T) {
	m, err := Parse(signed(), "secret")
	if err != nil {
		t.Fatal(err)
	}
	if m.Header.ID != "1" || m.Header.Type != "execute_request" || m.Parent.ID != "" ||
		string(m.Identities[0]) != "identity" || string(m.Buffers[0]) != "buffer" {
		t.Errorf("parsed %+v", m)
	}
	var content struct{ Code string }
	if err := m.Decode(&content); err != nil || content.Code != "%%\nprint(1)" {
		t.Errorf("content %+v, %v", content, err)
	}
	if diff := cmp.Diff(signed(), m.Parts("secret")); diff != "" {
		t.Error(diff)
	}
}

func TestMessage_Forged(t *testing.T) {
	for i := 2; i <= 6; i++ {
		parts := signed()
		parts[i] = bytes.Replace(parts[i], []byte(parts[i][1:2]), []byte("~"), 1)
		if _, err := Parse(parts, "secret"); !errors.Is(err, errSignature) {
			t.Errorf("part %d changed: %v, want ErrSignature", i, err)
		}
	}
	if _, err := Parse(signed(), "other"); !errors.Is(err, errSignature) {
		t.Errorf("another key: %v, want ErrSignature", err)
	}
	if _, err := Parse(signed(), ""); err != nil {
		t.Errorf("without a key: %v, want nothing verified", err)
	}
}

func TestParse_Refused(t *testing.T) {
	tests := map[string][][]byte{
		"nothing":           nil,
		"no delimiter":      {[]byte("a"), []byte("b")},
		"too few parts":     signed()[1:5],
		"header not JSON":   {[]byte(delimiter), nil, []byte("{"), []byte("{}"), []byte("{}"), []byte("{}")},
		"parent not JSON":   {[]byte(delimiter), nil, []byte("{}"), []byte("["), []byte("{}"), []byte("{}")},
		"header not object": {[]byte(delimiter), nil, []byte("[]"), []byte("{}"), []byte("{}"), []byte("{}")},
	}
	for name, parts := range tests {
		if _, err := Parse(parts, ""); !errors.Is(err, errNotMessage) {
			t.Errorf("%s: %v, want ErrNotMessage", name, err)
		}
	}
}

func TestMessage_ParentHeader(t *testing.T) {
	question, err := Parse(signed(), "secret")
	if err != nil {
		t.Fatal(err)
	}
	answer, err := New("execute_reply", "session", question, map[string]string{"code": "a < b && c"})
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(answer.RawParent, question.RawHeader) || answer.Parent.ID != "1" {
		t.Errorf("parent %s", answer.RawParent)
	}
	if got := string(answer.Content); got != `{"code":"a < b && c"}` {
		t.Errorf("content %s", got)
	}
	if _, err := Parse(answer.Parts("secret"), "secret"); err != nil {
		t.Error(err)
	}
	if _, err := New("x", "", nil, func() {}); err == nil {
		t.Error("a function went through as content")
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"msg_id":"1"}`), []byte("{}"), []byte("{}"), "key")
	f.Add([]byte("null"), []byte("null"), []byte(`{"a":[1,2]}`), "")
	f.Fuzz(func(t *testing.T, header, parent, content []byte, key string) {
		m := &Message{RawHeader: header, RawParent: parent, Metadata: json.RawMessage("{}"), Content: content}
		parts := m.Parts(key)
		parsed, err := Parse(parts, key)
		if err != nil {
			if !errors.Is(err, errNotMessage) {
				t.Fatalf("signed by ourselves: %v", err)
			}
			return
		}
		if !cmp.Equal(parsed.Parts(key), parts) {
			t.Fatal("a message changed by being read")
		}
		if _, err := Parse(parts, key+"x"); !errors.Is(err, errSignature) {
			t.Fatalf("another key: %v", err)
		}
	})
}

func ExampleNew() {
	request, err := New("is_complete_request", "session", nil, map[string]string{"code": "%%"})
	if err != nil {
		panic(err)
	}
	received, err := Parse(request.Parts("key"), "key")
	fmt.Println(received.Header.Type, string(received.Content), err)
	_, err = Parse(request.Parts("key"), "another key")
	fmt.Println(err)
	// Output:
	// is_complete_request {"code":"%%"} <nil>
	// wrong signature
}
