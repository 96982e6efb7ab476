// Importing archives in the folder structures that other programs create.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { listImportItems, startImport } from '#contract/admin/imports.ts'
import { getAdminTrack } from '#contract/admin/admin-tracks.ts'
import { getTrackOrigin } from '#contract/admin/track-origins.ts'
import { listReleaseProposals } from '#contract/admin/admin-releases.ts'
import { encodeTaggedWav } from '../../testing/tagged-wav.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { callOrThrow, uploadBytes } from '../catalogue/testing/catalogue-world.ts'
import { runImports } from './run-imports.ts'

let app: TestApp
let admin: Person
let pitch = 500

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

const song = (texts: Record<string, string> = {}, comment?: string) =>
  encodeTaggedWav(0.2, (pitch += 40), { texts, ...(comment !== undefined && { comment }) })

/** Imports an archive of these files. Returns a function that reads the created track by its file name. */
async function importFiles(files: Record<string, Buffer | string>) {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path)
  zip.end()
  const pieces: Buffer[] = []
  for await (const piece of zip.outputStream) pieces.push(piece as Buffer)
  const file = { bucket: 'archives', filename: 'all.zip', mime: 'application/zip' } as const
  const archive_path = await uploadBytes(app, admin, Buffer.concat(pieces), file)
  const { id } = await callOrThrow(admin, startImport, { body: { archive_path } })
  await runImports(app.services, { signal: new AbortController().signal, isLastAttempt: false })
  const { data } = await callOrThrow(admin, listImportItems, { params: { id }, query: {} })
  return {
    batch: id,
    track(name: string) {
      const item = data.find((one) => one.name === name)!
      return callOrThrow(admin, getAdminTrack, { params: { id: item.track_id! } })
    },
  }
}

test('imports titles, releases and lyrics from the manifests of a Faircamp site', async () => {
  const lyrics = (line: string) =>
    `more_label: Lyrics  \n\n--more  \n[Verse]  \n${line}  \n--more  \n`
  const { batch, track } = await importFiles({
    'site/catalog.eno': 'title: The Site',
    'site/band/orbit/release.eno':
      'title: Orbit.\nrelease_artist: The Band\nmore_label: Lyrics\n-- more\nof nobody\n-- more\n',
    'site/band/orbit/keptNear/track.eno': `title: Kept Near\n${lyrics('We trimmed the hedge')}`,
    'site/band/orbit/keptNear/kept.wav': song(),
    'site/band/orbit/lost/track.enov': 'a mistyped name',
    'site/band/orbit/lost/lost.wav': song({ TIT2: 'Lost' }),
    'site/days/2026-01-29/release.eno': `title: A Day\nrelease_artist: The Days\n${lyrics('In streams')}`,
    'site/days/2026-01-29/day.wav': song({ TIT2: 'Day' }),
  })
  expect(await track('kept.wav')).toMatchObject({
    title: 'Kept Near',
    lyrics: '[Verse]\nWe trimmed the hedge',
  })
  expect(await track('lost.wav')).toMatchObject({ title: 'Lost', lyrics: null })
  expect(await track('day.wav')).toMatchObject({ lyrics: '[Verse]\nIn streams' })
  const { data } = await callOrThrow(admin, listReleaseProposals, { query: { batch } })
  expect(data).toMatchObject([{ title: 'Orbit.', artist: 'The Band' }])
  expect(data[0]!.tracks).toHaveLength(2)
})

test('does not propose a release for two takes of a prompt downloaded from Suno, and keeps their ids private', async () => {
  const uuid = (digit: string) => `0f4b1c9e-6a57-4c1e-9f0e-2c8f2a1d7b3${digit}`
  const take = (digit: string) =>
    song({ TIT2: 'Tide', TALB: 'Tide', TPE1: 'Mira', TCON: 'AI Generated' }, uuid(digit))
  const { batch, track } = await importFiles({
    'a/Tide.wav': take('1'),
    'b/Tide (1).wav': take('2'),
  })
  const imported = await track('Tide (1).wav')
  expect(imported).toMatchObject({
    title: 'Tide',
    description: null,
    ai_disclosure: 'ai_generated',
  })
  const origin = await callOrThrow(admin, getTrackOrigin, { params: { id: imported.id } })
  expect(origin).toMatchObject({ tool: 'Suno', source_id: uuid('2') })
  const { data } = await callOrThrow(admin, listReleaseProposals, { query: { batch } })
  expect(data).toEqual([])
  const found = await app.services.db.query
    .selectFrom('tracks')
    .select('found_genre')
    .where('id', '=', imported.id)
    .executeTakeFirstOrThrow()
  expect(found.found_genre).toBeNull()
})
