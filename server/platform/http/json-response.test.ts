// Tests headers and refusals that the router derives from the contract: ETag and If-Match, Link, RateLimit, unknown
// fields.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person
let track: string

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  const ids = await makeTracks(app.services.db, 5)
  track = `/api/v1/admin-tracks/${ids[0]}`
})
afterAll(() => app.close())

const save = (title: string, etag: string, body: object = {}) =>
  admin.send('PATCH', track, { body: { title, ...body }, headers: { 'if-match': etag } })

test('saves with the current ETag in If-Match, and refuses the same ETag afterwards', async () => {
  const etag = (await admin.send('GET', track)).headers.get('etag') ?? ''
  expect(etag).toBe('"1"')
  const saved = await save('Saved', etag)
  expect([saved.status, saved.headers.get('etag')]).toEqual([200, '"2"'])
  const stale = await save('Lost', etag)
  expect([stale.status, stale.code]).toEqual([412, 'precondition_failed'])
  const conflict = await admin.send('PATCH', track, { body: { title: 'Lost', version: 1 } })
  expect([conflict.status, conflict.code]).toEqual([409, 'changed_meanwhile'])
  const detailsOf = (response: typeof stale) =>
    (response.body as { error: { details: unknown } }).error.details
  expect(detailsOf(stale)).toEqual(detailsOf(conflict))
  expect(detailsOf(stale)).toMatchObject({ current: { title: 'Saved', version: 2 } })
})

test('If-Match accepts `*`, and refuses a weak tag, a list, and a version other than that of the body', async () => {
  expect((await save('Any', '*')).status).toBe(200)
  expect((await save('Weak', 'W/"1"')).code).toBe('precondition_failed')
  expect((await save('List', '"1", "2"')).code).toBe('precondition_failed')
  expect((await save('Two', '"1"', { version: 2 })).code).toBe('invalid_input')
})

/** Reads all pages by the Link header alone and returns their titles. */
async function readPages(start: string): Promise<unknown[]> {
  const found: unknown[] = []
  for (let next: string | undefined = start; next;) {
    const response = await admin.send('GET', next)
    expect(response.status).toBe(200)
    found.push(...(response.body as { data: unknown[] }).data)
    next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return found
}

test('every kind of list can be read to its end by the Link header alone', async () => {
  const { body } = await admin.send('POST', '/api/playlists', { body: { title: 'Five' } })
  const { id } = body as { id: string }
  const all = await admin.send('GET', '/api/tracks')
  const track_ids = (all.body as { data: { id: string }[] }).data.map((each) => each.id)
  await admin.send('PATCH', `/api/playlists/${id}`, { body: { track_ids } })
  expect(track_ids).toHaveLength(5)
  expect(await readPages('/api/v1/tracks?limit=2')).toHaveLength(5)
  expect(await readPages('/api/admin-tracks?page_size=2')).toHaveLength(5)
  expect(await readPages(`/api/v1/playlists/${id}/tracks?limit=2`)).toHaveLength(5)
})

test('the Link header ignores a title that looks like a cursor', async () => {
  await admin.send('POST', '/api/playlists', { body: { title: '"next_cursor":"x"' } })
  const response = await admin.send('GET', '/api/playlists')
  expect(response.headers.get('link')).toBeNull()
})

test('RateLimit and RateLimit-Policy list each limit', async () => {
  const response = await (
    await app.makePerson()
  ).send('POST', '/api/playlists', {
    body: { title: 'Limited' },
  })
  expect(response.headers.get('ratelimit-policy')).toBe('"playlist";q=1000;w=86400')
  expect(response.headers.get('ratelimit')).toMatch(/^"playlist";r=999;t=\d+$/)
})

test('refuses an unknown field by name and changes nothing', async () => {
  const refused = await admin.send('PATCH', '/api/admin-tracks', {
    body: { changes: [{ id: track.split('/').at(-1), titel: 'x' }], cover_url: 'x' },
  })
  expect(refused).toMatchObject({ status: 400, code: 'invalid_input' })
  expect(refused.body).toMatchObject({
    error: {
      details: [
        { field: 'changes.0.titel', message: 'Unknown field' },
        { field: 'cover_url', message: 'Unknown field' },
      ],
    },
  })
})

test('sign-in ignores the additional fields of better-auth clients', async () => {
  const response = await app.nobody.send('POST', '/api/auth/sign-in/email', {
    body: { email: 'nobody@velour.test', password: 'wrong password', rememberMe: true },
  })
  expect(response.code).toBe('invalid_credentials')
})
