package judge

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// longestAnswer is the maximum size of an answer in bytes, so that a broken server cannot use up memory.
const longestAnswer = 1 << 20

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// request sends one request and returns the text of the answer.
func (e *Endpoint) request(ctx context.Context, system, user string) (string, error) {
	limit := e.Limit
	if limit <= 0 {
		limit = 2 * time.Minute
	}
	limited, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("no answer in %s", limit))
	defer cancel()
	body, err := json.Marshal(struct {
		Model       string    `json:"model"`
		Messages    []message `json:"messages"`
		Temperature float64   `json:"temperature"`
	}{e.Model, []message{{"system", system}, {"user", user}}, 0})
	if err != nil {
		return "", err
	}
	request, err := http.NewRequestWithContext(limited, http.MethodPost, e.address(), bytes.NewReader(body))
	if err != nil {
		return "", e.failure("%v", err)
	}
	request.Header.Set("Content-Type", "application/json")
	if e.Key != "" {
		request.Header.Set("Authorization", "Bearer "+e.Key)
	}
	response, err := client.Do(request)
	if err != nil {
		return "", e.broken(limited, err)
	}
	defer response.Body.Close()
	content, err := io.ReadAll(io.LimitReader(response.Body, longestAnswer+1))
	switch {
	case response.StatusCode != http.StatusOK:
		return "", e.refused(response, content)
	case err != nil:
		return "", e.broken(limited, err)
	case len(content) > longestAnswer:
		return "", e.failure("an answer of more than %d bytes", longestAnswer)
	}
	return e.completion(content)
}

// completion returns the text in the JSON of an answer.
func (e *Endpoint) completion(content []byte) (string, error) {
	var answer struct {
		Choices []struct {
			Message struct {
				Content *string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
	}
	if err := json.Unmarshal(content, &answer); err != nil || len(answer.Choices) == 0 {
		return "", &passingError{error: e.failure("the answer is not a chat completion: %s", e.short(content))}
	}
	if text := answer.Choices[0].Message.Content; text != nil {
		return *text, nil
	}
	return "", nil // the model or a filter refused to answer
}

// broken returns the error for a request without a complete answer.
func (e *Endpoint) broken(limited context.Context, err error) error {
	if limited.Err() != nil {
		err = context.Cause(limited)
	}
	var at *url.Error
	if errors.As(err, &at) {
		err = at.Err
	}
	return &passingError{error: e.failure("%v", err)}
}

// refused returns the error for an answer whose status is not 200.
func (e *Endpoint) refused(response *http.Response, content []byte) error {
	status := response.StatusCode
	err := e.failure("%s: %s", response.Status, e.short(content))
	switch {
	case status == http.StatusRequestTimeout, status == http.StatusTooManyRequests,
		status >= http.StatusInternalServerError:
		return &passingError{err, retryAfter(response.Header.Get("Retry-After"), time.Now())}
	case status >= http.StatusMultipleChoices && status < http.StatusBadRequest:
		return e.failure("%s to %.200q; give the endpoint's own address", response.Status,
			response.Header.Get("Location"))
	}
	return err
}

// retryAfter parses a Retry-After header, which contains seconds or a date. It returns 0 if the header is missing or
// invalid.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseFloat(header, 64); err == nil && seconds > 0 {
		return time.Duration(min(seconds, 1e9) * float64(time.Second))
	}
	if date, err := http.ParseTime(header); err == nil {
		return max(0, date.Sub(now))
	}
	return 0
}

// failure returns a one-line error that names the endpoint and does not contain the key.
func (e *Endpoint) failure(format string, values ...any) error {
	text := strings.Join(strings.Fields(fmt.Sprintf(format, values...)), " ")
	if e.Key != "" {
		text = strings.ReplaceAll(text, e.Key, "(key)")
	}
	return fmt.Errorf("ask %s: %s", e.address(), text)
}

// short returns the error message in an answer, in the format of most servers, or the beginning of the answer.
func (e *Endpoint) short(content []byte) string {
	var answer struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	text := string(content)
	if json.Unmarshal(content, &answer) == nil && answer.Error.Message != "" {
		text = answer.Error.Message
	}
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return "nothing"
	}
	if e.Key != "" { // must happen before the text is shortened
		text = strings.ReplaceAll(text, e.Key, "(key)")
	}
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	return text
}
