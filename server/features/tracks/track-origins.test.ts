// The private record of how a track was made: edited by admins, and absent from all responses to members.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isStaffAccess } from '#contract/access.ts'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import { createRelease, publishRelease } from '#contract/admin/admin-releases.ts'
import { getAdminTrack, listAdminTracks } from '#contract/admin/admin-tracks.ts'
import {
  getTrackOrigin,
  updateTrackOrigin,
  updateTrackOrigins,
} from '#contract/admin/track-origins.ts'
import { findContractEndpoints } from '../../testing/contract-endpoints.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { encodeTaggedWav } from '../../testing/tagged-wav.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { uploadTrack } from '../../testing/upload-track.ts'

let app: TestApp
let admin: Person
let member: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  member = await app.makePerson({ tier: 'premium' })
})
afterAll(() => app.close())

const read = async (id: string) => (await admin.call(getTrackOrigin, { params: { id } })).body

test('saves single fields, and returns changed_meanwhile for an outdated version', async () => {
  const [id] = await makeTracks(app.services.db, 1)
  const save = (body: object) =>
    admin.call(updateTrackOrigin, { params: { id: id! }, body: body as never })
  expect((await read(id!)).version).toBe(0)
  const saved = (await save({ tool: 'Suno', prompt: 'rain', version: 0 })).body
  expect(saved).toMatchObject({ tool: 'Suno', prompt: 'rain', model: null, parts: {} })
  await save({ parts: { music: 'generated' }, version: saved.version })
  expect((await save({ tool: 'Udio', version: saved.version })).code).toBe('changed_meanwhile')
  expect(await read(id!)).toMatchObject({
    tool: 'Suno',
    prompt: 'rain',
    parts: { music: 'generated' },
  })
  await save({ prompt: '' })
  expect((await read(id!)).prompt).toBeNull()
})

test('only one of several requests that create the record concurrently succeeds', async () => {
  const [id] = await makeTracks(app.services.db, 1)
  const save = (tool: string) =>
    admin.call(updateTrackOrigin, { params: { id: id! }, body: { tool, version: 0 } })
  const results = await Promise.all([save('One'), save('Two'), save('Three')])
  expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
})

test('a bulk save keeps fields that are not given, and changes all tracks or none', async () => {
  const ids = await makeTracks(app.services.db, 3)
  await admin.call(updateTrackOrigin, {
    params: { id: ids[0]! },
    body: { prompt: 'rain', parts: { lyrics: 'human' } },
  })
  const save = (some: string[], tool: string) =>
    admin.call(updateTrackOrigins, {
      body: { ids: some, tool, parts: { music: 'generated' }, update_disclosure: true },
    })
  expect((await save(ids, 'Suno')).body.data).toEqual(ids)
  expect(await read(ids[0]!)).toMatchObject({
    tool: 'Suno',
    prompt: 'rain',
    parts: { lyrics: 'human', music: 'generated' },
  })
  expect(await read(ids[2]!)).toMatchObject({ tool: 'Suno', prompt: null })
  const track = (await admin.call(getAdminTrack, { params: { id: ids[1]! } })).body
  expect(track).toMatchObject({ ai_disclosure: 'ai_generated', ai_tool: 'Suno' })
  const missing = '00000000-0000-7000-8000-00000000dead'
  expect((await save([ids[1]!, missing], 'Udio')).code).toBe('track_not_found')
  expect((await read(ids[1]!)).tool).toBe('Suno')
  expect((await member.call(updateTrackOrigins, { body: { ids, tool: 'X' } })).status).toBe(403)
})

test('updates the public disclosure only with update_disclosure', async () => {
  const [id] = await makeTracks(app.services.db, 1)
  const body = {
    tool: 'Suno',
    model: 'v5',
    parts: { music: 'generated', lyrics: 'human' },
  } as const
  const disclosure = async () => {
    const { ai_disclosure, ai_tool } = (await admin.call(getAdminTrack, { params: { id: id! } }))
      .body
    return { ai_disclosure, ai_tool }
  }
  const before = await disclosure()
  await admin.call(updateTrackOrigin, { params: { id: id! }, body })
  expect(await disclosure()).toEqual(before)
  await admin.call(updateTrackOrigin, {
    params: { id: id! },
    body: { parts: { music: 'assisted', lyrics: 'human' }, update_disclosure: true },
  })
  expect(await disclosure()).toEqual({ ai_disclosure: 'ai_assisted', ai_tool: 'Suno v5' })
})

test('importing a generated file fills the record from its tags', async () => {
  const songId = '0f4b1c9e-6a57-4c1e-9f0e-2c8f2a1d7b3c'
  const comment = `made with suno; created=2025-09-25T04:03:43Z; id=${songId}`
  const wav = encodeTaggedWav(0.2, 500, { texts: { TCON: 'dream pop' }, comment })
  const { id } = await uploadTrack(app, admin, wav)
  expect(await read(id)).toMatchObject({
    tool: 'Suno',
    source_id: songId,
    style: 'dream pop',
    parts: { music: 'generated' },
  })
  const track = (await admin.call(getAdminTrack, { params: { id } })).body
  expect(track).toMatchObject({ ai_disclosure: 'ai_generated', ai_tool: 'Suno' })
})

test('no response to members, admin list, audit entry or log contains the record', async () => {
  const secret = 'vexillology'
  const [id] = await makeTracks(app.services.db, 1)
  const text = (name: string) => `${secret} ${name}`
  const names = ['tool', 'model', 'plan_at_creation', 'source_id', 'source_url', 'prompt', 'style']
  const others = ['negative_style', 'seed', 'rights_note']
  const body = Object.fromEntries([...names, ...others].map((name) => [name, text(name)]))
  const saved = await admin.call(updateTrackOrigin, { params: { id: id! }, body: body as never })
  expect(saved.status).toBe(200)
  const releaseBody = { title: 'Open', tracks: [{ track_id: id! }] }
  const release = (await admin.call(createRelease, { body: releaseBody })).body
  await admin.call(publishRelease, { params: { id: release.id }, body: {} })
  const reads = (await findContractEndpoints()).filter(
    ({ endpoint }) =>
      endpoint.method === 'GET' && !isStaffAccess(endpoint.access) && !endpoint.produces,
  )
  expect(reads.length).toBeGreaterThan(10)
  for (const { endpoint, name } of reads) {
    const value = endpoint.path.includes('releases') ? release.id : id!
    const result = await member.send('GET', endpoint.path.replaceAll(/:\w+/g, value))
    expect(JSON.stringify(result.body ?? null), name).not.toContain(secret)
  }
  const refused = await member.send('GET', getTrackOrigin.path.replace(':id', id!))
  expect(refused.status).toBe(403)
  const lists = [
    await admin.call(listAdminTracks, { query: {} }),
    await admin.call(listAuditLog, { query: {} }),
  ]
  for (const { body: list } of lists) expect(JSON.stringify(list)).not.toContain(secret)
})

test('importing also fills the record from a text file uploaded with the audio', async () => {
  const side_text = 'Model: v5\nUUID: 5d2e8a70-91b3-4f6c-8a44-7be01c35d9f2\nPrompt: rain'
  const wav = encodeTaggedWav(0.2, 600)
  const { id } = await uploadTrack(app, admin, wav, { side_text, folder: 'Late Walks' })
  expect(await read(id)).toMatchObject({ tool: 'Suno', model: 'v5', prompt: 'rain' })
  const { folder } = await app.services.db.query
    .selectFrom('track_file_tags')
    .select('folder')
    .where('track_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(folder).toBe('Late Walks')
})
