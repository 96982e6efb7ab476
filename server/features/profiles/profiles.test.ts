import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listUsers } from '#contract/admin/admin-users.ts'
import { getProfile, requestAccountDeletion, updateProfile } from '#contract/profiles.ts'
import { transaction } from '../../platform/db/database.ts'
import { storeUploadedPicture } from '../pictures/store-picture.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

/** Uploads a picture in the same way as a browser, and returns its path. */
async function uploadAvatar(
  person: Person,
  bytes: Uint8Array,
  filename = 'me.png',
): Promise<string> {
  const { body } = await person.send('POST', '/api/upload-signed-url', {
    body: { bucket: 'covers', filename, mime: 'image/png', size: bytes.length },
  })
  const { path, uploadUrl, uploadToken } = body as Record<
    'path' | 'uploadUrl' | 'uploadToken',
    string
  >
  const response = await fetch(new URL(uploadUrl, app.url), {
    method: 'PUT',
    headers: { cookie: person.cookie, 'upload-token': uploadToken, 'content-type': 'image/png' },
    body: Buffer.from(bytes),
  })
  expect(response.status).toBe(204)
  return path
}

const drawPicture = (background: string) =>
  sharp({ create: { width: 500, height: 400, channels: 3, background } })
    .png()
    .toBuffer()

const profileOf = async (person: Person) => (await person.call(getProfile, {})).body.data

test('changes only the name, and removes spaces around it', async () => {
  const ada = await app.makePerson()
  const answer = await ada.call(updateProfile, { body: { display_name: '  Ada L.  ' } })
  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ id: ada.id, email: ada.email, display_name: 'Ada L.' })
  expect(await profileOf(ada)).toEqual(answer.body)
})

test('rejects a name that is too long', async () => {
  const ada = await app.makePerson()
  const answer = await ada.call(updateProfile, { body: { display_name: 'a'.repeat(101) } })
  expect([answer.status, answer.code]).toEqual([400, 'invalid_input'])
})

test("serves a profile's picture in all sizes, and deletes the previous picture", async () => {
  const ada = await app.makePerson()
  const urls: string[] = []
  for (const color of ['#d01030', '#1030d0']) {
    const avatar_path = await uploadAvatar(ada, await drawPicture(color))
    const { body } = await ada.call(updateProfile, { body: { avatar_path } })
    expect(body.avatar_url).toMatch(/^\/media\/avatars\/[0-9a-f-]{36}\/384\.webp$/)
    expect((await profileOf(ada))?.avatar_url).toBe(body.avatar_url)
    const picture = await fetch(app.url + body.avatar_url)
    expect(picture.status).toBe(200)
    const { width, height } = await sharp(await picture.arrayBuffer()).metadata()
    expect([width, height]).toEqual([384, 384])
    urls.push(body.avatar_url!)
  }
  const images = await app.services.db.query
    .selectFrom('images')
    .select('id')
    .where('kind', '=', 'avatar')
    .execute()
  const ids = images.map(({ id }) => id)
  expect(urls.map((url) => ids.includes(url.split('/')[3]!))).toEqual([false, true])
  const garbage = await app.services.db.query
    .selectFrom('storage_garbage')
    .select('storage_key')
    .where('storage_key', 'like', `avatars/${urls[0]!.split('/')[3]}/%`)
    .execute()
  expect(garbage).toHaveLength(6)
})

test('removes the picture of a profile', async () => {
  const ada = await app.makePerson()
  const avatar_path = await uploadAvatar(ada, await drawPicture('#10d030'))
  await ada.call(updateProfile, { body: { avatar_path } })
  const { body } = await ada.call(updateProfile, { body: { avatar_path: null } })
  expect(body.avatar_url).toBeNull()
  expect((await profileOf(ada))?.avatar_url).toBeNull()
})

