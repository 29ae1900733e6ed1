package judge_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/unlearnlab/unlearnlab/unlearnkit/judge"
)

// reply answers one request to a test server.
type reply func(w http.ResponseWriter, r *http.Request)

// says returns a reply with a text as a chat completion.
func says(text string) reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		content, _ := json.Marshal(text)
		fmt.Fprintf(w, `{"choices": [{"index": 0, "message": {"role": "assistant", "content": %s}}]}`, content)
	}
}

// status returns a reply with a status code and a body.
func status(code int, body string, header ...string) reply {
	return func(w http.ResponseWriter, _ *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		io.WriteString(w, body) //nolint:errcheck // the test fails if something is missing
	}
}

// stalls never answers. It returns when the client disconnects.
func stalls(_ http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body) //nolint:errcheck // the server detects a closed connection only after reading all
	<-r.Context().Done()
}

// drops closes the connection without an answer.
func drops(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// half closes the connection in the middle of the answer.
func half(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	io.WriteString(w, `{"choices": [{"message": {"cont`) //nolint:errcheck // the answer is meant to be incomplete
	w.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// server is a test server that answers requests with the replies of a script, one after another. After the last reply,
// it repeats that reply.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	script []reply
	asked  []map[string]any // bodies of the received requests
	heads  []http.Header
	times  []time.Time
}

// newServer starts a server. If a request violates the protocol, the server returns status 400, which no test expects.
func newServer(script ...reply) *server {
	s := &server{script: script}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		content, err := io.ReadAll(r.Body)
		if err != nil || json.Unmarshal(content, &body) != nil || r.Method != http.MethodPost ||
			r.URL.Path != "/v1/chat/completions" {
			status(http.StatusBadRequest, "no question of chat completions")(w, r)
			return
		}
		s.mu.Lock()
		next := s.script[min(len(s.asked), len(s.script)-1)]
		s.asked, s.heads = append(s.asked, body), append(s.heads, r.Header)
		s.times = append(s.times, time.Now())
		s.mu.Unlock()
		next(w, r)
	}))
	return s
}

func serve(t *testing.T, script ...reply) *server {
	t.Helper()
	s := newServer(script...)
	t.Cleanup(s.Close)
	return s
}

func (s *server) requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

func (s *server) endpoint() *judge.Endpoint {
	return &judge.Endpoint{Base: s.URL + "/v1", Model: "small", Key: "secret-17", Limit: 200 * time.Millisecond,
		Pause: time.Millisecond}
}

func TestEndpoint_Request(t *testing.T) {
	s := serve(t, says("a\nb"))
	for _, ending := range []string{"/v1", "/v1/", "/v1/chat/completions"} {
		e := s.endpoint()
		e.Base = s.URL + ending
		if answer, err := e.Complete(t.Context(), "the system", "the \"user\""); answer != "a\nb" || err != nil {
			t.Errorf("%s: got %q, %v, want answer %q", ending, answer, err, "a\nb")
		}
	}
	got, _ := json.Marshal(s.asked[0])
	want := `{"messages":[{"content":"the system","role":"system"},{"content":"the \"user\"","role":"user"}],` +
		`"model":"small","temperature":0}`
	if string(got) != want || s.heads[0].Get("Authorization") != "Bearer secret-17" {
		t.Errorf(`got %s, %v, want string(got) %v, Get("Authorization") "Bearer secret-17"`, got, s.heads[0], want)
	}
	e := s.endpoint()
	if e.Key = ""; ask(e) != nil || s.heads[3].Get("Authorization") != "" {
		t.Errorf("a request without a key has %v", s.heads[3])
	}
}

func ask(e *judge.Endpoint) error {
	_, err := e.Complete(context.Background(), "", "")
	return err
}

func TestEndpoint_AsksAgain(t *testing.T) {
	for name, passing := range map[string]reply{
		"429": status(429, `{"error": {"message": "slow down"}}`), "500": status(500, "oops"), "408": status(408, ""),
		"503": status(503, "<html>"), "stalls": stalls, "drops": drops, "half JSON": half,
		"rubbish": status(200, "<html>welcome</html>"), "cut JSON": status(200, `{"choices": [{"mess`),
		"no choices": status(200, `{"choices": []}`),
	} {
		s := serve(t, passing, passing, says("yes"))
		answer, err := s.endpoint().Complete(t.Context(), "", "")
		if answer != "yes" || err != nil || s.requests() != 3 {
			t.Errorf("%s: %q, %v after %d requests", name, answer, err, s.requests())
		}
	}
}

