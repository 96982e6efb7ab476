// Importing archives of music: which files are imported, which are rejected, and how an import continues after a crash.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import {
  decideImportItems,
  importTrackList,
  listImportItems,
  listImports,
  startImport,
  stopImport,
  type ImportItem,
  type ImportSummary,
} from '#contract/admin/imports.ts'
import { createSignedUpload } from '#contract/uploads.ts'
import { createCategory } from '#contract/admin/admin-categories.ts'
import { createGenre } from '#contract/admin/admin-genres.ts'
import { getAdminTrack } from '#contract/admin/admin-tracks.ts'
import { getTrackOrigin } from '#contract/admin/track-origins.ts'
import { listReleaseProposals } from '#contract/admin/admin-releases.ts'
import { encodeTaggedWav } from '../../testing/tagged-wav.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { callOrThrow, uploadBytes } from '../catalogue/testing/catalogue-world.ts'
import { runImports } from './run-imports.ts'

let app: TestApp
let admin: Person
let pitch = 300

beforeAll(async () => {
  app = await createTestApp({ artistName: 'The House' })
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

const song = (texts: Record<string, string> = {}) => encodeTaggedWav(0.2, pitch++, { texts })

interface ZipOptions {
  mode?: number
  compress?: boolean
}

async function zipOf(
  files: Record<string, Buffer | string>,
  { mode = 0o100644, compress = true }: ZipOptions = {},
): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(files)) {
    zip.addBuffer(Buffer.from(content), path, { mode, compress, mtime: new Date(0) })
  }
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

async function start(bytes: Buffer): Promise<string> {
  const file = { bucket: 'archives', filename: 'songs.zip', mime: 'application/zip' } as const
  const archive_path = await uploadBytes(app, admin, bytes, file)
  return (await callOrThrow(admin, startImport, { body: { archive_path } })).id
}

const run = (signal = new AbortController().signal) =>
  runImports(app.services, { signal, isLastAttempt: false })
async function summaryOf(id: string): Promise<ImportSummary> {
  const { data } = await callOrThrow(admin, listImports, {})
  return data.find((one) => one.id === id)!
}

async function importAll(bytes: Buffer): Promise<ImportSummary> {
  const id = await start(bytes)
  await run()
  return summaryOf(id)
}

async function itemsOf(id: string): Promise<ImportItem[]> {
  return (await callOrThrow(admin, listImportItems, { params: { id }, query: {} })).data
}

describe('an archive of music', () => {
  test('uses a CSV with a file column as details of the recordings, not as a playlist', async () => {
    await callOrThrow(admin, createGenre, { body: { name: 'Ambient' } })
    for (const [category, display_name] of [
      ['focus', 'Deep Focus'],
      ['sleep', 'Sleep'],
    ] as const) {
      await callOrThrow(admin, createCategory, { body: { category, display_name } })
    }
    const head = 'File,Title,Artist,Album,Genre,Category,Mood,Tags,Release date'
    const { id, made } = await importAll(
      await zipOf({
        'Drop/a.wav': song({ TIT2: 'Tagged' }),
        'Drop/deep/b.wav': song({ TIT2: 'Kept', TPE1: 'Ada' }),
        'Drop/songs.csv': [
          head,
          `a.wav,Named,Mira,Night,ambient,"sleep; Deep Focus; none","Calm; calm","rain, sea",2024-05-17`,
          `C:\\Music\\b.wav,,,,,,,lost,`,
          'missing.wav,X,Y,,,,,,',
        ].join('\n'),
      }),
    )
    expect(made).toEqual({})
    const items = await itemsOf(id)
    expect(items).toMatchObject([
      { name: 'a.wav', status: 'done' },
      { name: 'b.wav', status: 'done' },
      { name: 'songs.csv', status: 'done', reason: 'Describes recordings; not a playlist' },
    ])
    const trackOf = async (at: number) =>
      callOrThrow(admin, getAdminTrack, { params: { id: items[at]!.track_id! } })
    expect(await trackOf(0)).toMatchObject({
      title: 'Named',
      artist: 'Mira',
      genre: 'Ambient',
      categories: ['sleep', 'focus'],
      moods: ['Calm'],
      tags: ['2024', 'rain', 'sea'],
    })
    expect(await trackOf(1)).toMatchObject({ title: 'Kept', artist: 'Ada', tags: ['lost'] })
    const album = await app.services.db.query
      .selectFrom('track_file_tags')
      .select(['album', 'year'])
      .where('track_id', '=', items[0]!.track_id!)
      .execute()
    expect(album).toEqual([{ album: 'Night', year: 2024 }])
  })

  test('becomes drafts with their side files, and proposes releases', async () => {
    const uuid = '1f4b1c9e-6a57-4c1e-9f0e-2c8f2a1d7b3c'
    const { id, status, counts } = await importAll(
      await zipOf({
        'Export/2025-09/Slow Light.wav': song({ TIT2: 'Slow Light' }),
        'Export/2025-09/Slow Light.txt': `UUID: ${uuid}\nModel: v4.5\nLyrics:\n[Verse]\nRain`,
        'Export/2025-09/Slow Light.lrc': '[00:01.00]<00:01.00>Rain',
        'Export/Night Drive/02 Two.wav': song(),
        'Export/Night Drive/10 Ten.wav': song(),
        'Export/Night Drive/notes.pdf': 'x',
        '__MACOSX/Export/._x.wav': 'x',
        'Export/.DS_Store': 'x',
        'Export/empty.wav': '',
        'Export/no-audio.mp3': 'This is no audio.',
      }),
    )
    expect([status, counts]).toEqual([
      'done',
      { waiting: 0, done: 3, known: 0, failed: 1, left_out: 2 },
    ])
    const items = await itemsOf(id)
    expect(items.map(({ name, status: one }) => `${name}: ${one}`)).toEqual([
      'Slow Light.wav: done',
      'empty.wav: left_out',
      '02 Two.wav: done',
      '10 Ten.wav: done',
      'no-audio.mp3: failed',
      'notes.pdf: left_out',
    ])
    const params = { id: items[0]!.track_id! }
    expect(await callOrThrow(admin, getAdminTrack, { params })).toMatchObject({
      title: 'Slow Light',
      lyrics: '[00:01.00]<00:01.00>Rain',
      is_published: false,
      ai_tool: 'Suno v4.5',
    })
    expect(await callOrThrow(admin, getTrackOrigin, { params })).toMatchObject({ source_id: uuid })
    const proposals = await callOrThrow(admin, listReleaseProposals, { query: { batch: id } })
    expect(proposals.data.map(({ title }) => title)).toEqual(['Night Drive'])
  })

  test("waits for the owner's decision on recordings that are already in the library", async () => {
    const known = [song(), song(), song()]
    await importAll(await zipOf({ '1.wav': known[0]!, '2.wav': known[1]!, '3.wav': known[2]! }))
    const again = {
      'a/1.wav': known[0]!,
      'a/2.wav': known[1]!,
      'a/3.wav': known[2]!,
      'a/4.wav': song(),
    }
    const { id, status, counts } = await importAll(await zipOf(again))
    expect([status, counts.known, counts.done]).toEqual(['asking', 3, 1])
    expect((await itemsOf(id))[0]!.known).toMatchObject({ by: 'recording', title: '1' })
    const decide = (decision: 'keep' | 'skip' | 'replace', positions?: number[]) =>
      callOrThrow(admin, decideImportItems, {
        params: { id },
        body: { decision, ...(positions && { positions }) },
      })
    expect((await decide('skip', [1])).status).toBe('asking')
    expect((await decide('replace', [2])).status).toBe('waiting')
    await run()
    expect((await summaryOf(id)).status).toBe('asking')
    expect((await decide('keep')).status).toBe('waiting')
    await run()
    const end = await summaryOf(id)
    expect([end.status, end.counts]).toEqual([
      'done',
      { waiting: 0, done: 3, known: 1, failed: 0, left_out: 0 },
    ])
    const items = await itemsOf(id)
    expect(items[1]!.track_id).toBe(items[1]!.known?.id)
    expect(items[2]!.track_id).not.toBe(items[2]!.known?.id)
    const code = (await admin.call(stopImport, { params: { id } })).code
    expect(code).toBe('import_over')
  })

  test('recognizes an already imported generated song in another file format', async () => {
    const side = 'UUID: 2f4b1c9e-6a57-4c1e-9f0e-2c8f2a1d7b3c\nModel: v4.5'
    await importAll(await zipOf({ 'a.wav': song(), 'a.txt': side }))
    const { id, status } = await importAll(await zipOf({ 'b.wav': song(), 'b.txt': side }))
    expect(status).toBe('asking')
    expect((await itemsOf(id))[0]!.known).toMatchObject({ by: 'source', title: 'a' })
    await callOrThrow(admin, stopImport, { params: { id } })
  })

  test('continues after a crash without importing a track twice', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`Kill/${at}.wav`, song()] as const),
    )
    const id = await start(await zipOf(files))
    const killed = new AbortController()
    const killing = async () => {
      const options = { interval: 10, timeout: 60_000 }
      await expect.poll(async () => (await summaryOf(id)).counts.done, options).toBeGreaterThan(1)
      killed.abort(new Error('killed'))
    }
    await Promise.all([expect(run(killed.signal)).rejects.toThrow('killed'), killing()])
    const broken = await summaryOf(id)
    expect(broken.status).toBe('running')
    expect(broken.counts.waiting).toBeGreaterThan(0)
    // Simulates a crash between creating the track and saving its id in the import item.
    await app.services.db.query
      .updateTable('import_items')
      .set({ status: 'waiting', track_id: null })
      .where('import_id', '=', id)
      .where('position', '=', 1)
      .execute()
    await run()
    expect((await summaryOf(id)).counts).toMatchObject({ done: 12, known: 0, waiting: 0 })
    const { tracks } = await app.services.db.query
      .selectFrom('tracks')
      .select((eb) => eb.fn.countAll<number>().as('tracks'))
      .where('import_batch', '=', id)
      .executeTakeFirstOrThrow()
    expect(tracks).toBe(12)
  })

  test('is deleted after the import, together with unused uploads', async () => {
    const rows = await app.services.db.query
      .selectFrom('uploads')
      .select('path')
      .where('status', '<>', 'used')
      .execute()
    // Archives of imports with failed files are kept for a retry.
    const { data } = await callOrThrow(admin, listImports, {})
    expect(rows).toHaveLength(data.filter(({ can_retry }) => can_retry).length)
  })

  test('can be uploaded in parts', async () => {
    const body = {
      bucket: 'archives',
      filename: 'a.zip',
      mime: 'application/zip',
      size: 5,
    } as const
    const { uploadUrl, transport } = await callOrThrow(admin, createSignedUpload, { body })
    expect(transport).toBe('parts')
    expect((await admin.send('GET', `${uploadUrl}/parts`)).status).toBe(200)
  })

  test('can be uploaded only by admins', async () => {
    const member = await app.makePerson()
    const response = await member.send('POST', '/api/upload-signed-url', {
      body: { bucket: 'archives', filename: 'a.zip', mime: 'application/zip', size: 5 },
    })
    expect(response.status).toBe(403)
    expect((await member.send('GET', '/api/admin-imports')).status).toBe(403)
  })
})

