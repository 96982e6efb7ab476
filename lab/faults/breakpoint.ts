// Stops the server at a chosen SQL statement, so that a test can kill it exactly there. A trigger on the table waits
// for an advisory lock that the test holds, so the product needs no code for this.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export interface Breakpoint {
  /** Resolves when the server waits at the breakpoint. Rejects after a timeout. */
  reached: () => Promise<void>
  /** Removes the breakpoint: releases the lock and drops the trigger. */
  clear: () => Promise<void>
}

export interface Place {
  table: string
  event: 'insert' | 'update' | 'delete'
  /** SQL condition for the trigger. It may use `new` and `old` where the event has them. */
  when: string
}

const lockNumber = 8_356_871_777
const reachTimeoutMs = 180_000
const pollMs = 20

/** Sets a breakpoint. `owner` is a connection string for the role that owns the tables. */
export async function setBreakpoint(owner: string, place: Place): Promise<Breakpoint> {
  const client = new pg.Client(owner)
  // Ignore a lost connection, because some tests stop the database.
  client.on('error', () => {})
  await client.connect()
  await client.query('select pg_advisory_lock($1)', [lockNumber])
  await client.query(`
    create or replace function fault_wait() returns trigger language plpgsql as $$
    begin
      if ${place.when} then perform pg_advisory_xact_lock(${lockNumber}); end if;
      return ${place.event === 'delete' ? 'old' : 'new'};
    end $$;
    create trigger fault_wait before ${place.event} on ${place.table}
      for each row execute function fault_wait();`)

  return {
    async reached() {
      const giveUpAt = performance.now() + reachTimeoutMs
      for (;;) {
        const { rows } = await client.query<{ waiting: number }>(
          `select count(*)::int as waiting from pg_locks
            where locktype = 'advisory' and not granted
              and (classid::bigint << 32 | objid::bigint) = $1`,
          [lockNumber],
        )
        if (rows[0]!.waiting > 0) return
        if (performance.now() > giveUpAt) throw new Error(`Nobody came to ${JSON.stringify(place)}`)
        await sleep(pollMs)
      }
    },
    async clear() {
      await client.query('select pg_advisory_unlock($1)', [lockNumber])
      await client.query(`drop trigger fault_wait on ${place.table}`)
      await client.end()
    },
  }
}
