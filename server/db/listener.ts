// One dedicated connection that hears NOTIFY. It reconnects for ever; because notifications sent
// meanwhile are lost, it then says that some may have been missed.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { connectionConfig } from './connection-config.ts'
import type { Log } from './embedded-postgres.ts'

export interface Listener {
  /** False while the connection is down. */
  isConnected: () => boolean
  close: () => Promise<void>
}

const firstRetryDelayMs = 100
const longestRetryDelayMs = 5_000

/** Connects and listens; resolves once the first LISTEN stands. */
export async function openListener(options: {
  connectionString: string
  channel: string
  log: Log
  onNotification: (payload: string) => void
  /** The connection was lost and is back: whatever was derived from notifications may be stale. */
  onMissed: () => void
}): Promise<Listener> {
  const { channel, log } = options
  const stop = new AbortController()
  let client: pg.Client | null = null

  const connect = async () => {
    const next = new pg.Client({
      ...connectionConfig(options.connectionString),
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    })
    next.on('error', (error) => log.warn({ err: error }, 'the listening connection was lost'))
    next.on('end', () => {
      if (client !== next) return
      client = null
      if (!stop.signal.aborted) void reconnect()
    })
    next.on('notification', ({ payload }) => options.onNotification(payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
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
    async close() {
      stop.abort()
      const last = client
      client = null
      await last?.end()
    },
  }
}
