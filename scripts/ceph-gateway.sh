#!/usr/bin/env bash
# Runs a real S3 server on 127.0.0.1: the gateway of a Ceph cluster with one monitor and one OSD whose objects are in
# memory. For tests and for trying STORAGE_URL; nothing survives its end.
#
#   scripts/ceph-gateway.sh FOLDER PORT
#
# FOLDER is for configuration and logs and must not contain another cluster; PORT and PORT + 1 must be free. Prints
# "ready http://127.0.0.1:PORT" and runs until its standard input ends or a signal arrives, so that it never outlives
# the program that started it. The key is `testkey`, its secret `testsecret`. SIGUSR1 stops the gateway and SIGUSR2 starts
# it again, with all objects. run/gateway.pid in FOLDER has its process id.
# Debian: apt-get install --no-install-recommends radosgw ceph-mon ceph-osd ceph-mgr ceph-common
set -euo pipefail
folder=${1:?FOLDER is missing}
port=${2:?PORT is missing}
monitor=$((port + 1))
cluster=$(cat /proc/sys/kernel/random/uuid)
export CEPH_CONF=$folder/ceph.conf
mkdir -p "$folder"/{mon,osd,mgr,rgw,run,log}

cat > "$CEPH_CONF" <<CONF
[global]
fsid = $cluster
mon host = v2:127.0.0.1:$monitor
mon initial members = a
public addr = 127.0.0.1
cluster addr = 127.0.0.1
keyring = $folder/keyring
run dir = $folder/run
admin socket = $folder/run/\$name.asok
log file = $folder/log/\$name.log
pid file = $folder/run/\$name.pid
osd pool default size = 1
osd pool default min size = 1
osd pool default pg num = 4
osd crush chooseleaf type = 0
mon allow pool size one = true
mon warn on pool no redundancy = false
[mon.a]
mon data = $folder/mon
[mgr.x]
mgr data = $folder/mgr
[osd.0]
osd data = $folder/osd
osd objectstore = memstore
memstore device bytes = 4294967296
osd class load list = *
osd class default list = *
[client.rgw]
rgw data = $folder/rgw
rgw frontends = beast endpoint=127.0.0.1:$port
CONF

daemons=()
end() {
  trap - EXIT INT TERM
  # The shell would report each killed process.
  exec 2> /dev/null
  kill -KILL "${daemons[@]}" || true
  wait
}
trap end EXIT
trap 'exit 0' INT TERM

# start NAME COMMAND…: its output goes to a log.
start() {
  local name=$1
  shift
  "$@" >> "$folder/log/$name.out" 2>&1 < /dev/null &
  daemons+=($!)
}

# until_ready COMMAND…: fails after a minute.
until_ready() {
  local attempt
  for attempt in $(seq 120); do
    if "$@" > /dev/null 2>&1; then return; fi
    sleep 0.5
  done
  echo "not ready after a minute: $*; see $folder/log" >&2
  exit 1
}

key() {
  local name=$1
  shift
  ceph-authtool "$folder/keyring" --gen-key -n "$name" "$@" > /dev/null
}

{
  ceph-authtool --create-keyring "$folder/keyring" --gen-key -n mon. --cap mon 'allow *'
  key client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
  key mgr.x --cap mon 'allow profile mgr' --cap osd 'allow *'
  key osd.0 --cap mon 'allow profile osd' --cap osd 'allow *' --cap mgr 'allow profile osd'
  key client.rgw --cap mon 'allow rw' --cap osd 'allow rwx'
  monmaptool --create --fsid "$cluster" --addv a "[v2:127.0.0.1:$monitor]" "$folder/monmap"
  ceph-mon --mkfs -i a --monmap "$folder/monmap" --keyring "$folder/keyring"
} >> "$folder/log/setup.out" 2>&1
start mon ceph-mon -f -i a
until_ready ceph -s --connect-timeout 2
start mgr ceph-mgr -f -i x
{
  osd=$(cat /proc/sys/kernel/random/uuid)
  ceph osd new "$osd" 0
  ceph-osd -i 0 --mkfs --osd-uuid "$osd"
} >> "$folder/log/setup.out" 2>&1
start osd ceph-osd -f -i 0
until_ready sh -c 'ceph osd stat | grep -q "1 up"'
start_gateway() {
  start rgw radosgw -n client.rgw -f
  gateway=$!
  echo "$gateway" > "$folder/run/gateway.pid"
  # The shell would report its end.
  disown "$gateway"
}
start_gateway
until_ready curl -fs "http://127.0.0.1:$port/"
radosgw-admin -n client.rgw user create --uid=test --display-name=test --access-key=testkey --secret-key=testsecret \
  >> "$folder/log/setup.out" 2>&1
echo "ready http://127.0.0.1:$port"
# Ends with the standard input, or with a signal, which interrupts `wait` but not a running command.
exec 3<&0
cat <&3 > /dev/null &
reader=$!
daemons+=("$reader")
trap 'kill -KILL "$gateway"' USR1
trap start_gateway USR2
# A trap ends `wait`, too.
while kill -0 "$reader" 2> /dev/null; do wait "$reader" || true; done
