// Share cards for link previews. A job generates them from real covers and audio, with the system's ffmpeg and with the
// one from npm.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../../platform/db/database.ts'
import { createFfmpeg, type Ffmpeg } from '../../platform/ffmpeg/ffmpeg.ts'
import { renderCover } from '../../platform/pictures/cover-painter.ts'
import { processCard } from '../../platform/pictures/images.ts'
import { cardMaxBytes } from '../../platform/pictures/draw-card.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { storePicture } from '../pictures/store-picture.ts'
import { makePublicTrack } from '../public-pages/testing/public-music.ts'
import { makeCard } from './make-card.ts'
import { deleteOrphanedCards, enqueueNewCards } from './share-cards.ts'

let app: TestApp
let preview: Buffer
const job = { signal: new AbortController().signal }

beforeAll(async () => {
  app = await createTestApp({ publicUrl: 'https://music.test' })
  preview = await makeSound(app.services.ffmpeg)
})
afterAll(() => app.close())

async function makeSound(ffmpeg: Ffmpeg): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'velour-card-'))
  const output = join(folder, 'preview.m4a')
  const source = ['-f', 'lavfi', '-i', 'sine=frequency=330:duration=45', '-c:a', 'aac', output]
  await ffmpeg.run(source, { inputs: [], outputs: [output], timeoutMs: 60_000 })
  const bytes = await readFile(output)
  await rm(folder, { recursive: true })
  return bytes
}

async function makeTrack(title: string, artist = 'Ida Sorrel') {
  const { db, storage } = app.services
  const track = await makePublicTrack(app, { title, artist, peaks: Buffer.alloc(800, 120) })
  const picture = await storePicture(app.services.pictures, await renderCover({ title }), 'cover')
  await transaction(db, async (trx) => {
    const cover_id = await picture.claim(trx)
    await trx.query.updateTable('tracks').set({ cover_id }).where('id', '=', track.id).execute()
  })
  await storage.put(`audio/${track.id}/real.m4a`, preview)
  await db.query
    .updateTable('renditions')
    .set({ storage_key: `audio/${track.id}/real.m4a` })
    .where('track_id', '=', track.id)
    .where('kind', '=', 'preview')
    .execute()
  return track
}

const get = async (path: string, headers = {}, method = 'GET') => {
  const response = await fetch(app.url + path, { method, headers })
  return { response, bytes: Buffer.from(await response.arrayBuffer()) }
}
const make = (item_id: string, ffmpeg = app.services.ffmpeg) =>
  makeCard({ ...app.services, ffmpeg }, { kind: 'track', item_id }, job)

