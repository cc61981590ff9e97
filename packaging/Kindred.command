#!/bin/sh
# Starts Kindred from this checkout on macOS: double-click it. The Terminal window keeps any error messages.

here=$(cd -- "$(dirname -- "$0")" && pwd -P)
# One for which all packages come compiled, else any that is new enough.
tested='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))'
recent='import sys; sys.exit(sys.version_info < (3, 11))'
python=
for each in python3 python3.13 python3.12 python3.11; do
    if "$each" -c "$tested" 2>/dev/null; then python=$each && break; fi
done
for each in python3 python3.14; do
    if [ -z "$python" ] && "$each" -c "$recent" 2>/dev/null; then python=$each; fi
done
if [ -z "$python" ]; then
    echo "Kindred needs Python 3.11 to 3.13, and none was found. See https://www.python.org/downloads/"
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
