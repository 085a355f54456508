#!/usr/bin/env bash
# First starts of psm that are interrupted, and many at once: each must leave a cache that the next start can use.
#   bench/first-starts.sh [PSM [INTERRUPTED [ROUNDS]]]     by default the checkout's ./psm, 200 and 20
# Prints a line for each; exit code 1 if any start failed. The cache is in a temporary folder.
set -u
psm=${1:-$(cd "$(dirname "$0")/.." && pwd)/psm}
interrupted=${2:-200} rounds=${3:-20} at_once=8 failures=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export PSM_CACHE="$work/cache"

# Whether psm starts, and with all of its libraries; what it said is in the file named.
starts() { "$psm" doctor >"$1" 2>&1 && grep -q '^blas  *MKL' "$1"; }

seconds() { LC_ALL=C awk "BEGIN { printf \"%.2f\", $1 }"; }

starts "$work/said" || { cat "$work/said"; exit 1; }
rm -rf "$PSM_CACHE"
begin=$(date +%s%N)
starts "$work/said" || { cat "$work/said"; exit 1; }
whole=$(($(date +%s%N) - begin))
echo "an undisturbed first start takes $(seconds "$whole / 1e9") s"

for ((i = 1; i <= interrupted; i++)); do
  rm -rf "$PSM_CACHE"
  signal=INT
  ((i % 2)) && signal=KILL
  delay=$(seconds "0.2 + $whole / 1e9 * $RANDOM / 32768")
  # A shell in the background has its children ignore SIGINT.
  timeout --foreground -s "$signal" "$delay" env --default-signal=INT "$psm" doctor >"$work/said" 2>&1
  code=$?
  left=$(du -sm "$PSM_CACHE" 2>/dev/null | cut -f 1)
  if starts "$work/said"; then result=good; else result=FAILED; failures=$((failures + 1)); cat "$work/said"; fi
  echo "$i: SIG$signal after $delay s (exit code $code, ${left:-0} MB unpacked), then $result"
done

for ((round = 1; round <= rounds; round++)); do
  rm -rf "$PSM_CACHE"
  jobs=() good=0
  for ((i = 0; i < at_once; i++)); do
    starts "$work/said-$i" &
    jobs+=($!)
  done
  for ((i = 0; i < at_once; i++)); do
    if wait "${jobs[i]}"; then good=$((good + 1)); else failures=$((failures + 1)); cat "$work/said-$i"; fi
  done
  echo "round $round: $good of $at_once at once are good"
done
echo "$failures failed"
((failures == 0))
