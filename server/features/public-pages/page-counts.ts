// Counts shares, visits and played previews by day and page. The counts contain no personal data: no cookie and no
// network address. They are kept in memory and flushed every few seconds, so that many visits to a page cost one
// statement.
import { sql } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import type { PageKind } from '#contract/public-pages.ts'
import type { Database } from '../../platform/db/database.ts'

type Counted = 'shares' | 'visits' | 'previews'

export interface PageCounts {
  add: (item: { kind: PageKind; id: string }, what: Counted) => void
  /** Flushes the counts in memory to the database. */
  flush: () => Promise<void>
  stop: () => Promise<void>
}

interface Count {
  kind: PageKind
  item_id: string
  shares: number
  visits: number
  previews: number
}

const flushMs = 5_000

export function createPageCounts(db: Database, log: Pick<FastifyBaseLogger, 'warn'>): PageCounts {
  let counts = new Map<string, Count>()

  async function flush(): Promise<void> {
    const rows = [...counts.values()]
    counts = new Map()
    if (rows.length === 0) return
    await sql`
      insert into page_days (day, kind, item_id, shares, visits, previews)
      select (now() at time zone 'UTC')::date, kind, item_id, shares, visits, previews
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          as c (kind text, item_id uuid, shares int, visits int, previews int)
       order by kind, item_id
      on conflict (day, kind, item_id) do update set shares = page_days.shares + excluded.shares,
        visits = page_days.visits + excluded.visits, previews = page_days.previews + excluded.previews`.execute(
      db.query,
    )
  }

  const flushOrWarn = () =>
    flush().catch((err: unknown) => log.warn({ err }, 'counts of public pages were lost'))
  const timer = setInterval(() => void flushOrWarn(), flushMs).unref()

  return {
    add({ kind, id }, what) {
      const key = `${kind} ${id}`
      const count = counts.get(key) ?? { kind, item_id: id, shares: 0, visits: 0, previews: 0 }
      count[what] += 1
      counts.set(key, count)
    },
    flush,
    async stop() {
      clearInterval(timer)
      await flushOrWarn()
    },
  }
}

/** Matches the User-Agents of messengers and search engines, which do not count as visitors. */
const crawlers = /bot\b|crawl|spider|preview|externalhit|whatsapp|slurp|embedly|curl|wget|monitor/i

export function isPerson(userAgent: string | undefined): boolean {
  return userAgent !== undefined && !crawlers.test(userAgent)
}
