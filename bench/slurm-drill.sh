#!/usr/bin/env bash
# A sweep by Slurm on this machine alone, with a job killed and one requeued in the middle: it must come to the table and the weights of the
# same sweep by --on local. Installs Debian's slurmd, slurmctld and munge where they are missing (root), and stops them again at its end.
#   bench/slurm-drill.sh [STEPS [WORK]]
# By default 200 gradient steps, in a temporary folder. Exit code 1 if anything differs.
set -u
steps=${1:-200}
psm=$(cd "$(dirname "$0")/.." && pwd)/psm
work=${2:-$(mktemp -d)}
# A folder with a space in its name: scripts must quote it.
mkdir -p "$work/a shared folder" "$work/slurm/state" "$work/slurm/spool" "$work/slurm/munge" || exit 1
cd "$work/a shared folder" || exit 1
started=()

say() { printf '%s  %s\n' "$(date +%H:%M:%S)" "$*"; }
finish() {
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null; done
  sleep 1
  for pid in "${started[@]}"; do kill -9 "$pid" 2>/dev/null; done
}
trap finish EXIT

missing=()
for program in slurmctld slurmd sbatch munged; do command -v $program >/dev/null || missing+=($program); done
if [ ${#missing[@]} -gt 0 ]; then
  say "installing Slurm from Debian"
  export DEBIAN_FRONTEND=noninteractive
  apt-get install -y --no-install-recommends slurmctld slurmd slurm-client munge >"$work/install.log" 2>&1 || { tail -n 5 "$work/install.log"; exit 1; }
fi

cluster() {
  local host
  host=$(hostname -s)
  [ -s /etc/munge/munge.key ] || { dd if=/dev/urandom of=/etc/munge/munge.key bs=1 count=1024 2>/dev/null; chown munge: /etc/munge/munge.key; chmod 400 /etc/munge/munge.key; }
  cat >"$work/slurm/slurm.conf" <<CONF
ClusterName=drill
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$work/slurm/munge/socket
StateSaveLocation=$work/slurm/state
SlurmdSpoolDir=$work/slurm/spool
SlurmctldPidFile=$work/slurm/slurmctld.pid
SlurmdPidFile=$work/slurm/slurmd.pid
SlurmctldLogFile=$work/slurm/slurmctld.log
SlurmdLogFile=$work/slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
# Smaller than the sweep, so that it takes two arrays.
MaxArraySize=20
SchedulerParameters=sched_interval=2,batch_sched_delay=1,requeue_delay=1
KillWait=10
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=$(($(free -m | awk '/^Mem/{print $2}') * 8 / 10)) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
  export SLURM_CONF="$work/slurm/slurm.conf"
  chown -R munge: "$work/slurm/munge"
  chmod 755 "$work" "$work/slurm" "$work/slurm/munge"
  su -s /bin/bash munge -c "exec munged -F -S '$work/slurm/munge/socket' --pid-file='$work/slurm/munge/pid' --log-file='$work/slurm/munge/log' --seed-file='$work/slurm/munge/seed'" >/dev/null 2>&1 &
  started+=($!)
  sleep 1
  slurmctld -D >"$work/slurm/out" 2>&1 &
  started+=($!)
  sleep 2
  slurmd -D >"$work/slurm/out-d" 2>&1 &
  started+=($!)
  for _ in $(seq 30); do sinfo -h -o %T 2>/dev/null | grep -q idle && { sbatch -V; return; }; sleep 1; done
  say "Slurm does not start"
  tail -n 5 "$work"/slurm/*.log
  exit 1
}

sweep() {
  "$psm" sweep --agents psm,fb --env gridworld,four-rooms --seeds 0,1,2 --steps "$steps" discount=0.9,0.95,0.99 psm.basisDimension=8 \
    psm.codesPerStep=8 psm.enrichedCodes=4 psm.coordinateWidth=32 psm.solveCodes=16 fb.featureDimension=8 fb.forwardWidth=32 fb.featureWidth=32 fb.batchSize=64 "$@"
}

# The hash of a file's tensors, which its header has.
tensors() { head -c 4096 "$1" | tr -d '\0' | grep -a -o '"psm.sha256":"[0-9a-f]*"' || sha256sum <"$1"; }
files() { (cd "$1" && find . -name '*.safetensors' | LC_ALL=C sort); }

say "by --on local"
sweep --out local >local.txt 2>&1 || { cat local.txt; exit 1; }
cluster
say "by --on slurm --submit"
sweep --out slurm --on slurm --submit --slurm time=1:00:00 >slurm.txt 2>&1 || { cat slurm.txt; exit 1; }
grep submitted slurm.txt
last=$(sed -n 's/.*gathered by \([0-9]*\).*/\1/p' slurm.txt)

# A task in the middle of training, behind its first checkpoint: Java is killed as by a lost machine, or the job goes back into the queue.
disturb() {
  local pid index folder job
  for _ in $(seq 3000); do
    for pid in $(pgrep -f "dev.psm.app.Psm task $PWD/slurm"); do
      index=$(tr '\0' '\n' <"/proc/$pid/cmdline" 2>/dev/null | tail -n 1)
      folder=$(grep '"folder" : ' slurm/.slurm/1/tasks.json | sed -n "$((index + 1))s/.*: \"\(.*\)\".*/\1/p")
      [ -n "$index" ] && [ -f "$folder/run.json" ] && [ ! -f "$folder/result.json" ] && compgen -G "$folder/seed-*/checkpoints/*" >/dev/null || continue
      case " $disturbed " in *" $index "*) continue ;; esac
      disturbed="$disturbed $index"
      job=$(tr '\0' '\n' <"/proc/$pid/environ" | sed -n 's/^SLURM_JOB_ID=//p')
      if [ "$1" = kill ]; then
        say "killing process $pid of job $job, task $index"
        kill -9 "$pid"
        killed=$((killed + 1))
      else
        say "putting job $job, task $index, back into the queue"
        scontrol requeue "$job"
      fi
      return
    done
    sleep 0.1
  done
  say "no task was found in the middle of training; give more steps"
}
killed=0 disturbed=''
disturb requeue
disturb kill
disturb requeue
while squeue -h -o %i | grep -q .; do sleep 1; done
say "all jobs have ended"
cat slurm/.slurm/1/logs/gather-"$last".txt | tail -n 4
if [ "$killed" -gt 0 ] && ! grep -q '"finishedRuns" : 36' slurm/results.json; then
  say "once more, for what was killed"
  sweep --out slurm --on slurm --submit >>slurm.txt 2>&1 || { cat slurm.txt; exit 1; }
  while squeue -h -o %i | grep -q .; do sleep 1; done
fi
grep -h "going on from\|starting over" slurm/.slurm/*/logs/*.txt | sort | uniq -c

code=0
for file in table.csv trials.csv; do
  if cmp "local/$file" "slurm/$file"; then echo "$file: equal, $(wc -l <"local/$file") lines"; else code=1; fi
done
[ "$(files local)" = "$(files slurm)" ] || { echo "other files"; code=1; }
count=0
for file in $(files local | tr ' ' '?'); do
  # shellcheck disable=SC2086
  [ "$(tensors local/$file)" = "$(tensors slurm/$file)" ] || { echo "$file differs"; code=1; }
  count=$((count + 1))
done
[ $code -eq 0 ] && echo "the same tensors in $count files, byte for byte"
exit $code
