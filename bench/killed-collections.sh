#!/usr/bin/env bash
# Collections that are killed (SIGKILL) at random moments, and begun again: each must end in the files of one that never was.
#   bench/killed-collections.sh [KILLS [STEPS [PSM [OPTIONS...]]]]
# By default 20 kills, 40000 steps, the checkout's ./psm and --env fetchreach_discrete --policy dqn-rnd. Prints a line for each kill and each
# comparison; exit code 1 if any file differs but for the time of its making. The datasets are in a temporary folder.
set -u
kills=${1:-20} steps=${2:-40000} psm=${3:-$(cd "$(dirname "$0")/.." && pwd)/psm}
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- --env fetchreach_discrete --policy dqn-rnd
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

now() { date +%s%N; }
files() { (cd "$1" && find . -type f ! -name .lock ! -name report.html ! -name dataset.json | LC_ALL=C sort); }

# Fails unless both folders hold the same files, byte for byte; manifests may differ in their time.
same() {
  local file count=0
  [ "$(files "$1")" = "$(files "$2")" ] || { echo "other files"; diff <(files "$1") <(files "$2"); return 1; }
  for file in $(files "$1"); do
    cmp "$1/$file" "$2/$file" || return 1
    count=$((count + 1))
  done
  diff <(grep -v '"created"' "$1/dataset.json") <(grep -v '"created"' "$2/dataset.json") || return 1
  echo "the same $count files, byte for byte, and the same manifest"
}

collect() { "$psm" collect --steps "$steps" --out "$@" >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }; }

begin=$(now)
collect "$work/whole" "$@"
whole=$((($(now) - begin) / 1000000))
echo "undisturbed: $((whole / 1000)) s"

for ((kill = 1; kill <= kills; )); do
  # A process group of its own: the kill must reach Java behind the launcher.
  setsid "$psm" collect --steps "$steps" --out "$work/killed" "$@" >"$work/said" 2>&1 &
  pid=$!
  delay=$((whole / 6 + RANDOM % (whole / 2)))
  sleep "$((delay / 1000)).$(printf %03d $((delay % 1000)))"
  if builtin kill -KILL -- "-$pid" 2>/dev/null; then
    wait "$pid" 2>/dev/null
    chunks=$(find "$work/killed" -name 'chunk-*.safetensors' 2>/dev/null | wc -l)
    echo "$kill: killed after $delay ms, $chunks chunks stored"
    kill=$((kill + 1))
  else
    wait "$pid" || { cat "$work/said"; exit 1; }
    same "$work/whole" "$work/killed" || exit 1
    rm -rf "$work/killed"
  fi
done
collect "$work/killed" "$@"
same "$work/whole" "$work/killed"
