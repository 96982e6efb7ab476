// Fills a new service with the project's own compositions. They are uploaded and processed like an admin's files. Each
// completed step is recorded, so an interrupted first start is resumed, and a track that an admin deletes is not
// created again.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { demoAccounts, demoPassword } from '#contract/demo.ts'
import { getTierStatus } from '#contract/plans.ts'
import { createUser } from '../auth/create-user.ts'
import { hashNewPassword } from '../auth/new-password.ts'
import { transaction, type Database } from '../../platform/db/database.ts'
import type { Actor, MemberContext } from '../../platform/operations/context.ts'
import type { PictureServices } from '../pictures/store-picture.ts'
import type { ReadBranding } from '../settings/branding.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import { changeAdminTracks } from '../tracks/admin-track-operations.ts'
import { createUpload, receiveUpload } from '../uploads/upload-operations.ts'
import { seedDemoActivity } from './demo-activity.ts'
import {
  readDemoCatalogue,
  renderDemoSong,
  type DemoCatalogue,
  type DemoSong,
} from './demo-songs.ts'

type DemoServices = PlatformServices & {
  pictures: PictureServices
  settings: SettingsCache
  branding: ReadBranding
}

export interface Demo {
  /** How many demo tracks are ready. Null after the owner has switched the demo off. */
  progress: () => { tracks_ready: number; tracks_total: number } | null
  /** Starts creating the missing music in the background. */
  run: () => void
  /** Aborts the creation and waits until it has stopped. */
  stop: () => Promise<void>
}

/** Creates accounts, categories and genres immediately. `run` then adds the music. */
export async function startDemo(
  services: DemoServices,
  onProgress: (ready: number, total: number) => void = () => {},
): Promise<Demo> {
  const { db } = services
  const catalogue = readDemoCatalogue()
  const total = catalogue.tracks.length
  await runOnce(db, 'accounts', () => createAccounts(services))
  await runOnce(db, 'categories', () => createCategories(db, catalogue))
  let ready = await countReady(db)
  services.bus.on('tracks', async () => {
    if (ready === total) return
    const before = ready
    ready = await countReady(db)
    if (ready > before) onProgress(ready, total)
  })
  const controller = new AbortController()
  let running: Promise<void> = Promise.resolve()
  return {
    progress: () =>
      services.settings.isDemoLeft() ? null : { tracks_ready: ready, tracks_total: total },
    run() {
      running = createMusic(services, catalogue, controller.signal).catch((error: unknown) => {
        if (!controller.signal.aborted)
          services.log.error({ err: error }, 'creating the demo catalogue failed')
      })
    },
    stop() {
      controller.abort()
      return running
    },
  }
}

async function createMusic(
  services: DemoServices,
  { tracks, playlists }: DemoCatalogue,
  signal: AbortSignal,
): Promise<void> {
  const admin = await findDemoAdmin(services)
  // The owner has removed the demo's admin, so do not change the catalogue.
  if (!admin) return
  for (const track of tracks) {
    if (signal.aborted || services.settings.isDemoLeft()) return
    await seedDemoActivity(services.db, services.now())
    await makeTrack(services, admin, track, signal)
  }
  if (services.settings.isDemoLeft()) return
  await runOnce(services.db, 'playlists', () =>
    createPlaylists(services.db, playlists, admin.actor),
  )
  await seedDemoActivity(services.db, services.now())
}

async function makeTrack(
  services: DemoServices,
  ctx: MemberContext,
  track: DemoSong,
  signal: AbortSignal,
): Promise<void> {
  const { db } = services
  const step = `track:${track.slug}`
  const state = await db.query
    .selectFrom('demo_steps')
    .selectAll()
    .where('step', '=', step)
    .executeTakeFirst()
  if (state?.done_at) return
  const path =
    (await findUpload(db, state?.upload_path)) ?? (await uploadMusic(services, ctx, track, signal))
  await recordStep(db, { step, upload_path: path })
  // The process may have crashed between creating the track and recording it, so look for a track with this upload.
  const made = await db.query
    .selectFrom('tracks')
    .select('id')
    .where('source_key', '=', path)
    .executeTakeFirst()
  const id = made?.id ?? (await createTrack(services, ctx, track, path))
  await recordStep(db, { step, track_id: id, done_at: services.now().toISOString() })
}

/** The upload of an interrupted earlier start, if it is complete. */
async function findUpload(db: Database, path: string | null | undefined): Promise<string | null> {
  if (!path) return null
  const upload = await db.query
    .selectFrom('uploads')
    .select('path')
    .where('path', '=', path)
    .where('status', '!=', 'open')
    .executeTakeFirst()
  return upload?.path ?? null
}

async function uploadMusic(
  services: DemoServices,
  ctx: MemberContext,
  track: DemoSong,
  signal: AbortSignal,
): Promise<string> {
  return services.storage.withScratchFolder(async (folder) => {
    const file = join(folder, `${track.slug}.wav`)
    await renderDemoSong(track, file, signal)
    const upload = await createUpload(services, ctx, {
      body: {
        bucket: 'audio',
        filename: `${track.slug}.wav`,
        mime: 'audio/wav',
        size: (await stat(file)).size,
      },
    })
    await receiveUpload(services, upload, { body: createReadStream(file) })
    return upload.path
  })
}

