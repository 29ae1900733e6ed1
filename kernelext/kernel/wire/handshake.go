package wire

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"
)

// greetingSize is the length of the greeting that each peer sends first.
const greetingSize = 64

// greeting returns the greeting of a ZMTP 3.0 peer with the NULL mechanism. Nothing is encrypted; messages are signed.
func greeting() []byte {
	g := make([]byte, greetingSize)
	g[0], g[8], g[9], g[10] = 0xff, 1, 0x7f, 3
	copy(g[12:32], "NULL")
	return g
}

// checkGreeting returns an error if a peer's greeting is not compatible with ours.
func checkGreeting(g []byte) error {
	mechanism := strings.TrimRight(string(g[12:32]), "\x00")
	switch {
	case g[0] != 0xff || g[9]&1 == 0 || g[10] < 3:
		return fmt.Errorf("%w: the peer uses another protocol or a version before 3.0", ErrFraming)
	case mechanism != "NULL":
		return fmt.Errorf("%w: the peer wants the security mechanism %q, but Jupyter uses NULL and signs messages",
			ErrFraming, mechanism)
	}
	return nil
}

// command returns the frame of a ZMTP command.
func command(name string, data []byte) []byte {
	body := append([]byte{byte(len(name))}, name...)
	return appendFrame(nil, flagCommand, append(body, data...))
}

// ready returns a socket's READY command.
func ready(socketType, identity string) []byte {
	var data []byte
	for _, property := range [][2]string{{"Socket-Type", socketType}, {"Identity", identity}} {
		data = append(data, byte(len(property[0])))
		data = append(data, property[0]...)
		data = binary.BigEndian.AppendUint32(data, uint32(len(property[1])))
		data = append(data, property[1]...)
	}
	return command("READY", data)
}

// parseCommand splits a command's body into name and data. ok is false if the body is too short.
func parseCommand(body []byte) (name string, data []byte, ok bool) {
	if len(body) == 0 || len(body) < 1+int(body[0]) {
		return "", nil, false
	}
	n := 1 + int(body[0])
	return string(body[1:n]), body[n:], true
}

// pong returns the answer to a PING, whose data are a time to live of two bytes and a context to send back.
func pong(data []byte) []byte { return command("PONG", data[min(2, len(data)):]) }

// properties parses the properties in a READY command, with lowercase names. It stops where the data are truncated.
func properties(data []byte) map[string]string {
	found := map[string]string{}
	for len(data) > 0 {
		n := int(data[0])
		if len(data) < 1+n+4 {
			break
		}
		name, size := string(data[1:1+n]), binary.BigEndian.Uint32(data[1+n:])
		data = data[1+n+4:]
		if uint64(len(data)) < uint64(size) {
			break
		}
		found[strings.ToLower(name)] = string(data[:size]) // names are case-insensitive
		data = data[size:]
	}
	return found
}

// shake performs the handshake and returns the peer's identity.
func shake(conn io.Writer, r *reader, socketType, identity string) (string, error) {
	if _, err := conn.Write(greeting()); err != nil {
		return "", err
	}
	theirs := make([]byte, greetingSize)
	if _, err := io.ReadFull(r, theirs); err != nil {
		return "", fmt.Errorf("greeting: %w", err)
	}
	if err := checkGreeting(theirs); err != nil {
		return "", err
	}
	if _, err := conn.Write(ready(socketType, identity)); err != nil {
		return "", err
	}
	p, err := r.Next()
	if err != nil {
		return "", fmt.Errorf("handshake: %w", err)
	}
	name, data, ok := parseCommand(p.Parts[0])
	if !p.Command || !ok || name != "READY" {
		return "", fmt.Errorf("%w: handshake answered with %q %q", ErrFraming, name, data)
	}
	return properties(data)["identity"], nil
}
