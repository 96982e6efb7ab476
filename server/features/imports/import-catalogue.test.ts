// Importing the export of one service into an empty one, through the same operations that the owner uses.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { ZipFile } from 'yazl'
import { exportCatalogue } from '#contract/admin/catalogue-export.ts'
import {
  listImports,
  listImportItems,
  startImport,
  type ImportSummary,
} from '#contract/admin/imports.ts'
import { transaction } from '../../platform/db/database.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { documentNames } from '../catalogue/catalogue-format.ts'
import { readDocuments } from '../catalogue/document-queries.ts'
import {
  callOrThrow,
  createTestCatalogue,
  uploadBytes,
} from '../catalogue/testing/catalogue-world.ts'
import { processTrack } from '../tracks/processing/process-track.ts'
import { runImports } from './run-imports.ts'

let first: TestApp
let second: TestApp
let owner: Person
let newOwner: Person
let archive: Buffer

beforeAll(async () => {
  first = await createTestApp()
  owner = await first.makePerson({ role: 'admin' })
  await createTestCatalogue(first, owner)
  archive = await downloadExport(first, owner)
  second = await createTestApp()
  newOwner = await second.makePerson({ role: 'admin' })
})
afterAll(async () => {
  await first.close()
  await second.close()
})

async function downloadExport(app: TestApp, admin: Person): Promise<Buffer> {
  const response = await fetch(`${app.url}${exportCatalogue.path}`, {
    headers: { cookie: admin.cookie },
  })
  return Buffer.from(await response.arrayBuffer())
}

const createJobContext = () => ({ signal: new AbortController().signal, isLastAttempt: true })

async function importArchive(app: TestApp, admin: Person, bytes: Buffer): Promise<ImportSummary> {
  const file = { bucket: 'archives', filename: 'catalogue.zip', mime: 'application/zip' } as const
  const archive_path = await uploadBytes(app, admin, bytes, file)
  const { id } = await callOrThrow(admin, startImport, { body: { archive_path } })
  await runImports(app.services, { ...createJobContext(), isLastAttempt: false })
  return summaryOf(admin, id)
}

async function summaryOf(admin: Person, id: string): Promise<ImportSummary> {
  const { data } = await callOrThrow(admin, listImports, {})
  return data.find((one) => one.id === id)!
}

/** All rows of the catalogue, and the hash of each file. */
async function readCatalogue({ services: { db, storage } }: TestApp) {
  const rows: Record<string, unknown[]> = {}
  const hashes: Record<string, string> = {}
  const keys: { name: string; key: string }[] = []
  await transaction(db, async (trx) => {
    for (const name of documentNames) {
      rows[name] = []
      for await (const { document, source_key } of readDocuments(trx, name)) {
        const row = JSON.parse(document) as { id: string }
        rows[name].push(row)
        if (source_key !== null) keys.push({ name: row.id, key: source_key })
      }
    }
    const evidence = await trx.query
      .selectFrom('track_evidence')
      .select(['filename', 'storage_key as key'])
      .execute()
    keys.push(...evidence.map(({ filename, key }) => ({ name: filename, key })))
    const pictures = await trx.query.selectFrom('images').select(['id', 'kind']).execute()
    for (const { id, kind } of pictures) {
      for await (const key of storage.list(`${kind}s/${id}/`)) keys.push({ name: key, key })
    }
  })
  for (const { name, key } of keys) {
    hashes[name] = createHash('sha256')
      .update(await storage.read(key))
      .digest('hex')
  }
  return { rows, hashes }
}

async function processAll({ services }: TestApp): Promise<void> {
  const tracks = await services.db.query.selectFrom('tracks').select('id').execute()
  for (const { id } of tracks) await processTrack(services, id, createJobContext())
}

test('importing an export into an empty service reproduces the catalogue byte for byte', async () => {
  const summary = await importArchive(second, newOwner, archive)
  expect(summary).toMatchObject({
    status: 'done',
    format: 'catalogue',
    problem: null,
    counts: { waiting: 0, known: 0, failed: 0, left_out: 0 },
    made: { genres: 1, categories: 3, releases: 3, playlists: 1 },
  })
  await processAll(second)
  const catalogue = await readCatalogue(second)
  expect(catalogue).toEqual(await readCatalogue(first))
  expect(catalogue.rows['tracks']![0]).toMatchObject({
    category: 'night',
    more_categories: ['sleep', 'focus'],
    moods: ['Calm', 'late night'],
    evidence: [{ filename: 'Quittung: „Mai“.pdf', mime: 'application/pdf' }],
    page_slugs: [
      { slug: 'first-take', is_current: false },
      { slug: 'slow-light', is_current: true },
    ],
  })
  expect(catalogue.rows['releases']).toMatchObject([
    { title: 'Night: "Drive"/1', audience: 'everyone', is_published: true },
    { title: 'Later', release_zone: 'America/New_York', early_access_days: 7, is_published: false },
    { title: 'Inner Circle', audience: 'premium', is_published: true },
  ])
})

test('importing the same export again changes nothing', async () => {
  const before = await readCatalogue(second)
  const summary = await importArchive(second, newOwner, archive)
  expect(summary).toMatchObject({ status: 'done', made: {}, counts: { known: 3, failed: 0 } })
  expect(await readCatalogue(second)).toEqual(before)
})

