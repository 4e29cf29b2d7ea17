#!/usr/bin/env bash
# Sets up, builds and runs every test. Further arguments go to ctest: scripts/test.sh -L unit
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

./scripts/setup.sh test
cmake --preset release
cmake --build --preset release --parallel "$(./scripts/jobs.sh)" --target quarry_tests
# A run without tests must not look like success. One test more than there are cores, for some of them wait.
ctest --preset release --no-tests=error --parallel "$(($(nproc) + 1))" "$@"
