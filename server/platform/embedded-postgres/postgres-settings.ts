// Settings of the embedded PostgreSQL: little memory when idle, fast on two cores, durable. Passed on the command
// line at every start, so that a newer Velour can change them without editing files of the cluster.

const settings = {
  listen_addresses: '',
  max_connections: '60',
  shared_buffers: '64MB',
  // Shows whole statements in pg_stat_activity, which truncates them at 1 kB by default.
  track_activity_query_size: '16kB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  // Avoids background processes, which would be idle for a database of this size.
  io_method: 'sync',
  max_worker_processes: '2',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  autovacuum_max_workers: '2',
  shared_preload_libraries: '',
  jit: 'off',
  // The lowest level, because replication is not used and bulk loads are faster.
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Limits crash recovery time and disk usage.
  max_wal_size: '512MB',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failed statements are returned to the client, which logs the relevant parts. In PostgreSQL's log, they would
  // expose personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  unix_socket_permissions: '0700',
}

const nonDurableSettings = {
  // For tests: all test files share one server, and some start several apps.
  max_connections: '200',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Autovacuum workers run as superuser. While one is connected to a database, other roles cannot drop it.
  autovacuum: 'off',
}

/** With `durable: false`, data may be lost in a power failure. For tests. */
export function buildPostgresArguments(dataFolder: string, socketFolder: string, durable: boolean) {
  const all = {
    ...settings,
    ...(durable ? {} : nonDurableSettings),
    unix_socket_directories: `"${socketFolder}"`,
  }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', dataFolder, '-p', String(postgresPort), ...options]
}

/** Only used in the name of the socket file, because the database does not listen on the network. */
export const postgresPort = 5432
