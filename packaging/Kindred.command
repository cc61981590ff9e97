#!/bin/sh
# Starts Kindred from this checkout on macOS: double-click it. The Terminal window keeps any error messages.

here=$(cd -- "$(dirname -- "$0")" && pwd -P)
for python in python3 python3.14 python3.13 python3.12 python3.11; do
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && break
    python=
done
if [ -z "$python" ]; then
    echo "Kindred needs Python 3.11 or newer, and none was found. See https://www.python.org/downloads/"
    status=3
else
    "$python" "$here/run.py" "$@"
    status=$?
fi
if [ "$status" -ne 0 ] && [ -t 0 ]; then
    printf 'Press Return to close. '
    read -r _
fi
exit "$status"
