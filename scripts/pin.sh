#!/bin/sh
# Pin what the project installs, with the hash of every file of every version, and no address of a registry.
#
# Use: make pins            keep what still fits, add what is missing
#      make pins UPGRADE=1  take the newest versions that fit
#
# One version serves all Pythons (fork strategy "fewest"), so that figures do not depend on which one is installed.
set -eu
cd "$(dirname "$0")/.."

if ! command -v uv >/dev/null 2>&1; then
    .venv/bin/python -m pip install --quiet uv
    PATH="$PWD/.venv/bin:$PATH"
fi
upgrade=${UPGRADE:+--upgrade}

pin() {
    into=$1
    shift
    uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
        --no-emit-index-url --no-emit-find-links --no-header $upgrade "$@" --output-file "$into"
}

pin requirements.txt --extra build --extra serve --extra images pyproject.toml
pin requirements-dev.txt --extra build --extra serve --extra images --extra dask --extra parquet --extra dev --constraint requirements.txt pyproject.toml
echo 'virtualenv>=20.26' | pin requirements-bootstrap.txt --no-annotate -

if grep -nE '://|--(extra-)?index|--find-links' requirements.txt requirements-dev.txt requirements-bootstrap.txt; then
    echo "pin: an address got into the pinned requirements; take it out" >&2
    exit 1
fi
