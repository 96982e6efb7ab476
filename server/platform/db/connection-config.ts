// Settings shared by all database connections, pooled or dedicated.
import type { Socket } from 'node:net'
import { type Purpose, createSocketFactory, splitHosts } from '../config/database-hosts.ts'

// Plan every query for its parameters: a generic plan makes search 35 times slower (measured), and planning other
// statements takes microseconds. Read and write times in UTC.
const sessionOptions = '-c plan_cache_mode=force_custom_plan -c TimeZone=UTC -c DateStyle=ISO'

interface ConnectionConfig {
  connectionString: string
  options: string
  application_name: string
  /** Opens the socket, if the URL names several servers. */
  stream?: () => Socket
}

/** Merges the `options` of the connection string with ours, which they would otherwise replace. */
export function buildConnectionConfig(
  connectionString: string,
  purpose: Purpose = 'writing',
): ConnectionConfig {
  const addresses = splitHosts(connectionString)
  const url = new URL(addresses[0]!)
  const ownOptions = url.searchParams.get('options')
  url.searchParams.delete('options')
  return {
    connectionString: url.href,
    options: ownOptions ? `${ownOptions} ${sessionOptions}` : sessionOptions,
    application_name: url.searchParams.get('application_name') ?? 'velour',
    ...(addresses.length > 1 && { stream: createSocketFactory(addresses, purpose) }),
  }
}
