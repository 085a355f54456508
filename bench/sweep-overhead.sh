#!/usr/bin/env bash
# What a sweep costs beside the same runs started by hand: one after the other, and as many at once as there are cores.
#   bench/sweep-overhead.sh [RUNS [STEPS [ROUNDS [PSM]]]]
# By default 6 runs of 100 steps of PSM on the gridworld, which take about 10 s each, in 3 rounds, by the checkout's ./psm. The four ways take turns, so that a
# busy machine disturbs all of them alike; a line for each round, and the medians of the ratios, sweep over by hand, at the end.
set -u
runs=${1:-6} steps=${2:-100} rounds=${3:-3} psm=${4:-$(cd "$(dirname "$0")/.." && pwd)/psm}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cores=$(nproc)
seeds=$(seq -s , 0 $((runs - 1)))
# A run of a sweep computes on one core; so does a run by hand here.
export psm steps work OMP_NUM_THREADS=1

by_hand() { seq 0 $((runs - 1)) | xargs -P "$1" -I SEED bash -c '"$psm" pretrain --env gridworld --agent psm --steps "$steps" --seed SEED --out "$work/hand/SEED" >>"$work/said" 2>&1'; }
sweep() { "$psm" sweep --env gridworld --agents psm --steps "$steps" --seeds "$seeds" --at-once "$1" --out "$work/sweep" >>"$work/said" 2>&1; }

timed() {
  local begin
  rm -rf "$work/hand" "$work/sweep"
  begin=$(date +%s%N)
  "$@" || { tail -n 5 "$work/said" >&2; exit 1; }
  echo $((($(date +%s%N) - begin) / 1000000))
}
ratio() { LC_ALL=C awk "BEGIN { printf \"%.3f\", $1 / $2 }"; }
median() { sort -n | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }

"$psm" --version >/dev/null 2>&1
echo "$runs runs of $steps steps, $cores cores"
for ((round = 1; round <= rounds; round++)); do
  one=$(timed sweep 1) || exit 1
  hand=$(timed by_hand 1) || exit 1
  many=$(timed sweep "$cores") || exit 1
  hands=$(timed by_hand "$cores") || exit 1
  echo "round $round: one by one, sweep $one ms, by hand $hand ms, $(ratio "$one" "$hand"); $cores at once, sweep $many ms, by hand $hands ms, $(ratio "$many" "$hands")"
  ratio "$one" "$hand" >>"$work/one"; echo >>"$work/one"
  ratio "$many" "$hands" >>"$work/many"; echo >>"$work/many"
done
echo "sweep over by hand: one by one $(grep . "$work/one" | median), $cores at once $(grep . "$work/many" | median)"
