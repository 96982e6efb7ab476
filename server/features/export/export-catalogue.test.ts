// Exporting the whole catalogue as one zip file and to a folder.
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { exportCatalogue } from '#contract/admin/catalogue-export.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import {
  catalogueIndex,
  documentNames,
  documentPath,
  documentSchemas,
} from '../catalogue/catalogue-format.ts'
import { createTestCatalogue } from '../catalogue/testing/catalogue-world.ts'
import { createFolderTarget } from './export-target.ts'
import { writeExport } from './write-export.ts'

let app: TestApp
let admin: Person
let files: Map<string, Buffer>

beforeAll(async () => {
  app = await createTestApp({ artistName: 'The House' })
  admin = await app.makePerson({ role: 'admin' })
  await createTestCatalogue(app, admin)
  const response = await fetch(`${app.url}${exportCatalogue.path}`, {
    headers: { cookie: admin.cookie },
  })
  if (response.status !== 200) throw new Error(`The export answered ${response.status}`)
  files = await unzip(Buffer.from(await response.arrayBuffer()))
})
afterAll(() => app.close())

async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const found = new Map<string, Buffer>()
  const zip = await fromBufferPromise(bytes)
  for await (const entry of zip.eachEntry()) {
    const pieces: Buffer[] = []
    for await (const piece of await zip.openReadStreamPromise(entry)) pieces.push(piece as Buffer)
    found.set(entry.fileName, Buffer.concat(pieces))
  }
  return found
}

const text = (path: string) => files.get(path)?.toString() ?? `no ${path}`
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('contains recordings with readable file names, and lists for players and spreadsheets', () => {
  const paths = [...files.keys()].filter((path) => !path.startsWith('pictures/'))
  expect(paths.toSorted()).toEqual([
    'READ ME.txt',
    'catalogue.json',
    'catalogue/artists.jsonl',
    'catalogue/categories.jsonl',
    'catalogue/genres.jsonl',
    'catalogue/pictures.jsonl',
    'catalogue/playlists.jsonl',
    'catalogue/releases.jsonl',
    'catalogue/schema.json',
    'catalogue/tracks.jsonl',
    'evidence/Mira Sol with DJ Bo/Slow Light/Quittung_ „Mai“.pdf',
    'music/Mira Sol with DJ Bo/Night_ _Drive__1/01 Slow Light.wav',
    'music/The House/Later/01 Draft.wav',
    'music/The House/Night_ _Drive__1/2-01 AC_DC_ _.wav',
    'playlists/=Evening.m3u8',
    'releases/Inner Circle.m3u8',
    'releases/Later.m3u8',
    'releases/Night_ _Drive__1.m3u8',
    'tables/artists.csv',
    'tables/playlists.csv',
    'tables/releases.csv',
    'tables/tracks.csv',
  ])
  expect(text('playlists/=Evening.m3u8').split('\n')).toEqual([
    '#EXTM3U',
    '#PLAYLIST:=Evening',
    '#EXTINF:-1,The House - AC/DC: ?',
    '../music/The House/Night_ _Drive__1/2-01 AC_DC_ _.wav',
    '#EXTINF:-1,Mira Sol with DJ Bo - Slow Light',
    '../music/Mira Sol with DJ Bo/Night_ _Drive__1/01 Slow Light.wav',
    '',
  ])
  expect(text('tables/playlists.csv').split('\n')[1]).toMatch(/^'=Evening,Slow,true,everyone,2,/)
})

test('each line matches the documented schema, and each file matches its hash', () => {
  const index = catalogueIndex.parse(JSON.parse(text('catalogue.json')))
  expect(index).toMatchObject({ service: 'The House', version: 1 })
  let fileCount = 0
  for (const name of documentNames) {
    const lines = text(documentPath(name)).split('\n').filter(Boolean)
    expect(lines.length, name).toBe(index.counts[name])
    expect(lines.length, name).toBeGreaterThan(0)
    for (const line of lines) {
      const document = documentSchemas[name].parse(JSON.parse(line)) as {
        file?: { path: string; sha256: string }
        files?: { path: string; sha256: string }[]
        evidence?: { path: string; sha256: string }[]
      }
      const { file: own, files: sizes = [], evidence = [] } = document
      for (const file of [...sizes, ...evidence, ...(own ? [own] : [])]) {
        fileCount += 1
        expect(sha256(files.get(file.path)!), file.path).toBe(file.sha256)
      }
    }
  }
  const stored = [...files.keys()].filter((path) => /^(?:evidence|music|pictures)\//.test(path))
  expect(fileCount).toBe(stored.length)
})

test('contains no email address or id of a person', () => {
  const whole = [...files.values()].map((bytes) => bytes.toString('latin1')).join('\n')
  expect(whole).not.toContain(admin.id)
  expect(whole).not.toContain(admin.email)
})

test('requires an admin and writes an audit entry', async () => {
  const member = await app.makePerson()
  expect((await member.send('GET', exportCatalogue.path)).status).toBe(403)
  const entries = await app.services.db.query
    .selectFrom('audit_log')
    .select(['actor_id', 'action'])
    .where('entity', '=', 'catalogue')
    .execute()
  expect(entries).toEqual([{ actor_id: admin.id, action: 'export' }])
})

test('an export to a folder has the same contents, continues after an interruption, and lists missing files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'velour-export-'))
  const { db, storage, now } = app.services
  const source = { db, storage, service: 'The House', now }
  const run = () => writeExport(source, createFolderTarget(folder))
  const first = await run()
  const paths = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((one) =>
    one.isFile(),
  )
  expect(paths.length).toBe(files.size)
  const song = 'music/The House/Later/01 Draft.wav'
  expect(sha256(await readFile(join(folder, song)))).toBe(sha256(files.get(song)!))
  const { mtimeMs } = await stat(join(folder, song))
  const { source_key } = await db.query
    .selectFrom('tracks')
    .select('source_key')
    .where('title', '=', 'Slow Light')
    .executeTakeFirstOrThrow()
  await storage.delete(source_key!)
  await writeFile(join(folder, 'tables/tracks.csv'), 'old')
  const second = await run()
  expect((await stat(join(folder, song))).mtimeMs).toBe(mtimeMs)
  expect(await readFile(join(folder, 'tables/tracks.csv'), 'utf8')).toContain('Slow Light')
  const lost = 'music/Mira Sol with DJ Bo/Night_ _Drive__1/01 Slow Light.wav'
  expect([first.missing, second.missing]).toEqual([[], [lost]])
  expect(await readFile(join(folder, 'MISSING FILES.txt'), 'utf8')).toContain(lost)
  await rm(folder, { recursive: true })
})
