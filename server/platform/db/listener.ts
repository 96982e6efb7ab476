// A dedicated connection that listens for NOTIFY. When it is lost, it reconnects until it succeeds. Notifications
// sent in the meantime are lost, so it then calls `onMissed`. It also polls the server, because a half-open
// connection looks the same as one without notifications.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { buildConnectionConfig } from './connection-config.ts'
import type { Log } from '../process/log.ts'

export interface Listener {
  /** False while the connection is down. */
  isConnected: () => boolean
  /**
   * Resolves when the notifications of everything committed so far were received. If the connection is down, resolves
   * immediately.
   */
  catchUp: () => Promise<void>
  close: () => Promise<void>
}

const firstRetryDelayMs = 100
const longestRetryDelayMs = 5_000
/** Interval between the polls. Cached data can be stale for this long, plus the response timeout. */
const pollIntervalMs = 5_000
const responseTimeoutMs = 3_000

/** Connects and listens. Resolves after the first LISTEN. */
export async function openListener(options: {
  connectionString: string
  channel: string
  log: Log
  onNotification: (payload: string) => void
  /** Called when a lost connection is restored. All data derived from notifications may then be stale. */
  onMissed: () => void
  patience?: { pollIntervalMs: number; responseTimeoutMs: number }
}): Promise<Listener> {
  const { channel, log, patience = { pollIntervalMs, responseTimeoutMs } } = options
  const stop = new AbortController()
  let client: pg.Client | null = null

  const connect = async () => {
    const next = new pg.Client({
      ...buildConnectionConfig(options.connectionString),
      application_name: 'velour-listener',
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
      query_timeout: patience.responseTimeoutMs,
    })
    const probeTimer = setInterval(() => {
      if (client === next) void probe(next, log)
    }, patience.pollIntervalMs)
    probeTimer.unref()
    next.on('error', (error) => log.warn({ err: error }, 'the listening connection was lost'))
    next.on('end', () => {
      clearInterval(probeTimer)
      if (client !== next) return
      client = null
      if (!stop.signal.aborted) void reconnect()
    })
    next.on('notification', ({ payload }) => options.onNotification(payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      clearInterval(probeTimer)
      await next.end().catch((endError: unknown) => log.warn({ err: endError }, 'closing failed'))
      throw error
    }
    client = next
  }

  const reconnect = async () => {
    for (
      let delayMs = firstRetryDelayMs;
      !stop.signal.aborted;
      delayMs = Math.min(delayMs * 2, longestRetryDelayMs)
    ) {
      await sleep(delayMs)
      if (stop.signal.aborted) return
      try {
        await connect()
      } catch (error) {
        log.warn({ err: error }, 'the listening connection is still down')
        continue
      }
      log.info({}, 'the listening connection is back')
      options.onMissed()
      return
    }
  }

  await connect()
  return {
    isConnected: () => client !== null,
    async catchUp() {
      if (client) await probe(client, log)
    },
    async close() {
      stop.abort()
      const last = client
      client = null
      await last?.end()
    },
  }
}

/**
 * Terminates a connection that doesn't respond. PostgreSQL sends pending notifications before it completes a query,
 * so all of them have arrived when this resolves.
 */
async function probe(client: pg.Client, log: Log): Promise<void> {
  try {
    await client.query('select')
  } catch (error) {
    log.warn({ err: error }, 'the listening connection is silent')
    void client.end()
  }
}
