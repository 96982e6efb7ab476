// Measures radio, which plays similar tracks: what a track costs when it is processed, and lists, stations and updates
// in a large catalogue. Run by hand: npm run lab -- lab/capacity/similar-tracks.ts [tracks]
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import pino from 'pino'
import type { Actor, MemberContext } from '#server/platform/operations/context.ts'
import { findTrackPath } from '#server/features/similar/track-path.ts'
import { listSimilarTracks, startRadio } from '#server/features/similar/radio-operations.ts'
import { encodeWords, extractWords } from '#server/features/similar/track-words.ts'
import { updateNeighbors } from '#server/features/similar/update-neighbors.ts'
import { prepareDatabase } from '#server/platform/db/app-rights.ts'
import { createDatabase, type Database } from '#server/platform/db/database.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { analyzeAudio } from '#server/platform/ffmpeg/analyze-audio.ts'
import { createFfmpeg } from '#server/platform/ffmpeg/ffmpeg.ts'
import { probeAudio } from '#server/platform/ffmpeg/probe.ts'
import { renderRenditions } from '#server/platform/ffmpeg/renditions.ts'
import { createSoundCollector } from '#server/platform/sound/sound-collector.ts'
import { readProcessorSeconds } from '../harness/process-usage.ts'

const trackCount = Number(process.argv[2] ?? 100_000)
const comparedTracks = 200
const readings = 200
const fillPage = 5000
const composerFolder = join(import.meta.dirname, '../../composer')
const log = pino({ level: 'silent' })
const folder = await mkdtemp(join(tmpdir(), 'velour-similar-'))

try {
  console.log('Ingest', await measureIngest())
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log, durable: false })
  try {
    await prepareDatabase({ app: postgres.app, owner: postgres.owner }, { log })
    const db = createDatabase({ connectionString: postgres.app, maxConnections: 4, log })
    await measureCatalogue(db, postgres.app)
    await db.close()
  } finally {
    await postgres.stop()
  }
} finally {
  await rm(folder, { recursive: true })
}

/** Measures the CPU seconds to process a demo song, and those for only its audio features. */
async function measureIngest() {
  const path = join(folder, 'song.wav')
  const composer = join(composerFolder, 'main.ts')
  await promisify(execFile)(process.execPath, [composer, firstSlug(), path])
  const ffmpeg = await createFfmpeg()
  const source = { ...(await probeAudio(path)), path }
  const before = readProcessorSeconds(process.pid, true)
  const { durationSeconds } = await analyzeAudio(ffmpeg, source)
  await renderRenditions(ffmpeg, {
    source,
    outputs: {
      standard: join(folder, 'standard.m4a'),
      high: join(folder, 'high.m4a'),
      preview: {
        path: join(folder, 'preview.m4a'),
        previewLengthSeconds: 45,
        trackSeconds: durationSeconds,
      },
    },
    tags: {
      title: 'Measured',
      artist: 'Measured',
      genre: null,
      ai_disclosure: 'ai_generated',
      ai_tool: null,
    },
  })
  const withFeatures = readProcessorSeconds(process.pid, true) - before
  const samples = decode(path)
  const featuresBefore = process.cpuUsage()
  const collector = createSoundCollector(44_100)
  for (let at = 0; at < samples.length; at += 32_768)
    collector.add(samples.subarray(at, at + 32_768))
  collector.finish()
  const { user, system } = process.cpuUsage(featuresBefore)
  const features = (user + system) / 1e6
  return {
    track_seconds: Math.round(durationSeconds),
    cpu_seconds_without: round(withFeatures - features),
    cpu_seconds_of_features: round(features),
    more_percent: round((100 * features) / (withFeatures - features)),
  }
}

function firstSlug(): string {
  const text = readFileSync(join(composerFolder, 'catalogue.json'), 'utf8')
  const catalogue = JSON.parse(text) as { tracks: { slug: string }[] }
  return catalogue.tracks[0]!.slug
}

/** Returns the samples of a WAV file of the composer: 16-bit stereo at 44.1 kHz after a header of 44 bytes. */
function decode(path: string): Int16Array {
  const bytes = readFileSync(path).subarray(44)
  return new Int16Array(new Uint8Array(bytes).buffer, 0, Math.floor(bytes.length / 2))
}

async function measureCatalogue(db: Database, connectionString: string): Promise<void> {
  console.log(`Catalogue of ${trackCount.toLocaleString('en')} tracks`)
  await fill(db)
  const signal = new AbortController().signal
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  // Compute similar tracks only for as many tracks as take about a minute. The others get generated lists below.
  const [edited] = await someTracks(db)
  const first = await timeOf(() => updateNeighbors({ connectionString, log }, { signal }))
  await db.query
    .updateTable('tracks')
    .set({ tags: ['changed'] })
    .where('id', '=', edited!)
    .execute()
  const one = await timeOf(() => updateNeighbors({ connectionString, log }, { signal }))
  delay.disable()
  console.log('Update', {
    [`ms_for_${comparedTracks}_tracks`]: round(first),
    ms_for_one_edited_track: round(one),
    ms_per_track: round((first - one) / comparedTracks),
    longest_stall_of_server_ms: round(delay.max / 1e6),
  })
  await fillLists(db)
  const ctx = await memberContext(db)
  const ids = await someTracks(db)
  const at = (turn: number) => ids[turn % ids.length]!
  // A simple query, to compare the other results with.
  await report('One row by its key', (turn) =>
    db.query.selectFrom('tracks').select('title').where('id', '=', at(turn)).execute(),
  )
  await report('Similar tracks (12)', (turn) =>
    listSimilarTracks(ctx, { params: { id: at(turn) }, query: { limit: 12 }, body: undefined }),
  )
  for (const limit of [25, 50]) {
    await report(`Station of ${limit}`, (turn) => {
      const seed = { kind: 'track', id: at(turn) } as const
      return startRadio(ctx, {
        params: undefined,
        query: undefined,
        body: { seed, exclude: [], limit },
      })
    })
  }
  await report('Path', (turn) =>
    findTrackPath(ctx, { params: { id: at(turn) }, query: { to: at(turn + 1) }, body: undefined }),
  )
}