async function createTrack(
  services: DemoServices,
  ctx: MemberContext,
  track: DemoSong,
  audio_path: string,
): Promise<string> {
  const { title, artist, description, tags, ai_disclosure, ai_tool, credits, lyrics } = track
  const { category, genre } = await findCategoryAndGenre(services.db, track)
  const { data } = await changeAdminTracks(services, ctx, {
    params: undefined,
    query: undefined,
    body: {
      action: 'create',
      title,
      artist,
      category,
      genre,
      description,
      tags,
      ai_disclosure,
      ai_tool,
      credits,
      lyrics,
      is_published: true,
      audio_path,
    },
  })
  if (!data) throw new Error('the track was not created')
  return data.id
}

/**
 * Finds the category and genre of a song. Null for one that the owner has deleted: the song is then created without it.
 */
export async function findCategoryAndGenre(
  { query }: Database,
  { category, genre }: { category: string; genre: string },
): Promise<{ category: string | null; genre: string | null }> {
  return query
    .selectNoFrom((eb) => [
      eb
        .selectFrom('category_metadata')
        .select('category')
        .where('category', '=', category)
        .as('category'),
      eb.selectFrom('genres').select('name').where('name', '=', genre).as('genre'),
    ])
    .executeTakeFirstOrThrow()
}

async function createAccounts({ db }: DemoServices): Promise<void> {
  for (const { email, display_name, role, tier } of demoAccounts) {
    const taken = await db.query
      .selectFrom('profiles')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirst()
    if (taken) continue
    const passwordHash = await hashNewPassword(demoPassword)
    await transaction(db, (trx) =>
      createUser(trx, {
        email,
        passwordHash,
        display_name,
        role,
        subscription_tier: tier,
        subscription_status: getTierStatus(tier),
        is_demo: true,
      }),
    )
  }
}

async function createCategories(
  db: Database,
  { categories, genres }: DemoCatalogue,
): Promise<void> {
  await transaction(db, async (trx) => {
    await trx.query
      .insertInto('category_metadata')
      .values(categories)
      .onConflict((conflict) => conflict.column('category').doNothing())
      .execute()
    await trx.query
      .insertInto('genres')
      .values(genres.map((name) => ({ name })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

async function createPlaylists(
  db: Database,
  playlists: DemoCatalogue['playlists'],
  admin: Actor,
): Promise<void> {
  const made = await db.query
    .selectFrom('demo_steps')
    .select(['step', 'track_id'])
    .where('track_id', 'is not', null)
    .execute()
  const ids = new Map(made.map(({ step, track_id }) => [step.replace('track:', ''), track_id]))
  await transaction(db, async (trx) => {
    for (const { title, description, tracks } of playlists) {
      const { id } = await trx.query
        .insertInto('playlists')
        .values({ title, description, is_curated: true, created_by: admin.user_id })
        .returning('id')
        .executeTakeFirstOrThrow()
      const present = tracks.map((slug) => ids.get(slug)).filter((trackId) => trackId != null)
      if (present.length === 0) continue
      await trx.query
        .insertInto('playlist_tracks')
        .values(
          present.map((track_id, order_index) => ({ playlist_id: id, track_id, order_index })),
        )
        .execute()
    }
  })
}

async function findDemoAdmin(services: DemoServices): Promise<MemberContext | null> {
  const { db, log, now } = services
  const profile = await db.query
    .selectFrom('profiles as p')
    .innerJoin('user_roles as r', 'r.user_id', 'p.id')
    .selectAll('p')
    .where('p.is_demo', '=', true)
    .where('r.role', '=', 'admin')
    .where('p.banned_at', 'is', null)
    .executeTakeFirst()
  if (!profile) return null
  const actor: Actor = { ...profile, user_id: profile.id, session_id: profile.id, role: 'admin' }
  return { db, actor, now, log, ip: '127.0.0.1' }
}

async function countReady(db: Database): Promise<number> {
  const { rows } = await sql<{ ready: number }>`
    select count(*) filter (where d.done_at is not null and t.processing_status is distinct from 'pending'
      and t.processing_status is distinct from 'processing') as ready
    from demo_steps d left join tracks t on t.id = d.track_id
    where d.step like 'track:%'`.execute(db.query)
  return rows[0]?.ready ?? 0
}

/** Runs a step and records it, unless it is already recorded. */
async function runOnce(db: Database, step: string, run: () => Promise<void>): Promise<void> {
  const state = await db.query
    .selectFrom('demo_steps')
    .select('done_at')
    .where('step', '=', step)
    .executeTakeFirst()
  if (state?.done_at) return
  await run()
  await recordStep(db, { step, done_at: new Date().toISOString() })
}

async function recordStep(
  db: Database,
  values: { step: string; upload_path?: string; track_id?: string; done_at?: string },
): Promise<void> {
  const { step: _, ...changes } = values
  await db.query
    .insertInto('demo_steps')
    .values(values)
    .onConflict((conflict) => conflict.column('step').doUpdateSet(changes))
    .execute()
}
