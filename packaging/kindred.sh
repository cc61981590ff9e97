#!/bin/sh
# Starts Kindred from this checkout on Linux and similar systems; can be double-clicked and accepts files.
# Without a terminal, errors at the start are shown in a window.

here=$(dirname -- "$(readlink -f -- "$0")")

message() {
    if [ -t 2 ]; then
        printf '%s\n' "$1" >&2
        return
    fi
    printf '%s\n' "$1" >&2
    if command -v zenity >/dev/null 2>&1; then zenity --error --no-markup --title=Kindred --text="$1"
    elif command -v kdialog >/dev/null 2>&1; then kdialog --title Kindred --error "$1"
    elif command -v xmessage >/dev/null 2>&1; then xmessage -center "$1"
    elif command -v notify-send >/dev/null 2>&1; then notify-send -u critical Kindred "$1"
    fi
}

# One for which all packages come compiled, else any that is new enough. The plain name comes first: another version
# would repeat the set-up.
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
    message "Kindred needs Python 3.11 to 3.13, and none was found."
    exit 3
fi

if [ -t 2 ]; then
    exec "$python" "$here/run.py" "$@"
fi

if [ ! -e "$here/../.venv/ready.txt" ] && command -v notify-send >/dev/null 2>&1; then
    notify-send Kindred "Setting up: takes a few minutes and about 2 GB, once. The window opens when it is done."
fi
said=$(mktemp) || exit 3
"$python" "$here/run.py" "$@" 2>"$said"
status=$?
cat "$said" >&2
if [ "$status" -ne 0 ]; then
    message "$(tail -n 12 "$said")"
fi
rm -f "$said"
exit "$status"
