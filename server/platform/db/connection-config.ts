// Settings shared by all database connections, pooled or dedicated.
import type { Socket } from 'node:net'
import { type Purpose, createSocketFactory, splitHosts } from '../config/database-hosts.ts'

// A generic plan makes search 35 times slower (measured); the other statements plan in microseconds.
// Times are read and written in UTC.
const sessionOptions = '-c plan_cache_mode=force_custom_plan -c TimeZone=UTC -c DateStyle=ISO'

interface ConnectionConfig {
  connectionString: string
  options: string
  application_name: string
  /** Set if the address names several servers. */
  stream?: () => Socket
}

/** Merges options of the connection string, which would otherwise replace ours. */
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
