// Importing tracks that have no data besides the uploaded file, over HTTP with real sessions, real files and the real
// tag parser.
import { createHash, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGenre } from '#contract/admin/admin-genres.ts'
import { changeAdminTracks, getAdminTrack, type AdminTrack } from '#contract/admin/admin-tracks.ts'
import { findTracksByHash, importTrack, listImportedTracks } from '#contract/admin/track-imports.ts'
import { createSignedUpload } from '#contract/uploads.ts'
import { encodeTaggedWav, type WavTags } from '../../testing/tagged-wav.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { processTrack } from './processing/process-track.ts'

let server: TestApp
let admin: Person
const batch = randomUUID()
let pitch = 200

beforeAll(async () => {
  server = await createTestApp({ artistName: 'The House' })
  admin = await server.makePerson({ role: 'admin' })
})
afterAll(() => server.close())

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

interface UploadAs {
  bucket: 'audio' | 'covers'
  mime: string
}
const asAudio: UploadAs = { bucket: 'audio', mime: 'audio/wav' }
const asCover: UploadAs = { bucket: 'covers', mime: 'image/png' }

async function upload(
  bytes: Buffer,
  filename = 'song.wav',
  who = admin,
  { bucket, mime }: UploadAs = asAudio,
): Promise<string> {
  const body = { bucket, filename, mime, size: bytes.length }
  const signed = (await who.call(createSignedUpload, { body })).body
  const sent = await fetch(`${server.url}${signed.uploadUrl}`, {
    method: 'PUT',
    headers: {
      cookie: who.cookie,
      'upload-token': signed.uploadToken,
      'content-type': mime,
    },
    body: new Uint8Array(bytes),
  })
  if (sent.status !== 204) throw new Error(`The upload returned ${sent.status}`)
  return signed.path
}

const importUpload = (audio_path: string, more: object = {}, who = admin) =>
  who.call(importTrack, { body: { audio_path, batch, ...more } })

/** Generates a recording with a unique sound, uploads it and imports it. */
async function importNew(tags: WavTags, filename?: string, seconds = 0.2): Promise<AdminTrack> {
  const result = await importUpload(await upload(encodeTaggedWav(seconds, pitch++, tags), filename))
  expect([result.status, result.code]).toEqual([201, undefined])
  return result.body.data
}

async function countTracks(bytes: Buffer): Promise<number> {
  const rows = await server.services.db.query
    .selectFrom('tracks')
    .select('id')
    .where('source_sha256', '=', sha256(bytes))
    .execute()
  return rows.length
}

