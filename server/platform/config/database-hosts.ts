// Multi-host addresses: `postgres://user:password@one:5432,two:5432/name` lists servers of which one at a time is the
// primary. The driver supports a single host, so this module opens its sockets to the current primary, or to a
// standby for reads.
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export interface DatabaseHost {
  host: string
  port: number
}

const defaultPort = 5432
const probeTimeoutMs = 3_000
/** How long to search for a primary. A failover may take this long, after which the connection attempt fails. */
const searchMs = 10_000
const searchPauseMs = 200

/** Splits a multi-host URL into one URL per server, in the same order. Throws a TypeError for an invalid URL. */
export function splitHosts(connectionString: string): URL[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/.exec(connectionString)
  if (!parts) return [new URL(connectionString)]
  const [, before = '', hosts = '', after = ''] = parts
  return hosts.split(',').map((host) => new URL(before + host + after))
}

/** What a connection is for. If no standby is available, reading uses the primary without waiting. */
export type Purpose = 'writing' | 'reading'

const finders = new Map<string, HostFinder>()

/** For the driver's `stream` option: returns sockets that connect to a server that currently fits the purpose. */
export function createSocketFactory(addresses: URL[], purpose: Purpose): () => Socket {
  const key = [purpose, ...addresses].join(' ')
  const finder = finders.get(key) ?? createHostFinder(addresses, purpose)
  finders.set(key, finder)
  return () => {
    const socket = new Socket()
    const connect = socket.connect.bind(socket)
    socket.connect = () => {
      finder.find().then(
        ({ host, port }) => connect(port, host),
        (error: Error) => socket.destroy(error),
      )
      return socket
    }
    // When a server closes a connection, its role may have changed, so search again.
    socket.on('close', finder.invalidate)
    return socket
  }
}

interface HostFinder {
  /**
   * Returns a server that fits the purpose. Rejects if there is none. For writing, first retries for up to
   * `searchMs`.
   */
  find: () => Promise<DatabaseHost>
  /** Drops the cached server, so that the next caller probes the servers again. */
  invalidate: () => void
}

function createHostFinder(addresses: URL[], purpose: Purpose): HostFinder {
  let search: Promise<DatabaseHost> | null = null
  const invalidate = () => {
    search = null
  }
  return {
    invalidate,
    find() {
      if (search) return search
      const own = searchHost(addresses, purpose)
      search = own
      own.catch(() => {
        if (search === own) search = null
      })
      return own
    },
  }
}

async function searchHost(addresses: URL[], purpose: Purpose): Promise<DatabaseHost> {
  const giveUpAt = Date.now() + (purpose === 'writing' ? searchMs : 0)
  for (;;) {
    try {
      return await Promise.any(addresses.map((address) => probeHost(address, purpose)))
    } catch (error) {
      if (Date.now() >= giveUpAt) {
        // PostgreSQL's code for "cannot connect now".
        throw Object.assign(new Error(`None of the database servers is available for ${purpose}`), {
          code: '57P03',
          cause: error,
        })
      }
      await sleep(searchPauseMs)
    }
  }
}

/** Connects to this server and rejects unless it fits the purpose. */
async function probeHost(address: URL, purpose: Purpose): Promise<DatabaseHost> {
  const client = new pg.Client({
    connectionString: address.href,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
    application_name: 'velour-probe',
  })
  // Without a handler, an error event would end the process. The query rejects anyway.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ transaction_read_only: string }>(
      'show transaction_read_only',
    )
    const found = rows[0]?.transaction_read_only === 'off' ? 'writing' : 'reading'
    if (found !== purpose) throw new Error(`${address.host} is available for ${found}`)
  } finally {
    await client.end()
  }
  return { host: address.hostname, port: Number(address.port || defaultPort) }
}
