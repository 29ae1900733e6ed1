// Package wire implements the protocols between a Jupyter kernel and its clients: ZMTP 3 frames on TCP, the signed
// Jupyter messages in them, and the connection file with addresses and key.
//
// It contains only what a proxy and a client need. A reader splits a byte stream into packets and keeps their bytes,
// so that a proxy can pass unchanged packets byte for byte. A [Peer] is one end of a kernel's channel. Sizes are
// bounded: a claimed size above maxPacket causes an error, not an allocation.
//
// ZMTP is specified in https://rfc.zeromq.org/spec/23/, the messages in
// https://jupyter-client.readthedocs.io/en/stable/messaging.html.
package wire
