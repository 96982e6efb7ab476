// Exporting a release as one tar file.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { extract } from 'tar-stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRelease, exportRelease } from '#contract/admin/admin-releases.ts'
import { updateTrackOrigin } from '#contract/admin/track-origins.ts'
import { encodeTaggedWav } from '../../testing/tagged-wav.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { uploadTrack } from '../../testing/upload-track.ts'

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

async function readTar(url: string, cookie: string): Promise<Map<string, Buffer>> {
  const response = await fetch(url, { headers: { cookie } })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/x-tar')
  const files = new Map<string, Buffer>()
  const tar = extract()
  Readable.from(Buffer.from(await response.arrayBuffer())).pipe(tar)
  for await (const entry of tar) {
    const pieces: Buffer[] = []
    for await (const piece of entry) pieces.push(piece as Buffer)
    files.set(entry.header.name, Buffer.concat(pieces))
  }
  return files
}

test('contains the unchanged recordings, and a description without the private origin records', async () => {
  const wavs = [
    encodeTaggedWav(0.2, 300, { texts: { TIT2: 'First: "one"' } }),
    encodeTaggedWav(0.2, 400, { texts: { TIT2: 'Second' } }),
  ]
  const ids: string[] = []
  for (const wav of wavs) ids.push((await uploadTrack(app, admin, wav)).id)
  const prompt = 'a prompt that nobody else may read'
  await admin.call(updateTrackOrigin, { params: { id: ids[0]! }, body: { prompt } })
  const tracks = ids.map((track_id, at) => ({ track_id, disc: at + 1 }))
  const { body } = await admin.call(createRelease, { body: { title: 'Exported', tracks } })
  const path = exportRelease.path.replace(':id', body.id)
  const files = await readTar(`${app.url}${path}`, admin.cookie)
  expect([...files.keys()]).toEqual(['release.json', '1-01 First_ _one_.wav', '2-01 Second.wav'])
  const recordings = [...files.values()].slice(1).map(hash)
  expect(recordings).toEqual(wavs.map(hash))
  const text = files.get('release.json')!.toString()
  expect(JSON.parse(text)).toMatchObject({
    title: 'Exported',
    tracks: [
      { disc: 1, position: 1, title: 'First: "one"' },
      { disc: 2, position: 1, title: 'Second' },
    ],
  })
  expect(text).not.toContain(prompt)
})

test('requires an admin, and returns release_not_found for an unknown id', async () => {
  const member = await app.makePerson()
  const path = exportRelease.path.replace(':id', '018f0000-0000-7000-8000-000000000000')
  expect((await member.send('GET', path)).status).toBe(403)
  expect((await admin.send('GET', path)).code).toBe('release_not_found')
})

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
