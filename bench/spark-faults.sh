#!/usr/bin/env bash
# A sweep on a Spark cluster of this machine (a master and two workers on loopback) whose executors are killed (SIGKILL) at random moments, a
# worker once and the driver once: it must end with the table and the weights of the same sweep by --on local, and no step before a
# checkpoint may be computed twice.
#   bench/spark-faults.sh [KILLS [STEPS [PSM]]]
# By default 10 kills, runs of 800 steps and the checkout's ./psm. Prints a line for each fault and each comparison; exit code 1 if anything differs.
set -u
kills=${1:-10} steps=${2:-800} psm=${3:-$(cd "$(dirname "$0")/.." && pwd)/psm}
work=$(mktemp -d) || exit 1
home="$work/spark" pids=() workers=()
trap 'for pid in "${pids[@]}" $(executors); do kill -KILL "$pid" 2>/dev/null; done; rm -rf "$work"' EXIT
java="${PSM_JAVA_HOME:-${JAVA_HOME:-$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")}}/bin/java"
export SPARK_SCALA_VERSION=2.13 SPARK_LOCAL_IP=127.0.0.1

printf '......\n.##...\n......\n...#..\n......\n' >"$work/first.txt"
printf '.......\n.#.#.#.\n.......\n' >"$work/second.txt"

sweep() {
  "$psm" sweep --agents psm,fb --map "$work/first.txt,$work/second.txt" --seeds 0,1,2 --steps "$steps" discount=0.9,0.95,0.98 "$@"
}

# Spark as a cluster has it: its jars, with none of psm's.
install_spark() {
  local jar
  "$psm" sweep --agents psm --map "$work/first.txt" --out "$work/none" --on spark://127.0.0.1:1 2>"$work/said"
  mkdir -p "$home/jars"
  for jar in $(tr ':' '\n' <"$(dirname "$psm")/app/target/classpath-spark"); do
    case "${jar##*/}" in psm-* | pytorch-* | mkl-* | openblas-* | slf4j-nop-*) ;; *) ln -s "$jar" "$home/jars/" ;; esac
  done
}

start() {
  SPARK_HOME="$home" "$java" -Xmx256m -cp "$home/jars/*" "$@" >>"$work/log" 2>&1 &
  pids+=($!)
}

start_worker() {
  start org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --webui-port 0 -c 1 -m 6g -d "$work/worker-${#pids[@]}" "$master"
  workers+=("${pids[-1]}")
}

# Processes' numbers grow, so the lowest is the oldest.
executors() { for worker in "${workers[@]}"; do pgrep -P "$worker" -f CoarseGrainedExecutorBackend; done; }

start_driver() {
  # A process group of its own: the kill must reach Java behind the launcher.
  setsid bash -c 'sweep "$@"' bash --out "$work/cluster" --on "$master" --spark-conf spark.driver.host=127.0.0.1 >>"$work/driver" 2>&1 &
  driver=$!
}

# Every checkpoint that is ever there, and when it was written.
watch_checkpoints() {
  while sleep 0.3; do find "$work/cluster" -name 'step-*.safetensors' -printf '%P %T@\n' 2>/dev/null; done >"$work/seen"
}

checkpoints() { awk '{ print $1 }' "$work/seen" | LC_ALL=C sort -u | wc -l; }

files() { (cd "$1" && find . -name '*.safetensors' | LC_ALL=C sort); }
# The hash of a file's tensors, which its header has: beside it the header says how long training took.
tensors() { head -c 4096 "$1" | tr -d '\0' | grep -a -o '"psm.sha256":"[0-9a-f]*"' || sha256sum <"$1"; }
# A table without the columns that tell times.
table() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /seconds/) drop[i] = 1 } { for (i = 1; i <= NF; i++) if (!(i in drop)) printf "%s,", $i; print "" }' "$1"; }

same() {
  local file count=0
  [ "$(files "$1")" = "$(files "$2")" ] || { echo "other files"; diff <(files "$1") <(files "$2"); return 1; }
  for file in $(files "$1"); do
    [ "$(tensors "$1/$file")" = "$(tensors "$2/$file")" ] || { echo "$file differs"; return 1; }
    count=$((count + 1))
  done
  echo "the same tensors in $count files, byte for byte"
  for file in table.csv trials.csv; do
    diff <(table "$1/$file") <(table "$2/$file") || { echo "$file differs"; return 1; }
  done
  echo "the same tables"
}

export -f sweep
export psm work steps
install_spark
SECONDS=0
sweep --out "$work/local" --on local >"$work/said" 2>&1 || { cat "$work/said"; exit 1; }
echo "undisturbed, --on local: $SECONDS s"

port=$((20000 + RANDOM % 10000)) master=
master="spark://127.0.0.1:$port"
start org.apache.spark.deploy.master.Master --host 127.0.0.1 --port "$port" --webui-port 0
until (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do sleep 0.2; done
start_worker
start_worker
watch_checkpoints &
pids+=($!)
before=0
SECONDS=0
start_driver
for ((kill = 1; kill <= kills; )); do
  sleep "$((3 + RANDOM % 5)).$((RANDOM % 10))"
  builtin kill -0 "$driver" 2>/dev/null || break
  # The oldest, once there is a checkpoint more: one that has not begun a task loses nothing.
  now=$(checkpoints)
  [ "$now" -gt "$before" ] || continue
  before=$now
  oldest=$(executors | sort -n | head -n 1)
  { [ -n "$oldest" ] && builtin kill -KILL "$oldest"; } || continue
  echo "$SECONDS s: executor killed ($kill), $now checkpoints so far"
  kill=$((kill + 1))
  if [ "$kill" = $((kills / 2)) ]; then
    builtin kill -KILL "${workers[0]}" && echo "$SECONDS s: worker killed"
    start_worker
  elif [ "$kill" = $((3 * kills / 4)) ]; then
    builtin kill -KILL -- "-$driver" && echo "$SECONDS s: driver killed, and started again"
    start_driver
  fi
done
wait "$driver" || { tail -n 20 "$work/driver"; exit 1; }
echo "with $((kill - 1)) executors, a worker and the driver killed: $SECONDS s"
[ "$kill" -gt "$kills" ] || { echo "it ended before all kills; give more STEPS"; exit 1; }
grep -c "was lost" "$work/driver" | sed 's/$/ losses were told/'
twice=$(LC_ALL=C sort -u "$work/seen" | awk '{ print $1 }' | uniq -d | wc -l)
echo "$(checkpoints) checkpoints seen, $twice of them written twice"
same "$work/local" "$work/cluster" && [ "$twice" = 0 ]
