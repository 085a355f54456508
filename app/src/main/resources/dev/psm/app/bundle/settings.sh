# shellcheck shell=bash
# How psm is run, for the launcher of a checkout and for that of a bundle: both read this file.

say() { printf 'psm: %s\n' "$*" >&2; }

# What --device (or PSM_DEVICE, where it is not given) asks for: cpu, cuda or auto.
device_asked() {
  local device="${PSM_DEVICE:-auto}" before=
  for argument in "$@"; do
    [ "$before" = --device ] && device=$argument
    case "$argument" in --device=*) device=${argument#*=} ;; esac
    before=$argument
  done
  case "$device" in cuda | cpu) echo "$device" ;; *) echo auto ;; esac
}

# Whether --on names a master of Spark's, which "master" is then.
spark_asked() {
  local on='' before=
  for argument in "$@"; do
    [ "$before" = --on ] && on=$argument
    case "$argument" in --on=*) on=${argument#*=} ;; esac
    before=$argument
  done
  master=
  case "$on" in spark://* | k8s://* | yarn | local\[* | local-cluster\[*) master=$on ;; *) return 1 ;; esac
}

# Adds to "options" what Spark needs of Java, and sets "distribution" to what follows on the class path: YARN's and Kubernetes's schedulers
# are in a distribution of Spark, with what they need to know of the cluster. Other masters need neither.
spark_settings() {
  local part
  for part in lang lang.invoke lang.reflect io net nio util util.concurrent util.concurrent.atomic; do
    options+=("--add-opens=java.base/java.$part=ALL-UNNAMED")
  done
  for part in jdk.internal.ref sun.nio.ch sun.nio.cs sun.security.action sun.util.calendar; do
    options+=("--add-opens=java.base/$part=ALL-UNNAMED")
  done
  options+=(-Dslf4j.provider=org.slf4j.nop.NOPServiceProvider -Dslf4j.internal.verbosity=ERROR)
  distribution=
  case "$master" in yarn | k8s://*) ;; *) return 0 ;; esac
  [ -n "${SPARK_HOME:-}" ] && distribution=":$SPARK_HOME/jars/*"
  [ -n "${HADOOP_CONF_DIR:-}" ] && distribution="$distribution:$HADOOP_CONF_DIR"
  return 0
}

driver=/proc/driver/nvidia/version
has_driver() { [ -e "$driver" ]; }

# Whether the system's loader will find these libraries.
loadable() {
  local library folder folders found
  IFS=: read -ra folders <<<"${LD_LIBRARY_PATH:-}"
  for library in "$@"; do
    found=
    for folder in "${folders[@]+"${folders[@]}"}"; do
      [ -n "$folder" ] && [ -e "$folder/$library" ] && { found="$folder/$library"; break; }
    done
    [ -n "$found" ] || found=$(PATH="$PATH:/usr/sbin:/sbin" ldconfig -p 2>/dev/null | sed -n "s|^[[:space:]]*$library (.*x86-64.*) => ||p" | head -n 1)
    [ -e "$found" ] || return 1
  done
}

# Without these the GPU build of libtorch cannot be loaded at all, not even to work on the CPU.
loads_gpu_build() { loadable libcudart.so.13 libcupti.so.13; }

append_libraries() { [ -d "$1" ] && LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$1"; }

# CUDA's libraries: PSM_CUDA_LIBRARIES first, then what the system has, then places where they commonly lie.
find_cuda() {
  local place
  [ -n "${PSM_CUDA_LIBRARIES:-}" ] && LD_LIBRARY_PATH="$PSM_CUDA_LIBRARIES${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
  if ! loadable libcuda.so.1 libcudart.so.13 libcupti.so.13 libcublas.so.13 libcudnn.so.9 libnccl.so.2; then
    for place in /usr/local/cuda/lib64 /usr/local/cuda/extras/CUPTI/lib64 /usr/local/nvidia/lib64; do
      append_libraries "$place"
    done
    # Python is not needed, but whoever has PyTorch has these libraries: those of CUDA 13 or none, for cuDNN's name is the same in all.
    place=$(python3 -c 'import importlib.util as u; s = u.find_spec("nvidia"); print(list(s.submodule_search_locations)[0] if s else "")' 2>/dev/null)
    if [ -n "$place" ] && compgen -G "$place/*/lib/libcudart.so.13" >/dev/null; then
      for place in "$place"/*/lib; do append_libraries "$place"; done
    fi
  fi
  export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:-}"
}

# Sets the environment and the array "options" for Java of the given version.
settings() {
  # MKL, because the OpenBLAS in this libtorch fights its own thread pool. OpenMP's threads spin for some microseconds before they
  # sleep: always spinning makes training several times slower as soon as another process wants a core, never spinning makes
  # small networks twice as slow.
  [ -n "${OMP_WAIT_POLICY:-}" ] || export GOMP_SPINCOUNT="${GOMP_SPINCOUNT:-10000}"
  # Without a character set Java reads paths as ASCII, and writes beside a folder that has other characters in its name.
  case "${LC_ALL:-${LC_CTYPE:-${LANG:-}}}" in '' | C | POSIX) export LC_ALL=C.UTF-8 ;; esac
  # A gradient step frees what the next one allocates: glibc must not hand it back to the system in between.
  export MALLOC_ARENA_MAX="${MALLOC_ARENA_MAX:-1}" MALLOC_MMAP_THRESHOLD_="${MALLOC_MMAP_THRESHOLD_:-33554432}" MALLOC_TRIM_THRESHOLD_="${MALLOC_TRIM_THRESHOLD_:-1073741824}"
  # shellcheck disable=SC2034
  options=(-Dorg.bytedeco.openblas.load=mkl -XX:+UseParallelGC "-Dpsm.launcher=$home/psm")
  [ "$1" -ge 22 ] && options+=(--enable-native-access=ALL-UNNAMED)
  [ "$1" -ge 24 ] && options+=(--sun-misc-unsafe-memory-access=allow)
  [ -t 2 ] && [ "${TERM:-dumb}" != dumb ] && options+=(-Dpsm.terminal=true)
  return 0
}
