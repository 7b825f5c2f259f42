#!/usr/bin/env bash
# Three nodes of PostgreSQL on one machine, to try what a failover does. They have the addresses 127.0.0.1 to 127.0.0.3,
# so all else is as on three machines.
#   apt-get install etcd-server patroni python3-etcd haproxy postgresql-15
#   ./trial.sh start            starts etcd, Patroni and HAProxy, and prints the URLs of the database
#   ./trial.sh status           shows the nodes, and which of them leads
#   ./trial.sh kill-leader      ends Patroni and PostgreSQL of the leader at once, as a loss of power does
#   ./trial.sh start-node 2     starts a node again
#   ./trial.sh stop             stops everything; "remove" also deletes the files
# HA_FOLDER is the folder of all files, by default /var/tmp/secplat-ha.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=${HA_FOLDER:-/var/tmp/secplat-ha}
programs=${POSTGRES_PROGRAMS:-/usr/lib/postgresql/15/bin}
nodes=(1 2 3)

# PostgreSQL does not run as root.
user=$(id -un)
as_user=()
if [ "$user" = root ]; then
  user=postgres
  as_user=(setpriv "--reuid=$user" "--regid=$(id -gn "$user")" --init-groups)
fi

# Starts a program that outlives this script: background NAME COMMAND…
background() {
  local name=$1
  shift
  "${as_user[@]}" setsid "$@" >>"$folder/$name.log" 2>&1 </dev/null &
  echo $! >"$folder/$name.pid"
}

# Whether the program NAME runs.
runs() {
  [ -f "$folder/$1.pid" ] && kill -0 "$(cat "$folder/$1.pid")" 2>/dev/null
}

wait_until() {
  local what=$1
  shift
  for _ in $(seq 600); do
    if "$@" >/dev/null 2>&1; then return; fi
    sleep 0.2
  done
  echo "$what did not happen within two minutes; see the logs in $folder" >&2
  exit 1
}

secret() { head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n'; }

prepare() {
  [ -f "$folder/secrets.env" ] && return
  mkdir -p "$folder"
  chmod 755 "$folder"
  cp "$here/patroni.yaml" "$here/create-database.sh" "$folder"
  chmod 755 "$folder/create-database.sh"
  (
    umask 077
    for name in PATRONI_SUPERUSER_PASSWORD PATRONI_REPLICATION_PASSWORD PATRONI_REWIND_PASSWORD LOGIN_PASSWORD; do
      echo "$name=$(secret)"
    done >"$folder/secrets.env"
  )
  for node in "${nodes[@]}"; do mkdir -p "$folder/node$node"; done
  if [ "${#as_user[@]}" -gt 0 ]; then chown -R "$user" "$folder"; fi
}

start_etcd() {
  local node=$1 address=127.0.0.$1 cluster=
  runs "etcd$node" && return
  for each in "${nodes[@]}"; do cluster+="${cluster:+,}node$each=http://127.0.0.$each:2380"; done
  background "etcd$node" etcd --name "node$node" --data-dir "$folder/etcd$node" \
    --listen-client-urls "http://$address:2379" --advertise-client-urls "http://$address:2379" \
    --listen-peer-urls "http://$address:2380" --initial-advertise-peer-urls "http://$address:2380" \
    --initial-cluster "$cluster" --initial-cluster-state new --initial-cluster-token secplat
}

start_node() {
  local node=$1 address=127.0.0.$1
  runs "patroni$node" && return
  (
    # PostgreSQL refuses a data folder that others may enter.
    umask 077
    set -a
    # shellcheck source=/dev/null
    . "$folder/secrets.env"
    PATRONI_NAME=node$node
    PATRONI_RESTAPI_LISTEN=$address:8008
    PATRONI_RESTAPI_CONNECT_ADDRESS=$address:8008
    PATRONI_POSTGRESQL_LISTEN=$address:5432
    PATRONI_POSTGRESQL_CONNECT_ADDRESS=$address:5432
    PATRONI_POSTGRESQL_DATA_DIR=$folder/node$node/data
    PATRONI_POSTGRESQL_BIN_DIR=$programs
    PATRONI_POSTGRESQL_PGPASS=$folder/node$node/pgpass
    PATRONI_ETCD3_HOSTS=127.0.0.1:2379,127.0.0.2:2379,127.0.0.3:2379
    DATABASE_SCRIPT=$folder/create-database.sh
    background "patroni$node" patroni "$folder/patroni.yaml"
  )
}

start_haproxy() {
  runs haproxy && return
  NODE_1=127.0.0.1 NODE_2=127.0.0.2 NODE_3=127.0.0.3 LISTEN=127.0.0.1 \
    background haproxy haproxy -db -f "$here/haproxy.cfg"
}

# Whether a node has a role that Patroni's health check knows: primary, replica, sync…
has_role() { curl -fsS -o /dev/null -X OPTIONS "http://127.0.0.$1:8008/$2"; }

leader() {
  for node in "${nodes[@]}"; do
    if has_role "$node" primary 2>/dev/null; then
      echo "$node"
      return
    fi
  done
  return 1
}

has_synchronous_replica() {
  for node in "${nodes[@]}"; do
    if has_role "$node" sync; then return; fi
  done
  return 1
}

# Ends Patroni and PostgreSQL of a node with SIGKILL, the processes of its connections included.
kill_node() {
  local node=$1 server
  server=$(head -1 "$folder/node$node/data/postmaster.pid")
  kill -9 "$(cat "$folder/patroni$node.pid")" "$server" $(pgrep -P "$server")
}

stop_all() {
  for node in "${nodes[@]}"; do
    # Patroni stops its PostgreSQL.
    if runs "patroni$node"; then kill "$(cat "$folder/patroni$node.pid")"; fi
  done
  for node in "${nodes[@]}"; do wait_until "the end of node $node" not_running "patroni$node"; done
  for name in haproxy etcd1 etcd2 etcd3; do
    if runs "$name"; then kill "$(cat "$folder/$name.pid")"; fi
  done
  for name in haproxy etcd1 etcd2 etcd3; do wait_until "the end of $name" not_running "$name"; done
}

not_running() { ! runs "$1"; }

case ${1:-} in
start)
  prepare
  for node in "${nodes[@]}"; do start_etcd "$node"; done
  wait_until "the start of etcd" curl -fsS http://127.0.0.1:2379/health
  # The first node makes the database, and the others copy it.
  start_node 1
  wait_until "a leader" leader
  for node in "${nodes[@]}"; do start_node "$node"; done
  start_haproxy
  wait_until "a synchronous replica" has_synchronous_replica
  # shellcheck source=/dev/null
  . "$folder/secrets.env"
  echo "export SECPLAT_DATABASE=postgres://secplat:$LOGIN_PASSWORD@127.0.0.1:5000/secplat"
  echo "export SECPLAT_DATABASE_REPLICA=postgres://secplat:$LOGIN_PASSWORD@127.0.0.1:5001/secplat"
  ;;
status)
  curl -fsS "http://127.0.0.$(leader):8008/cluster"
  echo
  ;;
kill-leader)
  node=$(leader)
  kill_node "$node"
  echo "$node"
  ;;
start-node) start_node "${2:?the number of a node: 1, 2 or 3}" ;;
stop) stop_all ;;
remove)
  stop_all
  rm -rf "$folder"
  ;;
*)
  sed -n '2,/^set /{/^#/s/^# \{0,1\}//p}' "${BASH_SOURCE[0]}"
  exit 2
  ;;
esac
