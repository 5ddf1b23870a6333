#!/bin/bash
# The wheel on arm64: installed in a Debian chroot under qemu, it records the demo's clip to the same
# SGF as here. Needs root and a network with Debian and PyPI; takes half an hour, or some on a busy
# machine.
#
#     sudo bench/arm64.sh [FOLDER]
#
# FOLDER keeps the chroot for the next run; default: a temporary one.
set -euo pipefail
cd "$(dirname "$0")/.."
work=${1:-$(mktemp -d)}
mkdir -p "$work/wheels"
work=$(realpath "$work")
root=$work/root
python=${PYTHON:-.venv/bin/python}
clip=recorder/data/demo.mp4
export DEBIAN_FRONTEND=noninteractive PIP_DISABLE_PIP_VERSION_CHECK=1

command -v debootstrap qemu-aarch64-static >/dev/null ||
    apt-get install -y -qq --no-install-recommends debootstrap qemu-user-static binfmt-support
mountpoint -q /proc/sys/fs/binfmt_misc || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
[[ -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]] || update-binfmts --enable qemu-aarch64

echo "+ a Debian for arm64"
if [[ ! -e $work/debian ]]; then
    rm -rf "$root"
    # The chroot needs no keys of its own: it is thrown away.
    debootstrap --arch=arm64 --variant=minbase --include=python3,python3-venv,ca-certificates \
        bookworm "$root" >"$work/debootstrap.log"
    touch "$work/debian"
fi

echo "+ the wheel"
"$python" -m pip wheel --quiet --no-deps --wheel-dir "$work/wheels" .
echo "+ record here, by what the wheel was made of"
rm -rf "$work/game"
"$python" -m recorder.cli record "$clip" --out "$work/game"

echo "+ the wheels that it needs on arm64"
version=$(chroot "$root" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')
"$python" -m pip download --quiet --dest "$work/wheels" --only-binary=:all: \
    --python-version "$version" --platform manylinux_2_28_aarch64 --platform manylinux2014_aarch64 \
    "$work"/wheels/banmen-*.whl

echo "+ install and record on arm64"
mkdir -p "$root/wheels"
cp "$work"/wheels/*.whl "$clip" "$root/wheels/"
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
trap 'umount "$root/proc"' EXIT
chroot "$root" env -i PATH=/usr/bin:/bin HOME=/root OMP_NUM_THREADS=1 bash -euo pipefail -c '
    [[ -x /opt/banmen/bin/pip ]] || python3 -m venv /opt/banmen
    /opt/banmen/bin/pip install --quiet --no-compile --no-index --find-links /wheels --force-reinstall banmen
    rm -rf /game
    uname -m
    /opt/banmen/bin/banmen record /wheels/demo.mp4 --out /game'

cmp "$work/game/game.sgf" "$root/game/game.sgf"
echo "the same SGF on arm64 and here: $(sha256sum <"$work/game/game.sgf" | cut -c1-16)"
