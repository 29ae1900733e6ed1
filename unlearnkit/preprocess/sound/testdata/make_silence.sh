#!/usr/bin/env bash
# Writes silence.flac, 35.4 minutes of silence at 16 kHz in a few kilobytes, with flac 1.4.2.
set -euo pipefail
cd "$(dirname "$0")"
head -c 34000000 /dev/zero | flac --silent --force --lax --blocksize=65535 --no-padding --no-seektable --bps=8 \
	--force-raw-format --endian=little --sign=signed --channels=1 --sample-rate=16000 -o silence.flac -
