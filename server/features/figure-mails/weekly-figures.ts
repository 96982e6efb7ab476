// Reads the statistics of a week and of the previous week, and the tasks that are pending now.
import { sql } from 'kysely'
import type { Database, Handle } from '../../platform/db/database.ts'
import type { WeeklyFigure } from '../../platform/mail/admin-mails.ts'
import { figuresSource } from '../insights/figures-source.ts'
import { selectDays, listCurrencies, selectTrackSums } from '../insights/insight-operations.ts'
import { addDays } from '../insights/roll-up-insights.ts'

const listedTracks = 5

export interface Week {
  /** The first day of the week, such as `2026-11-16`. */
  start: string
  end: string
}

export async function readWeeklyFigures(
  db: Database,
  { start, end }: Week,
  now: Date,
): Promise<{ figures: WeeklyFigure[]; tracks: TopOfWeek[] }> {
  const source = figuresSource('real')
  const [currency] = await listCurrencies(db, source)
  const range = { start: addDays(start, -7), end }
  const { rows } = await selectDays(range, currency, source).execute(db.query)
  const [before, week] = [rows.slice(0, 7), rows.slice(7)]
  const money = (cents: number) =>
    new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(cents / 100)
  const count = (value: number) => value.toLocaleString('en-US')
  const sum = (of: typeof rows, value: (day: (typeof rows)[number]) => number) =>
    of.reduce((total, day) => total + value(day), 0)
  const compare = (label: string, path: string, value: (of: typeof rows) => string) => ({
    label,
    path,
    value: value(week),
    before: value(before),
  })
  const query = `start=${start}&end=${end}`
  const refused = await countRejectedEmails(db, start)
  const figures: WeeklyFigure[] = [
    compare('New members', '/admin/users', (of) => count(sum(of, (day) => day.sign_ups))),
    compare('Paying members', '/admin/billing', (of) => count(of.at(-1)?.paying ?? 0)),
    compare('Net revenue', '/admin/billing', (of) =>
      money(sum(of, (day) => day.revenue_cents - day.refunds_cents)),
    ),
    compare('Plays', `/admin/insights?${query}`, (of) => count(sum(of, (day) => day.plays))),
    {
      label: 'Rejected emails',
      path: '/admin/announcements',
      value: count(refused.week),
      before: count(refused.before),
    },
    ...(await listPendingTasks(db)),
  ]
  return { figures, tracks: await listBestTracks(db, { start, end }, now) }
}

/** Counts news emails that a mail server rejected permanently, and account emails that could not be delivered. */
async function countRejectedEmails(
  handle: Handle,
  start: string,
): Promise<{ week: number; before: number }> {
  const { rows } = await sql<{ week: number; before: number }>`
    with refused as (
      select created_at from tracked_mails where state = 'refused'
      union all
      select created_at from audit_log
       where entity = 'user' and action = 'update' and after ? 'undelivered_mail'
         and created_at >= ${start}::date - 7)
    select count(*) filter (where created_at >= ${start}::date
                              and created_at < ${start}::date + 7) as week,
           count(*) filter (where created_at >= ${start}::date - 7
                              and created_at < ${start}::date) as before
      from refused`.execute(handle.query)
  return rows[0]!
}

async function listPendingTasks(handle: Handle): Promise<WeeklyFigure[]> {
  const { rows } = await sql<{ messages: number; reviews: number; payments: number }>`
    select (select count(*) from support_threads
             where state = 'open' and waiting_since is not null) as messages,
           (select count(*) from reviews where state = 'waiting') as reviews,
           (select count(*) from stripe_subscriptions
             where status in ('past_due', 'unpaid')) as payments`.execute(handle.query)
  const { messages = 0, reviews = 0, payments = 0 } = rows[0] ?? {}
  const waiting = (label: string, value: number, path: string) => ({
    label,
    value: value.toLocaleString('en-US'),
    before: null,
    path,
  })
  return [
    waiting('Messages waiting now', messages, '/admin/support'),
    waiting('Reviews waiting now', reviews, '/admin/reviews'),
    waiting('Failed payments now', payments, '/admin/billing'),
  ]
}

interface TopOfWeek {
  title: string
  artist: string
  plays: number
  before: number
  path: string
}

async function listBestTracks(
  handle: Handle,
  { start, end }: Week,
  now: Date,
): Promise<TopOfWeek[]> {
  const source = figuresSource('real')
  const earlier = { start: addDays(start, -7), end: addDays(start, -1) }
  const { rows } = await sql<TopOfWeek & { id: string }>`
    select t.id, t.title, t.artist, s.plays, coalesce(b.plays, 0) as before
      from (${selectTrackSums({ start, end }, now, source)}) s
      join tracks t on t.id = s.track_id
      left join (${selectTrackSums(earlier, now, source)}) b on b.track_id = s.track_id
     where s.plays > 0
     order by s.plays desc, t.title, t.id
     limit ${listedTracks}`.execute(handle.query)
  return rows.map(({ id, ...track }) => ({ ...track, path: `/admin/library?edit=${id}` }))
}
