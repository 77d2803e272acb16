#!/usr/bin/env bash
# A Slurm of this machine alone, in a folder, while a command runs:
#
#     tests/slurm_here.sh FOLDER COMMAND...
#
# Needs no root and no service: munged, slurmctld and slurmd run as who calls, on ports of their own. Exits as the command
# does, or with 77 and the reason on stderr where Slurm does not come up.
set -euo pipefail

folder=$1
shift
port=$((20000 + $$ % 10000 * 2)) # and the next one; two of these may run at once
export PATH=$PATH:/usr/sbin SLURM_CONF=$folder/slurm.conf
daemons=()

end() {
    ((${#daemons[@]} == 0)) || kill "${daemons[@]}" 2>/dev/null || true
    wait
}
trap end EXIT

# Tells why, with the last words of the daemons.
give_up() {
    echo "$1" >&2
    tail --quiet --lines=3 "$folder"/*.log >&2
    exit 77
}

# begin NAME COMMAND...: starts a daemon.
begin() {
    local name=$1
    shift
    "$@" >"$folder/$name.log" 2>&1 &
    daemons+=($!)
}

# await WHAT COMMAND...: waits, ten seconds at most, until the command succeeds.
await() {
    local what=$1
    shift
    for _ in {1..100}; do
        "$@" 2>/dev/null && return
        sleep 0.1
    done
    give_up "$what does not come up"
}

is_idle() { sinfo --noheader --format=%t | grep --quiet idle; }

# The machine is said to have more processors than it may, so that jobs of several threads start anywhere.
configuration() {
    local me host
    me=$(id --user --name) host=$(hostname --short)
    cat <<CONF
ClusterName=here
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthInfo=socket=$folder/munge.socket
SlurmUser=$me
SlurmdUser=$me
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
NodeName=$host NodeAddr=127.0.0.1 CPUs=8
PartitionName=here Nodes=ALL Default=YES
CONF
}

mkdir -p "$folder/state" "$folder/spool"
(umask 077 && head --bytes=1024 /dev/urandom >"$folder/munge.key")
configuration >"$SLURM_CONF"
begin munged munged --foreground --force --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
    --pid-file="$folder/munge.pid" --seed-file="$folder/munge.seed" --log-file="$folder/munge.log"
await munged test -S "$folder/munge.socket"
begin slurmctld slurmctld -D
begin slurmd slurmd -D
await Slurm is_idle
"$@"
