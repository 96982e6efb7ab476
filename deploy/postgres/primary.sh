#!/bin/bash
# First start of the primary: the role that the servers work as, and the one that the standby follows with.
set -euo pipefail
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 \
  --set app_password="$VELOUR_APP_PASSWORD" --set replication_password="$REPLICATION_PASSWORD" <<'SQL'
create role velour_app login password :'app_password' role velour;
create role replicator login replication password :'replication_password';
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