test('generates two pictures and a video that the initial HTML links to, and deletes them with the page', async () => {
  const { id, slug } = await makeTrack('Velvet Weather')
  const first = (await get(`/t/${slug}`)).bytes.toString()
  expect(first).toMatch(
    /og:image" content="https:\/\/music\.test\/media\/covers\/[^"]+\/1024\.jpg"/,
  )
  await make(id)
  const page = async () => (await get(`/t/${slug}`)).bytes.toString()
  await expect.poll(page).toContain('/card.jpg?v=')
  expect(await page()).toMatch(
    /og:video" content="https:\/\/music\.test\/t\/velvet-weather\/card\.mp4\?v=/,
  )
  for (const [file, type, width, height] of [
    ['card.jpg', 'image/jpeg', 1200, 630],
    ['square.jpg', 'image/jpeg', 720, 720],
  ] as const) {
    const { response, bytes } = await get(`/t/${slug}/${file}`)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(bytes.length).toBeLessThan(cardMaxBytes)
    expect(await sharp(bytes).metadata()).toMatchObject({ width, height, format: 'jpeg' })
  }
  const film = await get(`/t/${slug}/card.mp4`, { range: 'bytes=0-99' })
  expect([film.response.status, film.bytes.length]).toEqual([206, 100])
  expect((await get(`/t/${slug}/card.mp4`, {}, 'HEAD')).response.status).toBe(200)

  await app.services.db.query
    .updateTable('tracks')
    .set({ audience: 'members' })
    .where('id', '=', id)
    .execute()
  for (const file of ['card.jpg', 'square.jpg', 'card.mp4']) {
    expect((await get(`/t/${slug}/${file}`)).response.status).toBe(404)
  }
})

test('generates a card again when its contents change, and deletes the old files', async () => {
  const { db } = app.services
  const { id } = await makeTrack('Before')
  await make(id)
  const row = () =>
    db.query.selectFrom('share_cards').selectAll().where('item_id', '=', id).executeTakeFirst()
  const before = (await row())!
  await make(id)
  expect(await row()).toEqual(before)
  await db.query.updateTable('tracks').set({ title: 'After' }).where('id', '=', id).execute()
  await make(id)
  expect((await row())?.content_hash).not.toBe(before.content_hash)
  const garbage = await db.query
    .selectFrom('storage_garbage')
    .select('storage_key')
    .where('storage_key', 'in', [before.wide_key, before.square_key, before.video_key ?? ''])
    .execute()
  expect(garbage).toHaveLength(3)
})

test.each([
  ['a long title', 'The Long and Unhurried Evening on Which Nothing Happened '.repeat(3).trim()],
  ['Japanese', '夜更けのための音楽'],
  ['text from right to left', 'أغاني المساء'],
  ['markup', '<b>&"\'</b> \u{1f319}'],
])('renders a card with %s', async (_what, title) => {
  const facts = {
    tint: '#3b6a7a',
    artist: title,
    label: 'Track',
    mark: 'AI-generated',
    bars: [0.5],
  }
  const { wide, square } = await processCard({
    cover: null,
    logo: null,
    title,
    brandName: 'Velour',
    ...facts,
  })
  expect(await sharp(wide).metadata()).toMatchObject({ width: 1200, height: 630 })
  expect(wide.length).toBeLessThan(cardMaxBytes)
  expect(square.length).toBeLessThan(cardMaxBytes)
})

test.each(['native', 'wasm'] as const)(
  'the %s ffmpeg encodes a video of 30 seconds',
  async (backend) => {
    const ffmpeg =
      backend === 'wasm' ? await createFfmpeg({ ffmpegPath: 'wasm' }) : app.services.ffmpeg
    const { id, slug } = await makeTrack(`Film ${backend}`)
    await make(id, ffmpeg)
    const { bytes } = await get(`/t/${slug}/card.mp4`)
    expect(bytes.subarray(4, 8).toString()).toBe('ftyp')
    expect(bytes.length).toBeLessThan(2_000_000)
    if (app.services.ffmpeg.backend !== 'native') return
    const folder = await mkdtemp(join(tmpdir(), 'velour-film-'))
    const path = join(folder, 'film.mp4')
    await writeFile(path, bytes)
    const probe = [
      '-v',
      'error',
      '-show_entries',
      'stream=codec_name:format=duration',
      '-of',
      'csv=p=0',
      path,
    ]
    const { stdout } = await promisify(execFile)('ffprobe', probe)
    expect(stdout).toMatch(/h264[\s\S]*aac[\s\S]*30\.\d+/)
    await rm(folder, { recursive: true })
  },
)

test('if ffmpeg cannot encode the video, the link preview contains only pictures', async () => {
  const { id, slug } = await makeTrack('Still')
  await app.services.storage.put(`audio/${id}/broken.m4a`, Buffer.from('no sound at all'))
  await app.services.db.query
    .updateTable('renditions')
    .set({ storage_key: `audio/${id}/broken.m4a` })
    .where('track_id', '=', id)
    .where('kind', '=', 'preview')
    .execute()
  await make(id)
  expect((await get(`/t/${slug}/card.jpg`)).response.status).toBe(200)
  expect((await get(`/t/${slug}/card.mp4`)).response.status).toBe(404)
  expect((await get(`/t/${slug}`)).bytes.toString()).not.toContain('og:video')
})

test('creates cards of newly published items before anyone requests them, and deletes orphaned cards', async () => {
  const { db } = app.services
  const { id } = await makePublicTrack(app, { title: 'New' })
  await enqueueNewCards(app.services)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from jobs.job where name = 'make-card' and data->>'item_id' = ${id}`.execute(
    db.query,
  )
  expect(rows[0]?.count).toBe(1)
  await make(id)
  await db.query.updateTable('tracks').set({ is_published: false }).where('id', '=', id).execute()
  await db.query.updateTable('share_cards').set({ made_at: '2020-01-01T00:00:00Z' }).execute()
  await expect
    .poll(async () => {
      await deleteOrphanedCards(app.services)
      return db.query.selectFrom('share_cards').select('kind').where('item_id', '=', id).execute()
    })
    .toEqual([])
})
