// Package wire speaks what a Jupyter kernel and its clients speak: ZMTP 3 frames on TCP, signed Jupyter messages inside
// them, and the connection file that tells both ends where and with which key.
//
// It has what a proxy and a client need and nothing else. A [Reader] cuts a byte stream into packets and keeps the
// bytes of each, so that a proxy passes what it does not change byte for byte. A [Peer] is one end of a kernel's
// channel. Sizes are bounded: a peer that claims more than [MaxPacket] is an error, not an allocation.
//
// ZMTP is specified in https://rfc.zeromq.org/spec/23/, the messages in
// https://jupyter-client.readthedocs.io/en/stable/messaging.html.
package wire
