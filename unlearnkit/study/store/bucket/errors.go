//go:build !nobucket

package bucket

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"strings"

	"github.com/unlearnlab/unlearnlab/unlearnkit/study/store"
)

// classify rewords an error of a request. It returns [fs.ErrExist], [fs.ErrNotExist], [store.ErrUnreachable] if the
// same request may succeed later, or an error that says what to do.
func (c *cloud) classify(err error) error {
	if err == nil {
		return nil
	}
	code := errorCode(err)
	switch code {
	case "NoSuchBucket", "InvalidBucketName":
		return fmt.Errorf("there is no bucket %s: make it, or correct %s", c.bucket, Variable)
	case "PermanentRedirect", "AuthorizationHeaderMalformed", "MovedPermanently":
		return fmt.Errorf("the bucket %s is in another region: set AWS_REGION, or add ?region=REGION to %s", c.bucket,
			Variable)
	case "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken",
		"XAdminUserNotFound": // the last is VersityGW's
		return fmt.Errorf("the server does not accept these credentials (%s): correct AWS_ACCESS_KEY_ID and "+
			"AWS_SECRET_ACCESS_KEY, or AWS_PROFILE", code)
	case "RequestTimeTooSkewed", "RequestExpired":
		return fmt.Errorf("the clock of this machine differs from the server's (%s): set the clock", code)
	case "NotImplemented":
		return fmt.Errorf("the server cannot do this (%s): it needs conditional writes, If-None-Match: *", code)
	case "QuotaExceeded", "XMinioStorageFull", "EntityTooLarge", "InsufficientStorage": // the last is VersityGW's
		return fmt.Errorf("the bucket takes no more (%s): free some space; the same command continues", code)
	case "PreconditionFailed":
		return fs.ErrExist
	case "NoSuchKey", "NotFound":
		return fs.ErrNotExist
	case "AccessDenied", "Forbidden":
		return errors.New("access is denied: these credentials may not do this; they need to list, read, write and " +
			"delete objects of the bucket")
	}
	text := err.Error()
	switch {
	case code == "" && strings.Contains(text, "credentials"):
		return errors.New("there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE")
	case code == "" && strings.Contains(text, "region"):
		return fmt.Errorf("the region is unknown: set AWS_REGION, or add ?region=REGION to %s", Variable)
	}
	switch status := statusOf(err); {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return fmt.Errorf("access is denied (%s)", code)
	case status == http.StatusConflict || status == http.StatusRequestTimeout || status == http.StatusTooManyRequests:
	case status >= 400 && status < 500:
		return fmt.Errorf("the server refuses the request (%d %s)", status, code)
	}
	return store.ErrUnreachable
}

// statusOf returns the HTTP status of the server's answer, or 0.
func statusOf(err error) int {
	var answer interface {
		error
		HTTPStatusCode() int
	}
	if errors.As(err, &answer) {
		return answer.HTTPStatusCode()
	}
	return 0
}

// errorCode returns the code in the server's answer, or "".
func errorCode(err error) string {
	var answer interface {
		error
		ErrorCode() string
	}
	if errors.As(err, &answer) {
		return answer.ErrorCode()
	}
	return ""
}

// reason returns the part of an error that says why a request was not served: the network's error, the server's error
// code, or else the whole text.
func reason(err error) string {
	var network *net.OpError
	if errors.As(err, &network) {
		return network.Error()
	}
	if code := errorCode(err); code != "" {
		return code
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}