test('uses existing artists with the same name, and adds a suffix to slugs that are taken', async () => {
  const third = await createTestApp()
  try {
    const admin = await third.makePerson({ role: 'admin' })
    await third.services.db.query
      .insertInto('artists')
      .values([
        { name: 'Mira Sol', slug: 'mine' },
        { name: 'Somebody', slug: 'bo' },
      ])
      .execute()
    await third.services.db.query
      .insertInto('releases')
      .values({ kind: 'single', title: 'Mine', slug: 'night-drive' })
      .execute()
    await third.services.db.query
      .insertInto('tracks')
      .values({ title: 'Slow  light!', artist: 'Somebody' })
      .execute()
    const { status, problem } = await importArchive(third, admin, archive)
    expect([status, problem]).toEqual(['done', null])
    const artists = await third.services.db.query
      .selectFrom('artists')
      .select(['name', 'slug'])
      .orderBy('name')
      .execute()
    expect(artists).toContainEqual({ name: 'Mira Sol', slug: 'mine' })
    expect(artists).toContainEqual({ name: 'Bo', slug: 'bo-2' })
    const lines = await third.services.db.query
      .selectFrom('tracks')
      .select('artist')
      .where('title', '=', 'Slow Light')
      .execute()
    expect(lines).toEqual([{ artist: 'Mira Sol with DJ Bo' }])
    const slugs = await third.services.db.query
      .selectFrom('releases')
      .select('slug')
      .orderBy('slug')
      .execute()
    expect(slugs.map(({ slug }) => slug)).toEqual([
      'inner-circle',
      'later',
      'night-drive',
      expect.stringMatching(/^night/),
    ])
    expect(await pageSlugsOf(third, 'Slow Light')).toEqual([
      { slug: 'first-take', is_current: false },
      { slug: expect.stringMatching(/^slow-light-[0-9a-f]{6}$/), is_current: true },
    ])
  } finally {
    await third.close()
  }
})

function pageSlugsOf({ services: { db } }: TestApp, title: string) {
  return db.query
    .selectFrom('page_slugs as s')
    .innerJoin('tracks as t', 't.id', 's.item_id')
    .select(['s.slug', 's.is_current'])
    .where('t.title', '=', title)
    .orderBy('s.slug')
    .execute()
}

test('rejects files that do not match their hashes, and imports the rest', async () => {
  const third = await createTestApp()
  try {
    const admin = await third.makePerson({ role: 'admin' })
    const summary = await importArchive(third, admin, corruptFiles(archive))
    expect(summary).toMatchObject({ status: 'done', counts: { failed: 1, waiting: 0 } })
    const items = await callOrThrow(admin, listImportItems, {
      params: { id: summary.id },
      query: {},
    } as never)
    expect(items.data.filter(({ kind }) => kind === 'recording')).toMatchObject([
      { name: 'Slow Light', status: 'done', reason: 'An evidence file is missing or damaged' },
      { name: 'AC/DC: ?', status: 'done', reason: null },
      { name: 'Draft', status: 'failed', reason: expect.stringContaining('is damaged') },
    ])
  } finally {
    await third.close()
  }
})

/** Flips one byte inside the last recording and one inside the evidence file. */
function corruptFiles(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes)
  for (const at of [changed.lastIndexOf('WAVEfmt ') + 100, changed.indexOf('%PDF-1.7 rec') + 10]) {
    changed[at] = (changed[at] ?? 0) ^ 0xff
  }
  return changed
}

test('an upload can be imported only by its owner, and only once', async () => {
  const other = await second.makePerson({ role: 'admin' })
  const file = { bucket: 'archives', filename: 'c.zip', mime: 'application/zip' } as const
  const archive_path = await uploadBytes(second, newOwner, archive.subarray(0, 100), file)
  const start = (who: Person) => who.call(startImport, { body: { archive_path } })
  expect((await start(other)).code).toBe('upload_not_found')
  const { id } = (await start(newOwner)).body
  expect((await start(newOwner)).code).toBe('upload_used')
  await runImports(second.services, createJobContext())
  const summary = await summaryOf(newOwner, id)
  expect(summary).toMatchObject({
    status: 'failed',
    problem: 'This is not a zip archive, or it is damaged.',
  })
  const { data } = await callOrThrow(newOwner, listImportItems, {
    params: { id },
    query: {},
  } as never)
  expect(data).toEqual([])
})

test('recognizes an export that was unpacked and zipped again together with its folder', async () => {
  const packed = new ZipFile()
  const zip = await fromBufferPromise(archive, { lazyEntries: true })
  for await (const entry of zip.eachEntry()) {
    const chunks: Buffer[] = []
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
    packed.addBuffer(Buffer.concat(chunks), `My export/${entry.fileName}`)
  }
  packed.addBuffer(Buffer.from('x'), '__MACOSX/My export/._catalogue.json')
  packed.end()
  const pieces: Buffer[] = []
  for await (const piece of packed.outputStream) pieces.push(piece as Buffer)
  const before = await readCatalogue(second)
  const summary = await importArchive(second, newOwner, Buffer.concat(pieces))
  expect(summary).toMatchObject({
    status: 'done',
    format: 'catalogue',
    problem: null,
    counts: { known: 3, failed: 0 },
  })
  expect(await readCatalogue(second)).toEqual(before)
})