describe('a track that is imported from a file', () => {
  test('gets the picture of the uploaded folder as its cover', async () => {
    const picture = await sharp({
      create: { width: 64, height: 64, channels: 3, background: '#7a3b52' },
    })
      .png()
      .toBuffer()
    const cover_path = await upload(picture, 'cover.png', admin, asCover)
    const { body } = await importUpload(await upload(encodeTaggedWav(0.2, pitch++, {})), {
      cover_path,
    })
    expect(body.data.cover_url).toMatch(/^\/media\/covers\//)
  })

  test('is not created when the picture is invalid', async () => {
    const cover_path = await upload(Buffer.from('no picture'), 'cover.png', admin, asCover)
    const audio_path = await upload(encodeTaggedWav(0.2, pitch++, {}))
    expect((await importUpload(audio_path, { cover_path })).code).toBe('unsupported_image')
    expect((await importUpload(audio_path)).body.data.cover_url).toBeNull()
  })

  test('gets timed lyrics and its origin from the text files uploaded with it', async () => {
    const audio_path = await upload(
      encodeTaggedWav(0.2, pitch++, { lyrics: 'Slow light' }),
      'x.wav',
    )
    const id = '0f4b1c9e-6a57-4c1e-9f0e-2c8f2a1d7b3c'
    const words = [
      { word: 'Slow ', start_s: 1 },
      { word: 'light', start_s: 1.5 },
    ]
    const side_files = [
      { kind: 'txt', text: `Title: Slow Light\nUUID: ${id}\nModel: v4.5\nLyrics:\nSlow light` },
      { kind: 'json', text: JSON.stringify(words) },
    ]
    const { body } = await importUpload(audio_path, { side_files })
    expect(body.data).toMatchObject({
      title: 'Slow Light',
      ai_tool: 'Suno v4.5',
      lyrics: '[00:01.00]<00:01.00>Slow <00:01.50>light',
    })
  })

  test('gets the default AI disclosure of the settings', async () => {
    const { db } = server.services
    const say = (default_ai_disclosure: 'human' | 'ai_generated') =>
      db.query.updateTable('settings').set({ default_ai_disclosure }).execute()
    await say('human')
    const track = await importNew({})
    await say('ai_generated')
    expect(track.ai_disclosure).toBe('human')
    expect((await importNew({})).ai_disclosure).toBe('ai_generated')
  })

  test("is an unpublished draft with the values from the file's tags", async () => {
    const { body: genre } = await admin.call(createGenre, { body: { name: 'Soul' } })
    const track = await importNew({
      texts: { TIT2: 'Evening Song', TPE1: 'Ada', TCON: 'soul', TYER: '2024' },
      comment: 'Recorded by the sea',
      lyrics: 'First line\nSecond line',
    })
    expect(track).toMatchObject({
      title: 'Evening Song',
      artist: 'Ada',
      genre: genre.name,
      tags: ['2024'],
      description: 'Recorded by the sea',
      lyrics: 'First line\nSecond line',
      is_published: false,
      publish_when_ready: false,
      processing_status: 'pending',
    })
    const { rows } = await server.services.db.query
      .selectFrom('audit_log')
      .select(['actor_id', 'action', 'entity'])
      .where('entity_id', '=', track.id)
      .execute()
      .then((found) => ({ rows: found }))
    expect(rows).toEqual([{ actor_id: admin.id, action: 'create', entity: 'track' }])
  })

  test('gets its title from the file name if it has no tags, and stores an unknown genre as found_genre', async () => {
    expect(await importNew({}, '04 - Bob - Night.wav')).toMatchObject({
      title: 'Night',
      artist: 'Bob',
    })
    expect(await importNew({}, 'Rain.wav')).toMatchObject({ title: 'Rain', artist: 'The House' })
    const { id, genre } = await importNew({ texts: { TCON: 'Vaporwave' } }, 'Neon.wav')
    expect(genre).toBeNull()
    const listed = (await admin.call(listImportedTracks, { params: { id: batch } })).body.data
    expect(listed.find((row) => row.id === id)?.found_genre).toBe('Vaporwave')
  })

  test('reads RIFF tags in UTF-8, and prefers the file name to garbled tags', async () => {
    const title = 'Åse på Ængen'
    const info = { INAM: Buffer.from(title), IART: Buffer.from('Süße Träume') }
    expect(await importNew({ info }, 'other.wav')).toMatchObject({ title, artist: 'Süße Träume' })
    const twiceEncoded = Buffer.from(Buffer.from(title).toString('latin1'))
    const garbled = { info: { INAM: twiceEncoded, IART: twiceEncoded } }
    expect(await importNew(garbled, 'Åse - Ængen.wav')).toMatchObject({
      title: 'Ængen',
      artist: 'Åse',
    })
  })

  test.each<[string, WavTags, object]>([
    [
      'a title of one megabyte',
      { texts: { TIT2: 'x'.repeat(1_000_000) } },
      { title: 'x'.repeat(200) },
    ],
    [
      'HTML',
      { texts: { TIT2: '<img src=x onerror=alert(1)>', TPE1: '<b>A</b>' } },
      { title: '<img src=x onerror=alert(1)>', artist: '<b>A</b>' },
    ],
    [
      'null bytes and line breaks',
      { texts: { TIT2: 'a\n\u0007b' }, lyrics: 'one\u0007\r\ntwo\u0001', comment: 'x\u0002y' },
      { title: 'a b', lyrics: 'one\ntwo', description: 'x y' },
    ],
    [
      'a lone surrogate',
      { texts: { TIT2: `a\ud83d`, TPE1: '\ud83d\ude00'.repeat(150) } },
      { title: 'song', artist: '\ud83d\ude00'.repeat(100) },
    ],
    ['only joiner characters', { texts: { TIT2: '\u200d\u200d' } }, { title: 'song' }],
    [
      'SQL',
      { texts: { TIT2: "'); drop table tracks; --" } },
      { title: "'); drop table tracks; --" },
    ],
  ])('sanitizes untrusted tags: %s', async (_what, tags, expected) => {
    expect(await importNew(tags)).toMatchObject(expected)
  })

  test('re-encodes the embedded picture and uses it as the cover', async () => {
    const cover = await sharp({
      create: { width: 300, height: 300, channels: 3, background: '#c02040' },
    })
      .jpeg()
      .toBuffer()
    const { id } = await importNew(
      { cover: { mime: 'image/jpeg', bytes: cover } },
      'covered.wav',
      2,
    )
    const job = { signal: new AbortController().signal, isLastAttempt: true }
    await processTrack(server.services, id, job)
    const { body } = await admin.call(getAdminTrack, { params: { id } })
    expect([body.processing_status, body.processing_error]).toEqual(['ready', null])
    expect(body.is_published).toBe(false)
    const [red, green] = [1, 3].map((at) => parseInt(body.cover_tint!.slice(at, at + 2), 16))
    expect(red).toBeGreaterThan(2 * green!)
  })

  test('is rejected with 415 if the upload is not audio', async () => {
    const path = await upload(Buffer.from('not sound at all, whatever its name says'))
    expect(await importUpload(path)).toMatchObject({ status: 415, code: 'unsupported_media' })
  })
})

describe('importing the same upload or recording twice', () => {
  test('returns the same track for the same upload, in sequential and concurrent requests', async () => {
    const bytes = encodeTaggedWav(0.2, pitch++)
    const path = await upload(bytes)
    const responses = await Promise.all([
      importUpload(path),
      importUpload(path),
      importUpload(path),
    ])
    const again = await importUpload(path)
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201])
    const ids = [...responses, again].map(({ body }) => body.data.id)
    expect(new Set(ids).size).toBe(1)
    expect(await countTracks(bytes)).toBe(1)
  })

  test('returns 409 for the same recording in another upload, and imports it with allow_duplicate', async () => {
    const bytes = encodeTaggedWav(0.2, pitch++, { texts: { TIT2: 'Only Once' } })
    const { data: first } = (await importUpload(await upload(bytes))).body
    const path = await upload(bytes, 'another name.wav')
    const response = await fetch(`${server.url}${importTrack.path}`, {
      method: 'POST',
      headers: { cookie: admin.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ audio_path: path, batch }),
    })
    expect([response.status, await response.json()]).toEqual([
      409,
      {
        error: {
          code: 'track_exists',
          message: 'This recording is already in the library.',
          details: { id: first.id, title: 'Only Once', by: 'recording' },
        },
      },
    ])
    expect(await countTracks(bytes)).toBe(1)
    const second = await importUpload(path, { allow_duplicate: true })
    expect(second.body.data.id).not.toBe(first.id)
    expect(await countTracks(bytes)).toBe(2)
  })

  test('creates one track if several imports of a recording run concurrently', async () => {
    const bytes = encodeTaggedWav(0.2, pitch++)
    const paths = await Promise.all(Array.from({ length: 4 }, () => upload(bytes)))
    const responses = await Promise.all(paths.map((path) => importUpload(path)))
    expect(
      responses.map(({ code }) => String(code)).toSorted((a, b) => a.localeCompare(b)),
    ).toEqual(['track_exists', 'track_exists', 'track_exists', 'undefined'])
    expect(await countTracks(bytes)).toBe(1)
  })

  test('returns upload_used for an upload whose track was deleted', async () => {
    const path = await upload(encodeTaggedWav(0.2, pitch++))
    const { id } = (await importUpload(path)).body.data
    await admin.call(changeAdminTracks, { body: { action: 'delete', id } })
    expect((await importUpload(path)).code).toBe('upload_used')
  })

  test("returns upload_not_found for another admin's upload", async () => {
    const other = await server.makePerson({ role: 'admin' })
    const path = await upload(encodeTaggedWav(0.2, pitch++))
    expect((await importUpload(path, {}, other)).code).toBe('upload_not_found')
  })
})