/** A zip with one file, to which `count` entries of the directory refer. */
async function withEntries(count: number): Promise<Buffer> {
  const one = await zipOf({ '000000.wav': 'x' }, { compress: false })
  const [start, end] = [one.indexOf('PK\u0001\u0002'), one.lastIndexOf('PK\u0005\u0006')]
  const record = one.subarray(start, end)
  const records = Array.from({ length: count }, (_, at) => {
    const copy = Buffer.from(record)
    copy.write(String(at).padStart(6, '0'), record.indexOf('000000.wav'))
    return copy
  })
  const directory = Buffer.concat(records)
  const tail = Buffer.from(one.subarray(end))
  // More than 65,535 entries require zip64 (APPNOTE 4.3.14): its end record, its locator, and maximum values in the old
  // end record.
  const end64 = Buffer.alloc(56)
  end64.write('PK\u0006\u0006', 0)
  end64.writeBigUInt64LE(44n, 4)
  end64.writeUInt16LE(45, 12)
  end64.writeUInt16LE(45, 14)
  end64.writeBigUInt64LE(BigInt(count), 24)
  end64.writeBigUInt64LE(BigInt(count), 32)
  end64.writeBigUInt64LE(BigInt(directory.length), 40)
  end64.writeBigUInt64LE(BigInt(start), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\u0006\u0007', 0)
  locator.writeBigUInt64LE(BigInt(start + directory.length), 8)
  locator.writeUInt32LE(1, 16)
  tail.writeUInt16LE(0xffff, 8)
  tail.writeUInt16LE(0xffff, 10)
  tail.writeUInt32LE(0xffffffff, 12)
  tail.writeUInt32LE(0xffffffff, 16)
  return Buffer.concat([one.subarray(0, start), directory, end64, locator, tail])
}

describe('rejects', () => {
  const problemOf = async (bytes: Buffer) => {
    const { status, problem } = await importAll(bytes)
    expect(status).toBe('failed')
    return problem
  }
  /** Replaces a path in a zip by another one of the same length, which the zip library itself would refuse to write. */
  const renamed = async (from: string, to: string) => {
    const bytes = await zipOf({ [from]: song() })
    return Buffer.from(bytes.toString('latin1').replaceAll(from, to), 'latin1')
  }

  test.each(['../out.wav', '/root/x.wav', 'a/../../x.wav', 'C:/out.wav', '..\\out.wav'])(
    'the path %s',
    async (path) => {
      expect(await problemOf(await renamed('x'.repeat(path.length), path))).toBe(
        'The archive contains a path outside the archive.',
      )
    },
  )

  test('links and other special files', async () => {
    const link = await zipOf({ 'a.wav': '/etc/passwd' }, { mode: 0o120777 })
    expect(await problemOf(link)).toMatch(/is a link/)
    const pipe = await zipOf({ 'a.wav': '' }, { mode: 0o010644 })
    expect(await problemOf(pipe)).toMatch(/not a regular file/)
  })

  test('a zip bomb, before anything is unpacked', async () => {
    const bomb = await zipOf({ 'a.wav': Buffer.alloc(150 * 1024 ** 2) })
    expect(bomb.length).toBeLessThan(1024 ** 2)
    expect(await problemOf(bomb)).toBe('The archive would be too large when unpacked.')
  })

  test('a zip bomb that declares a false size', async () => {
    const bytes = await zipOf({ 'a.wav': Buffer.alloc(1024 ** 2) })
    const central = bytes.lastIndexOf('PK\u0001\u0002')
    bytes.writeUInt32LE(1000, central + 24)
    const { status, counts } = await importAll(bytes)
    expect([status, counts.failed]).toEqual(['done', 1])
  })

  test('entries that share compressed bytes', async () => {
    const bytes = await zipOf({ 'a.wav': song(), 'b.wav': song() }, { compress: false })
    const first = bytes.indexOf('PK\u0001\u0002')
    const second = bytes.indexOf('PK\u0001\u0002', first + 4)
    const size = bytes.length - 100
    for (const at of [first, second]) {
      bytes.writeUInt32LE(size, at + 20)
      bytes.writeUInt32LE(size, at + 24)
    }
    expect(await problemOf(bytes)).toBe('The archive is damaged: its files overlap.')
  })

  test('an encrypted archive', async () => {
    const bytes = await zipOf({ 'a.wav': song() })
    const central = bytes.lastIndexOf('PK\u0001\u0002')
    bytes.writeUInt16LE(bytes.readUInt16LE(central + 8) | 1, central + 8)
    expect(await problemOf(bytes)).toMatch(/protected by a password/)
  })

  test('an archive with 100,000 entries', async () => {
    const bytes = await withEntries(100_000)
    const startedAt = performance.now()
    expect(await problemOf(bytes)).toBe('The archive contains too many files.')
    expect(performance.now() - startedAt).toBeLessThan(60_000)
  })

  test('a broken archive, an archive without music, and a duplicate path', async () => {
    const whole = await zipOf({ 'a.wav': song() })
    const damaged = 'This is not a zip archive, or it is damaged.'
    expect(await problemOf(whole.subarray(0, whole.length - 30))).toBe(damaged)
    expect(await problemOf(Buffer.from('no zip at all'))).toBe(damaged)
    expect(await problemOf(await zipOf({ 'a.txt': 'x' }))).toBe('There is no music in the archive.')
    const twins = await zipOf({ 'a.wav': song(), 'b.wav': song() })
    const twice = Buffer.from(twins.toString('latin1').replaceAll('b.wav', 'a.wav'), 'latin1')
    expect(await problemOf(twice)).toMatch(/twice/)
  })

  test('a recording with damaged bytes, and imports the others', async () => {
    const bytes = await zipOf({ 'a.wav': song(), 'b.wav': song() }, { compress: false })
    const at = bytes.indexOf('WAVEfmt ') + 100
    bytes[at] = (bytes[at] ?? 0) ^ 0xff
    const { status, counts } = await importAll(bytes)
    expect([status, counts.done, counts.failed]).toEqual(['done', 1, 1])
  })

  test('an export of a newer version, and an invalid export', async () => {
    const index = { format: 'velour-catalogue', version: 99 }
    const newer = await zipOf({ 'catalogue.json': JSON.stringify(index) })
    expect(await problemOf(newer)).toMatch(/newer version/)
    expect(await problemOf(await zipOf({ 'catalogue.json': '{' }))).toBe(
      'catalogue.json is damaged.',
    )
  })
})

describe('lists of tracks', () => {
  const titlesOf = async (title: string) => {
    const rows = await app.services.db.query
      .selectFrom('playlists as p')
      .innerJoin('playlist_tracks as e', 'e.playlist_id', 'p.id')
      .innerJoin('tracks as t', 't.id', 'e.track_id')
      .select(['t.title', 'p.is_visible'])
      .where('p.title', '=', title)
      .orderBy('e.order_index')
      .execute()
    return rows.map((row) => `${row.title}${row.is_visible ? ' visible' : ''}`)
  }

  test('in an archive become hidden curated playlists of tracks from the archive and from the library', async () => {
    await importAll(await zipOf({ 'Earlier.wav': song({ TIT2: 'Earlier', TPE1: 'Mira' }) }))
    const m3u = [
      '#EXTM3U',
      '#PLAYLIST:Late hours',
      '../Songs/Beta.wav',
      '#EXTINF:1,Mira - Earlier',
      'C:\\Music\\gone.mp3',
      'D:/elsewhere/Songs/Alpha.wav',
      'nowhere.wav',
      '../../../etc/passwd',
    ].join('\n')
    const { made, counts, id } = await importAll(
      await zipOf({
        'Songs/Alpha.wav': song({ TIT2: 'Alpha' }),
        'Songs/Beta.wav': song({ TIT2: 'Beta' }),
        'Lists/late.m3u8': m3u,
        'Lists/other.csv': 'title;artist\nAlpha;\nEarlier;Mira\n',
        'Lists/nothing.xspf': '<playlist><track><title>None</title></track></playlist>',
      }),
    )
    expect([made, counts]).toEqual([
      { playlists: 2 },
      { waiting: 0, done: 4, known: 0, failed: 0, left_out: 1 },
    ])
    expect(await titlesOf('Late hours')).toEqual(['Beta', 'Earlier', 'Alpha'])
    expect(await titlesOf('other')).toEqual(['Alpha', 'Earlier'])
    const reasons = (await itemsOf(id)).map(({ reason }) => reason)
    expect(reasons).toContain('2 of 5 not found')
    expect(reasons).toContain('None of its 1 entries is in the library')
  })

  test('uploaded alone become a playlist of library tracks', async () => {
    const body = { filename: 'Own.m3u', text: 'music/01 - Mira - Earlier.mp3\nNone.mp3' }
    expect(await callOrThrow(admin, importTrackList, { body })).toMatchObject({
      found: 1,
      total: 2,
    })
    expect(await titlesOf('Own')).toEqual(['Earlier'])
    const nothing = { filename: 'x.csv', text: 'amount\n1' }
    expect((await admin.call(importTrackList, { body: nothing })).code).toBe('list_empty')
    const other = { filename: 'x.exe', text: '' }
    expect((await admin.call(importTrackList, { body: other })).code).toBe('invalid_input')
  })
})
