// Measures the shelves of the start screen in a large catalogue, for a member with plays. Run by hand: npm run lab --
// lab/capacity/home-shelves.ts [tracks]
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pino from 'pino'
import type { Actor, MemberContext } from '#server/platform/operations/context.ts'
import { readHome } from '#server/features/home/home-operations.ts'
import { prepareDatabase } from '#server/platform/db/app-rights.ts'
import { createDatabase, type Database } from '#server/platform/db/database.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { readProcessorSeconds } from '../harness/process-usage.ts'

const trackCount = Number(process.argv[2] ?? 100_000)
const artistCount = 3000
const tracksPerRelease = 10
const readings = 200
const fillPage = 5000
const log = pino({ level: 'silent' })
const folder = await mkdtemp(join(tmpdir(), 'velour-home-'))

try {
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log, durable: false })
  try {
    await prepareDatabase({ app: postgres.app, owner: postgres.owner }, { log })
    const db = createDatabase({ connectionString: postgres.app, maxConnections: 4, log })
    await fillCatalogue(db)
    await measure(await memberWithHistory(db))
    await db.close()
  } finally {
    await postgres.stop()
  }
} finally {
  await rm(folder, { recursive: true })
}

/** Inserts tracks, and a release for every ten of them. A tenth of the releases is less than 90 days old. */
async function fillCatalogue(db: Database): Promise<void> {
  // Insert in pages. With a single statement, the triggers of all tracks would exceed the time limit of a statement.
  for (let from = 1; from <= trackCount; from += fillPage) {
    await sql`
      insert into tracks (title, artist, tags, is_published, processing_status, duration)
      select 'Title ' || i, 'Artist ' || i % ${artistCount}, array['mood' || i % 200], true, 'ready', 180
        from generate_series(${from}::int, ${Math.min(from + fillPage - 1, trackCount)}::int) i`.execute(
      db.query,
    )
  }
  await sql`
    insert into releases (kind, title, slug, is_published, release_date)
    select 'album', 'Release ' || i, 'release-' || i, true, current_date - (i % 900)
      from generate_series(1, ${Math.ceil(trackCount / tracksPerRelease)}::int) i`.execute(db.query)
  await sql`
    insert into release_tracks (release_id, track_id, disc, position)
    select r.id, t.id, 1, t.n % ${tracksPerRelease} + 1
      from (select id, row_number() over (order by id) - 1 as n from tracks) t
      join (select id, row_number() over (order by id) - 1 as n from releases) r on r.n = t.n / ${tracksPerRelease}`.execute(
    db.query,
  )
  await sql`analyze`.execute(db.query)
}

async function memberWithHistory(db: Database): Promise<MemberContext> {
  const { id } = await db.query
    .insertInto('profiles')
    .values({ email: 'member@velour.test' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`
    insert into plays (id, user_id, track_id, is_preview, started_at, reported_at, counted_at, heard_seconds, duration_seconds)
    select gen_random_uuid(), ${id}, t.id, false, at, at, at, 100, 180
      from (select id, now() - make_interval(mins => (row_number() over (order by md5(id::text)))::int * 20) as at
              from tracks order by md5(id::text) limit 5000) t`.execute(db.query)
  await sql`insert into likes (user_id, track_id)
    select ${id}, id from tracks order by md5(id::text) desc limit 500`.execute(db.query)
  await sql`insert into followed_artists (user_id, artist_id)
    select ${id}, id from artists order by id limit 50`.execute(db.query)
  await sql`insert into listening_contexts (user_id, kind, ref, track_id, played_at)
    select ${id}, 'release', r.id::text, e.track_id, now()
      from releases r join release_tracks e on e.release_id = r.id and e.position = 1
     order by r.id limit 15`.execute(db.query)
  await sql`insert into listening_contexts (user_id, kind, ref, track_id, played_at)
    select ${id}, 'artist', a.id::text, (select c.track_id from track_credits c where c.artist_id = a.id limit 1), now()
      from artists a order by a.id limit 10`.execute(db.query)
  await sql`analyze`.execute(db.query)
  const actor = { user_id: id, role: 'member', session_id: randomUUID() } as Actor
  return { db, actor, now: () => new Date(), log, ip: '127.0.0.1' }
}

async function measure(ctx: MemberContext): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await readHome(ctx)
  const times: number[] = []
  const before = readProcessorSeconds(process.pid, true)
  for (let turn = 0; turn < readings; turn += 1) {
    const start = performance.now()
    await readHome(ctx)
    times.push(performance.now() - start)
  }
  const cpu = readProcessorSeconds(process.pid, true) - before
  times.sort((a, b) => a - b)
  const share = (part: number) => round(times[Math.floor(part * times.length)]!)
  const shelves = await readHome(ctx)
  console.log(`Start screen, ${trackCount.toLocaleString('en')} tracks`, {
    fastest_tenth_ms: share(0.1),
    median_ms: share(0.5),
    p95_ms: share(0.95),
    cpu_ms: round((1000 * cpu) / readings),
    shown: Object.values(shelves).map(({ length }) => length),
  })
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
