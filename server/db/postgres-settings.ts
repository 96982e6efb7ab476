// How the embedded PostgreSQL is tuned: small when idle, quick on two cores, durable. Given on the command line
// at every start, so that a newer Velour changes them without touching the cluster.

const settings = {
  listen_addresses: '',
  max_connections: '60',
  shared_buffers: '64MB',
  // Whole statements in pg_stat_activity: the default cuts them at 1 kB.
  track_activity_query_size: '16kB',
  effective_cache_size: '512MB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  // Processes that would sit idle at this size.
  io_method: 'sync',
  max_worker_processes: '2',
  max_parallel_workers_per_gather: '0',
  max_logical_replication_workers: '0',
  autovacuum_max_workers: '2',
  shared_preload_libraries: '',
  jit: 'off',
  // Nobody replicates from it; bulk loads are quicker for that.
  wal_level: 'minimal',
  max_wal_senders: '0',
  // Bounds the recovery after a crash and the room on disk.
  max_wal_size: '512MB',
  random_page_cost: '1.1',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Failed statements reach the client, which logs what matters; here they would repeat personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  unix_socket_permissions: '0700',
}

const throwawaySettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Its workers belong to the superuser: a database that one of them is in can be dropped by nobody else.
  autovacuum: 'off',
}

/** `durable: false` is for data that may vanish with the machine's power, such as tests'. */
export function postgresArguments(dataFolder: string, socketFolder: string, durable: boolean) {
  const all = {
    ...settings,
    ...(durable ? {} : throwawaySettings),
    unix_socket_directories: `"${socketFolder}"`,
  }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', dataFolder, '-p', String(postgresPort), ...options]
}

/** Only names the socket file: nothing listens on the network. */
export const postgresPort = 5432
