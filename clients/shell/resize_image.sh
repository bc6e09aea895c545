#!/bin/sh
# reeve run --once-per-task --types resize_image -- ./resize_image.sh
# The payload is on stdin.  What is printed is the result.  Exit codes: 0 succeeded, 75 failed and to be retried, others failed.
path=$(jq -r .path) || exit 1
[ -r "$path" ] || { echo "$path is not there yet" >&2; exit 75; }
wc -c <"$path"
