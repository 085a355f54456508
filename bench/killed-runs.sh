#!/usr/bin/env bash
# Pretraining that is killed (SIGKILL) at random moments, and resumed: each run must end with the model of one that never was killed.
#   bench/killed-runs.sh DATA|WORLD [KILLS [STEPS [PSM [OPTIONS...]]]]
# DATA is the folder of a dataset, WORLD the name of a world of few states, which needs none. By default 20 kills, 600 steps and the checkout's ./psm. Prints a line for each kill and each comparison; exit code 1 if a model or the last
# checkpoint differs. The runs are in a temporary folder.
set -u
data=${1:?"the folder of a dataset, or the name of a world of few states"} kills=${2:-20} steps=${3:-600} psm=${4:-$(cd "$(dirname "$0")/.." && pwd)/psm}
shift $(($# < 4 ? $# : 4))
from=--env
[ -d "$data" ] && from=--data
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

now() { date +%s%N; }
files() { (cd "$1" && find . -name '*.safetensors' | LC_ALL=C sort); }

# The hash of a file's tensors, which its header has: beside it the header says how long training took.
tensors() { head -c 4096 "$1" | tr -d '\0' | grep -a -o '"psm.sha256":"[0-9a-f]*"' || sha256sum <"$1"; }

# Fails unless both runs hold the same tensors, byte for byte.
same() {
  local file count=0
  [ "$(files "$1")" = "$(files "$2")" ] || { echo "other files"; diff <(files "$1") <(files "$2"); return 1; }
  for file in $(files "$1"); do
    [ "$(tensors "$1/$file")" = "$(tensors "$2/$file")" ] || { echo "$file differs"; return 1; }
    count=$((count + 1))
  done
  echo "the same tensors in $count files, byte for byte"
}

# The options that say what is learned are in the run once it has begun.
train() {
  local out=$1
  shift
  if [ -f "$out/run.json" ]; then
    "$psm" pretrain --out "$out" --resume
  else
    "$psm" pretrain "$from" "$data" --out "$out" --steps "$steps" --checkpoint-every $((steps / 12)) --evaluate-every "$steps" --episodes 5 "$@"
  fi
}

begin=$(now)
train "$work/whole" "$@" >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
whole=$((($(now) - begin) / 1000000))
echo "undisturbed: $((whole / 1000)) s"

export -f train
export psm from data steps
for ((kill = 1; kill <= kills; )); do
  # A process group of its own: the kill must reach Java behind the launcher.
  setsid bash -c 'train "$@"' bash "$work/killed" "$@" >"$work/said" 2>&1 &
  pid=$!
  delay=$((whole / 4 + RANDOM % (whole / 2)))
  sleep "$((delay / 1000)).$(printf %03d $((delay % 1000)))"
  if builtin kill -KILL -- "-$pid" 2>/dev/null; then
    wait "$pid" 2>/dev/null
    echo "$kill: killed after $delay ms"
    kill=$((kill + 1))
  else
    wait "$pid" || { cat "$work/said"; exit 1; }
    same "$work/whole" "$work/killed" || exit 1
    rm -rf "$work/killed"
  fi
done
train "$work/killed" "$@" >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
same "$work/whole" "$work/killed"
