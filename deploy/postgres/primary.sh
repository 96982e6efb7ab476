#!/bin/bash
# First start of the primary: the role that the servers work as, and the one that the standby follows with. From the
# next start on a commit is acknowledged when the standby has it too; `alter system reset` and a reload end that.
set -euo pipefail
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 \
  --set app_password="$VELOUR_APP_PASSWORD" --set replication_password="$REPLICATION_PASSWORD" <<'SQL'
create role velour_app login password :'app_password' role velour;
create role replicator login replication password :'replication_password';
alter system set synchronous_standby_names = 'database_2';
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