async function report(name: string, act: (turn: number) => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await act(turn)
  const times: number[] = []
  for (let turn = 0; turn < readings; turn += 1) times.push(await timeOf(() => act(turn)))
  times.sort((a, b) => a - b)
  const share = (part: number) => round(times[Math.floor(part * times.length)]!)
  console.log(name, { fastest_tenth_ms: share(0.1), median_ms: share(0.5), p95_ms: share(0.95) })
}

/**
 * Inserts tracks with 200 moods of three tags each, lyrics of 12 words, and audio features near the center of their
 * mood.
 */
async function fill(db: Database): Promise<void> {
  // Insert in pages. With a single statement, the triggers of all tracks would exceed the time limit of a statement.
  for (let from = 1; from <= trackCount; from += fillPage) {
    await sql`
      insert into tracks (title, artist, tags, description, lyrics, is_published, processing_status, duration)
      select 'Title ' || i, 'Artist ' || i % 3000,
             array['mood' || i % 200, 'color' || i % 40, 'tag' || (random() * 500)::int],
             'sounds of place' || i % 200 || ' with thing' || (random() * 2000)::int || ' and thing' || (random() * 2000)::int,
             (select string_agg(verse, ' ') from (select 'verse' || (i * 37 + g * 131) % 5000 as verse from generate_series(1, 12) g) v),
             true, 'ready', 180
        from generate_series(${from}::int, ${Math.min(from + fillPage - 1, trackCount)}::int) i`.execute(
      db.query,
    )
  }
  const { rows } = await sql<{ id: string }>`select id from tracks`.execute(db.query)
  for (let at = 0; at < rows.length; at += 5000) {
    const page = rows.slice(at, at + 5000)
    const vectors = page.map((_, i) => makeVector((at + i) % 200))
    await sql`insert into track_sounds (track_id, version, vector, tempo, tempo_confidence, key)
      select id, 1, vector, 60 + random() * 100, 0.5, (random() * 11)::int
        from unnest(${page.map(({ id }) => id)}::uuid[], ${vectors}::bytea[]) made (id, vector)`.execute(
      db.query,
    )
  }
  // Store the words of all tracks, as a complete update would have done.
  await storeAllWords(db)
  await sql`delete from neighbour_updates where track_id not in (select id from tracks order by id limit ${comparedTracks})`.execute(
    db.query,
  )
  await sql`analyze tracks, track_sounds, track_words`.execute(db.query)
}

async function storeAllWords(db: Database): Promise<void> {
  for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
    const page = await db.query
      .selectFrom('tracks')
      .select(['id', 'genre', 'moods', 'tags', 'description', 'lyrics'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(5000)
      .execute()
    const last = page.at(-1)
    if (!last) return
    const words = page.map((track) => encodeWords(extractWords({ ...track, categories: [] })))
    await sql`insert into track_words select * from unnest(${page.map(({ id }) => id)}::uuid[], ${words}::bytea[])`.execute(
      db.query,
    )
    after = last.id
  }
}

function makeVector(mood: number): Buffer {
  const bytes = Buffer.alloc(48 * 4)
  for (let i = 0; i < 48; i += 1) {
    bytes.writeFloatLE(Math.sin(mood * (i + 1)) + 0.4 * (Math.random() - 0.5), i * 4)
  }
  return bytes
}

/** Inserts 50 similar tracks for each track without a list: some of the same mood, some others. */
async function fillLists(db: Database): Promise<void> {
  await sql`
    with numbered as (select id, row_number() over (order by id) - 1 as n from tracks),
         all_ids as (select array_agg(id order by id) as ids from tracks)
    insert into track_neighbours (track_id, neighbour_ids, scores, signals)
    select id, array(select ids[1 + (n + k * k * 31 + k) % ${trackCount}] from generate_series(1, 50) k),
           array(select (0.9 - k * 0.01)::real from generate_series(1, 50) k), array_fill(1::smallint, array[50])
      from numbered cross join all_ids
    on conflict do nothing`.execute(db.query)
  await sql`analyze track_neighbours`.execute(db.query)
}

async function memberContext(db: Database): Promise<MemberContext> {
  const { id } = await db.query
    .insertInto('profiles')
    .values({ email: 'member@velour.test' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into plays (id, user_id, track_id, is_preview, started_at, reported_at, counted_at, heard_seconds, duration_seconds)
    select gen_random_uuid(), ${id}, t.id, false, now(), now(), now(), 100, 180
      from (select id from tracks order by id limit 60) t`.execute(db.query)
  const actor = { user_id: id, role: 'member', session_id: randomUUID() } as Actor
  return { db, actor, now: () => new Date(), log, ip: '127.0.0.1' }
}

async function someTracks(db: Database): Promise<string[]> {
  const rows = await db.query
    .selectFrom('tracks')
    .select('id')
    .orderBy(sql`md5(id::text)`)
    .limit(readings)
    .execute()
  return rows.map(({ id }) => id)
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
