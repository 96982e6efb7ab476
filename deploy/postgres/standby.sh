#!/bin/bash
# A standby: copies the primary at its first start and follows it from then on.
set -euo pipefail
data="${PGDATA:-/var/lib/postgresql/18/docker}"
if [ ! -s "$data/PG_VERSION" ]; then
  mkdir -p "$data"
  chown -R postgres:postgres "$(dirname "$data")"
  chmod 700 "$data"
  PGPASSWORD="$REPLICATION_PASSWORD" gosu postgres pg_basebackup \
    --pgdata "$data" --host database-1 --username replicator --wal-method stream --checkpoint fast
  cat >> "$data/postgresql.auto.conf" <<CONF
primary_conninfo = 'host=database-1 user=replicator password=$REPLICATION_PASSWORD application_name=database_2'
CONF
  touch "$data/standby.signal"
  chown postgres:postgres "$data/standby.signal"
fi
exec gosu postgres postgres -D "$data" -c hot_standby=on
