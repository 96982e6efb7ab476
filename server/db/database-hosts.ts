// Addresses of a cluster: `postgres://user:password@one:5432,two:5432/name` names servers of which one takes writes at a
// time. The driver knows one host only, so its sockets are led to whichever server takes writes now.
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

const finders = new Map<string, PrimaryFinder>()

/** For the driver's `stream`: sockets that connect to the server which takes writes. */
export function socketsToPrimary(addresses: URL[]): () => Socket {
  const key = addresses.map(String).join(' ')
  const finder = finders.get(key) ?? createPrimaryFinder(addresses)
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
    // Whoever closes a connection may have stopped being the primary.
    socket.on('close', finder.doubt)
    return socket
  }
}

interface PrimaryFinder {
  /** Rejects when none takes writes for a while. */
  find: () => Promise<DatabaseHost>
  /** The next one who asks has the servers asked again. */
  doubt: () => void
}

function createPrimaryFinder(addresses: URL[]): PrimaryFinder {
  let search: Promise<DatabaseHost> | null = null
  const doubt = () => {
    search = null
  }
  return {
    doubt,
    find() {
      if (search) return search
      const own = searchPrimary(addresses)
      search = own
      own.catch(() => {
        if (search === own) search = null
      })
      return own
    },
  }
}

async function searchPrimary(addresses: URL[]): Promise<DatabaseHost> {
  const giveUpAt = Date.now() + searchMs
  for (;;) {
    try {
      return await Promise.any(addresses.map(askForWrites))
    } catch (error) {
      if (Date.now() > giveUpAt) {
        // PostgreSQL's own code for "cannot connect now".
        throw Object.assign(new Error('None of the database servers takes writes'), {
          code: '57P03',
          cause: error,
        })
      }
      await sleep(searchPauseMs)
    }
  }
}

/** Rejects unless this server takes writes. */
async function askForWrites(address: URL): Promise<DatabaseHost> {
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
    if (rows[0]?.transaction_read_only !== 'off') throw new Error(`${address.host} only reads`)
  } finally {
    await client.end()
  }
  return { host: address.hostname, port: Number(address.port || defaultPort) }
}