describe('looking up tracks by the hash of a file', () => {
  test('returns the oldest track for each known recording', async () => {
    const bytes = encodeTaggedWav(0.2, pitch++, { texts: { TIT2: 'Known', TPE1: 'Ada' } })
    const { id } = (await importUpload(await upload(bytes))).body.data
    await importUpload(await upload(bytes), { allow_duplicate: true })
    const hashes = [sha256(Buffer.from('elsewhere')), sha256(bytes)]
    const result = await admin.call(findTracksByHash, { body: { sha256: hashes } })
    expect(result.body.data).toEqual([{ sha256: hashes[1], id, title: 'Known', artist: 'Ada' }])
  })

  test.each([
    [[]],
    [['short']],
    [['G'.repeat(64)]],
    [Array.from({ length: 501 }, () => 'a'.repeat(64))],
    ['a'.repeat(64)],
  ])('accepts only 1 to 500 valid hashes', async (hashes) => {
    const result = await admin.send('POST', findTracksByHash.path, { body: { sha256: hashes } })
    expect([result.status, result.code]).toEqual([400, 'invalid_input'])
  })
})

test('lists the tracks of one import batch in upload order', async () => {
  const own = randomUUID()
  const titles: string[] = []
  for (const name of ['Zebra.wav', 'Apple.wav', 'Mango.wav']) {
    const path = await upload(encodeTaggedWav(0.2, pitch++), name)
    titles.push((await importUpload(path, { batch: own })).body.data.title)
  }
  const { data } = (await admin.call(listImportedTracks, { params: { id: own } })).body
  expect(data.map(({ title }) => title)).toEqual(titles)
  const nobody = await admin.call(listImportedTracks, { params: { id: randomUUID() } })
  expect(nobody.body.data).toEqual([])
})
