#!/usr/bin/env bash
# Renews tests/fuzz/corpus from what scripts/fuzz.sh has found: of each harness the inputs that together reach all that the
# kept and the new ones reach, as few and as short as the fuzzer can find. Run scripts/fuzz.sh first, for an hour or more.
#
#   tools/renew_corpora.sh [harness ...]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=${QUARRY_FUZZ_BUILD:-build/asan}
if [[ $# -gt 0 ]]; then names=("$@"); else
  names=()
  for source in tests/fuzz/*_fuzz.cpp; do names+=("$(basename "$source" .cpp)"); done
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in "${names[@]}"; do
  harness=$build/tests/fuzz/quarry_$name kept=tests/fuzz/corpus/$name.tar.gz
  if [[ ! -x $harness || ! -d $build/corpus/$name ]]; then
    echo "renew_corpora: $name has not been run here: scripts/fuzz.sh 3600 $name" >&2
    exit 2
  fi
  mkdir -p "$work/$name/old" "$work/$name/new"
  if [[ -f $kept ]]; then tar -xzf "$kept" -C "$work/$name/old"; fi
  "$harness" -merge=1 -max_len=4096 -timeout=20 -rss_limit_mb=2048 -close_fd_mask=1 \
    "$work/$name/new" "$work/$name/old" "$build/corpus/$name" >"$work/$name/log" 2>&1 ||
    { tail -n 5 "$work/$name/log" >&2; echo "renew_corpora: $name failed" >&2; exit 2; }
  # The same bytes whoever packs them, and whenever.
  find "$work/$name/new" -type f -printf '%P\n' | LC_ALL=C sort |
    tar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=0644 --format=ustar -C "$work/$name/new" -T - -cf - |
    gzip -n9 >"$work/$name/packed"
  old=$(find "$work/$name/old" -type f | wc -l) new=$(find "$work/$name/new" -type f | wc -l)
  mv "$work/$name/packed" "$kept"
  echo "$name: $old inputs before, $new now, $(stat -c %s "$kept") bytes packed"
done
