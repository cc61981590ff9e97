#!/bin/sh
# Tries the two commands of the README on an empty Debian: as an ordinary user whose home others cannot read, then as
# root. Needs root, debootstrap and a network. The last lines say what each step took on disk.
#
#   packaging/fresh_machine.sh [FOLDER]      the empty system; made if it does not exist, kept afterwards
#   COMMANDS="run" packaging/fresh_machine.sh   without the tests
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
system=${1:-$(mktemp -d)/debian}
commands=${COMMANDS:-run test}
if [ ! -e "$system/etc/debian_version" ]; then
    debootstrap --variant=minbase --include=git,ca-certificates,python3 bookworm "$system"
fi
cp /etc/resolv.conf "$system/etc/resolv.conf"
echo "127.0.0.1 localhost" >"$system/etc/hosts"
mountpoint -q "$system" || mount --rbind "$system" "$system" # so that the system knows what its root lies on
for folder in proc dev; do
    mountpoint -q "$system/$folder" || mount --rbind "/$folder" "$system/$folder"
done
trap 'umount -l "$system/proc" "$system/dev" "$system"' EXIT

inside() { # inside USER COMMAND: with nothing of this machine's environment
    chroot "$system" su - "$1" -s /bin/sh -c "$2"
}

try_both() { # try_both USER HOME
    rm -rf "$system$2/kindred"
    git clone -q "$here" "$system$2/kindred"
    chroot "$system" chown -R "$1" "$2/kindred"
    for command in $commands; do
        script="python3 packaging/$command.py"
        [ "$command" = run ] && script="$script --version"
        # The first attempt of an ordinary user names the one command that installs missing system packages.
        if ! inside "$1" "cd $2/kindred && $script" 2>"$system/tmp/said"; then
            cat "$system/tmp/said"
            needed=$(sed -n 's/.*Run: //p' "$system/tmp/said" | sed 's/sudo //g')
            [ -n "$needed" ]
            inside root "export DEBIAN_FRONTEND=noninteractive; $needed" >"$system/tmp/installed" 2>&1
            inside "$1" "cd $2/kindred && $script"
        fi
        echo "$1: $script: passed; .venv has $(du -sh "$system$2/kindred/.venv" | cut -f1)"
    done
}

inside root "id ann >/dev/null 2>&1 || useradd --create-home ann; chmod 700 /home/ann"
try_both ann /home/ann
try_both root /root
