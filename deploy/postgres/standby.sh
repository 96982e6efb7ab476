#!/bin/bash
# A standby: copies the primary at its first start and follows it from then on. Should it take over, it waits for nobody.
set -euo pipefail
data="${PGDATA:-/var/lib/postgresql/18/docker}"
if [ ! -s "$data/PG_VERSION" ]; then
  # A copy that was broken off must not start as a primary of its own.
  copy="$data.unfinished"
  rm -rf "$copy"
  mkdir -p "$copy"
  chown -R postgres:postgres "$(dirname "$data")"
  chmod 700 "$copy"
  PGPASSWORD="$REPLICATION_PASSWORD" gosu postgres pg_basebackup \
    --pgdata "$copy" --host database-1 --username replicator --wal-method stream --checkpoint fast
  cat >> "$copy/postgresql.auto.conf" <<CONF
primary_conninfo = 'host=database-1 user=replicator password=$REPLICATION_PASSWORD application_name=database_2'
synchronous_standby_names = ''
CONF
  touch "$copy/standby.signal"
  chown postgres:postgres "$copy/standby.signal"
  rm -rf "$data"
  mv "$copy" "$data"
fi
exec gosu postgres postgres -D "$data" -c hot_standby=on
