// Addresses of a cluster: `postgres://user:password@one:5432,two:5432/name` names servers of which one takes writes at a
// time. The driver knows one host only, so its sockets are led to whichever server takes writes now, or to one that
// only reads.
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export interface DatabaseHost {
  host: string
  port: number
}

const defaultPort = 5432
const probeTimeoutMs = 3_000
/** As long as a promotion may take; what waits longer is refused. */
const searchMs = 10_000
const searchPauseMs = 200

/** One address per server, in the order of the list. Throws a TypeError for what is no address. */
export function splitHosts(connectionString: string): URL[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/.exec(connectionString)
  if (!parts) return [new URL(connectionString)]
  const [, before = '', hosts = '', after = ''] = parts
  return hosts.split(',').map((host) => new URL(before + host + after))
}

/** What a server is wanted for. Whoever only reads has the primary instead and need not wait for anybody. */
export type Purpose = 'writing' | 'reading'

const finders = new Map<string, HostFinder>()

/** For the driver's `stream`: sockets that connect to a server which serves the purpose now. */
export function socketsTo(addresses: URL[], purpose: Purpose): () => Socket {
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
    // Whoever closes a connection may have changed its role.
    socket.on('close', finder.doubt)
    return socket
  }
}

interface HostFinder {
  /** Rejects when there is none: for writing, for a while. */
  find: () => Promise<DatabaseHost>
  /** The next one who asks has the servers asked again. */
  doubt: () => void
}

function createHostFinder(addresses: URL[], purpose: Purpose): HostFinder {
  let search: Promise<DatabaseHost> | null = null
  const doubt = () => {
    search = null
  }
  return {
    doubt,
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
      return await Promise.any(addresses.map((address) => askHost(address, purpose)))
    } catch (error) {
      if (Date.now() >= giveUpAt) {
        // PostgreSQL's own code for "cannot connect now".
        throw Object.assign(new Error(`None of the database servers is there for ${purpose}`), {
          code: '57P03',
          cause: error,
        })
      }
      await sleep(searchPauseMs)
    }
  }
}

/** Rejects unless this server serves the purpose. */
async function askHost(address: URL, purpose: Purpose): Promise<DatabaseHost> {
  const client = new pg.Client({
    connectionString: address.href,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
    application_name: 'velour-probe',
  })
  // A server that dies while it is asked answers by the rejected query.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ transaction_read_only: string }>(
      'show transaction_read_only',
    )
    const found = rows[0]?.transaction_read_only === 'off' ? 'writing' : 'reading'
    if (found !== purpose) throw new Error(`${address.host} is there for ${found}`)
  } finally {
    await client.end()
  }
  return { host: address.hostname, port: Number(address.port || defaultPort) }
}