test('rejects an upload that is not a picture, belongs to someone else or was already used', async () => {
  const [ada, eve] = [await app.makePerson(), await app.makePerson()]
  const noPicture = await uploadAvatar(ada, Buffer.from('not a picture at all'))
  const body = (avatar_path: string) => ({ body: { avatar_path, display_name: 'Changed' } })
  expect((await ada.call(updateProfile, body(noPicture))).code).toBe('unsupported_image')
  const picture = await uploadAvatar(ada, await drawPicture('#808080'))
  expect((await eve.call(updateProfile, body(picture))).code).toBe('upload_not_found')
  expect(await profileOf(ada)).toMatchObject({ display_name: '', avatar_url: null })
  expect((await ada.call(updateProfile, body(picture))).status).toBe(200)
  expect((await ada.call(updateProfile, body(picture))).code).toBe('upload_used')
})

test('keeps only one of two pictures that a member sets concurrently', async () => {
  const ada = await app.makePerson()
  const paths = [
    await uploadAvatar(ada, await drawPicture('#a01030')),
    await uploadAvatar(ada, await drawPicture('#1030a0')),
  ]
  const answers = await Promise.all(
    paths.map((avatar_path) => ada.call(updateProfile, { body: { avatar_path } })),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const ids = answers.map(({ body }) => body.avatar_url!.split('/')[3]!)
  const left = await app.services.db.query
    .selectFrom('images')
    .select('id')
    .where('id', 'in', ids)
    .execute()
  const shown = (await profileOf(ada))?.avatar_url
  expect(left.map(({ id }) => `/media/avatars/${id}/384.webp`)).toEqual([shown])
})

test("records a member's deletion request once, and shows it to admins", async () => {
  const [ada, admin] = [await app.makePerson(), await app.makePerson({ role: 'admin' })]
  const listDeletionRequests = async () => {
    const { body } = await admin.call(listUsers, { query: { deletion_requested: 'true' } })
    return body.data.map(({ id, deletion_requested_at }) => [id, deletion_requested_at])
  }
  expect(await listDeletionRequests()).toEqual([])
  expect((await ada.call(requestAccountDeletion, {})).status).toBe(204)
  const first = await listDeletionRequests()
  expect(first).toEqual([[ada.id, expect.any(String)]])
  await ada.call(requestAccountDeletion, {})
  expect(await listDeletionRequests()).toEqual(first)
  expect((await profileOf(ada))?.email).toBe(ada.email)
})

test('rate-limits concurrent requests with one upload, and creates one picture', async () => {
  const ada = await app.makePerson()
  const avatar_path = await uploadAvatar(ada, await drawPicture('#10d030'))
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => ada.call(updateProfile, { body: { avatar_path } })),
  )
  const codes = answers.map(({ code }) => code)
  expect(codes.filter((code) => code === undefined)).toHaveLength(1)
  expect(codes.filter((code) => code === 'upload_used')).toHaveLength(2)
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(9)
})

test('two concurrent requests with the same upload do not delete the picture in use', async () => {
  const { db } = app.services
  const ada = await app.makePerson()
  const path = await uploadAvatar(ada, await drawPicture('#d0d030'))
  const take = () =>
    storeUploadedPicture(app.services.pictures, { actor: { user_id: ada.id } }, path, 'avatar')
  const first = await take()
  const overtaken = await transaction(db, async (trx) => {
    await first!.claim(trx)
    // When this request reads the upload, it is unused. When the picture's files are encoded, the other request has
    // used it.
    const second = take().catch((error: unknown) => error)
    const waiting = sql`
      select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and state = 'active'`
    await expect
      .poll(async () => (await waiting.execute(db.query)).rows.length, { timeout: 10_000 })
      .toBe(1)
    return { second }
  })
  expect(await overtaken.second).toMatchObject({ code: 'upload_used' })
  const reserved = db.query.selectFrom('storage_garbage').select('storage_key')
  const id = path.split('/')[2]
  expect(await reserved.where('storage_key', 'like', `avatars/${id}/%`).execute()).toEqual([])
})