func TestEndpoint_Refused(t *testing.T) {
	for _, test := range []struct {
		name     string
		reply    reply
		requests int
		want     string
	}{
		{"a wrong key", status(401, `{"error": {"message": "Incorrect API key: secret-17\nsee the site"}}`), 1,
			"401 Unauthorized: Incorrect API key: (key) see the site"},
		{"an unknown model", status(404, `{"error": {"message": "no small"}}`), 1, "404 Not Found: no small"},
		{"a bad request", status(400, ""), 1, "400 Bad Request: nothing"},
		{"a redirect", status(308, "", "Location", "https://other.example/v1"), 1,
			`308 Permanent Redirect to "https://other.example/v1"; give the endpoint's own address`},
		{"an endless answer", status(200, strings.Repeat("x", 2<<20)), 1, "an answer of more than 1048576 bytes"},
		{"always too many", status(429, "wait"), 3, "429 Too Many Requests: wait; given up after 3 requests"},
		{"always stalling", stalls, 3, "no answer in 200ms; given up after 3 requests"},
		{"always dropping", drops, 3, "EOF; given up after 3 requests"},
		{"always half", half, 3, "unexpected EOF; given up after 3 requests"},
		{"always rubbish", status(200, "<html>\n"+strings.Repeat("é", 300)), 3,
			"the answer is not a chat completion: <html> ééé"},
		{"a day off", status(429, "quota", "Retry-After", "86400"), 1,
			"429 Too Many Requests: quota; it asks to wait for 24h0m0s: run again then, what was answered is kept"},
	} {
		s := serve(t, test.reply)
		e := s.endpoint()
		e.Tries = 3
		err := ask(e)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.ContainsAny(err.Error(), "\n\r") ||
			strings.Contains(err.Error(), e.Key) || !strings.HasPrefix(err.Error(), "ask "+s.URL) ||
			len(err.Error()) > 400 || s.requests() != test.requests {
			t.Errorf("%s: %v after %d requests; want %q after %d", test.name, err, s.requests(), test.want,
				test.requests)
		}
	}
}

func TestEndpoint_EmptyAnswer(t *testing.T) {
	for _, reply := range []reply{says(""), status(200, `{"choices": [{"message": {"content": null}}]}`),
		status(200, `{"choices": [{"message": {"refusal": "no"}}]}`)} {
		s := serve(t, reply)
		if answer, err := s.endpoint().Complete(t.Context(), "", ""); answer != "" || err != nil {
			t.Errorf(`got %q, %v, want answer ""`, answer, err)
		}
	}
}

// Pauses grow, and a pause that the server asks for replaces them.
func TestEndpoint_Pauses(t *testing.T) {
	s := serve(t, status(500, ""), status(500, ""), status(500, ""), status(429, "", "Retry-After", "0.25"),
		status(503, "", "Retry-After", time.Now().Add(-time.Hour).UTC().Format(http.TimeFormat)), says("yes"))
	e := s.endpoint()
	e.Pause = 20 * time.Millisecond
	if err := ask(e); err != nil {
		t.Fatal(err)
	}
	for i, least := range []time.Duration{18, 36, 72, 250, 0} {
		if pause := s.times[i+1].Sub(s.times[i]); pause < least*time.Millisecond {
			t.Errorf("pause %d is %s, want at least %d ms", i+1, pause, least)
		}
	}
}

func TestEndpoint_Interrupted(t *testing.T) {
	for name, reply := range map[string]reply{"in a request": stalls, "in a pause": status(500, "")} {
		s := serve(t, reply)
		e := s.endpoint()
		e.Limit, e.Pause = time.Minute, time.Minute
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		start := time.Now()
		_, err := e.Complete(ctx, "", "")
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 20*time.Second {
			t.Errorf("%s: %v after %s", name, err, time.Since(start))
		}
	}
}

func TestEndpoint_BadAddress(t *testing.T) {
	for _, base := range []string{"", "localhost:8000", "ftp://host/v1", "http://", "http://a b", "/v1"} {
		if err := ask(&judge.Endpoint{Base: base}); err == nil ||
			!strings.Contains(err.Error(), "give one such as https://api.openai.com/v1") {
			t.Errorf(`%q: got the error %v, want one with "give one such as https://api.openai.com/v1"`, base, err)
		}
	}
	closed := serve(t, says(""))
	closed.Close()
	e := closed.endpoint()
	e.Tries = 2
	if err := ask(e); err == nil || !strings.Contains(err.Error(), "given up after 2 requests") {
		t.Error(err)
	}
}
