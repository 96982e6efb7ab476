// The names in audit entries, and filters by these names.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exportAuditLog, listAuditLog } from '#contract/admin/admin-audit.ts'
import { createGenre, deleteGenre } from '#contract/admin/admin-genres.ts'
import { changeAdminTracks, updateAdminTrack } from '#contract/admin/admin-tracks.ts'
import { banUser } from '#contract/admin/admin-users.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person
let other: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  other = await app.makePerson({ role: 'admin' })
  const name = (id: string, display_name: string) =>
    app.services.db.query
      .updateTable('profiles')
      .set({ display_name })
      .where('id', '=', id)
      .execute()
  await name(admin.id, 'Zoë Owner')
  await name(other.id, 'Someone Else')
})
afterAll(() => app.close())

async function entries(query: Record<string, string>) {
  return (await admin.call(listAuditLog, { query })).body.data
}

test('an entry contains the current names of the actor and the changed object', async () => {
  const [id] = await makeTracks(app.services.db, 1)
  for (const title of ['First title', 'Second title']) {
    await admin.call(updateAdminTrack, { params: { id: id! }, body: { title } })
  }
  const [latest, first] = await entries({ entity: 'track' })
  for (const entry of [latest, first]) {
    expect(entry).toMatchObject({
      actor_id: admin.id,
      actor_name: 'Zoë Owner',
      entity_name: 'Second title',
      entity_key: id,
    })
  }
})

test('for a deleted object, an entry contains its last name and no link to a page', async () => {
  const [id] = await makeTracks(app.services.db, 1, { prefix: 'Vanished' })
  await admin.call(changeAdminTracks, { body: { action: 'delete', id: id! } })
  const [entry] = await entries({ action: 'delete', entity: 'track' })
  expect(entry?.entity_name).toMatch(/^Vanished/)
  expect(entry?.entity_key).toBeNull()
  expect(await entries({ entity_name: 'vanished' })).toMatchObject([{ entity_id: id }])
})

test('an entry about a person contains the email address', async () => {
  const person = await app.makePerson()
  await admin.call(banUser, { params: { id: person.id } })
  const [entry] = await entries({ action: 'ban' })
  expect(entry).toMatchObject({ entity_key: person.id, entity_id: person.id })
  expect(entry?.entity_name).toContain('@')
  expect(await entries({ entity_name: entry?.entity_name ?? '' })).toHaveLength(1)
})

test('the actor filter accepts a name, an email address, a full id or its first characters', async () => {
  await other.call(createGenre, { body: { name: `Genre ${randomUUID()}` } })
  const actor_email = (await entries({ actor_id: other.id }))[0]?.actor_email ?? ''
  for (const actor_id of [
    other.id,
    other.id.toUpperCase(),
    other.id.slice(0, 20),
    'someone els',
    actor_email,
    actor_email.toUpperCase(),
  ]) {
    const found = await entries({ actor_id, entity: 'genre' })
    expect(found.length, actor_id).toBe(1)
    expect(found[0]?.actor_id).toBe(other.id)
  }
  const shown = await entries({ actor_id: `${other.id.slice(0, 8)}...` })
  expect(shown.map((entry) => entry.actor_id)).toContain(other.id)
  expect(await entries({ actor_id: 'nobody of that name' })).toEqual([])
  expect(await entries({ actor_id: '01234567-9' })).toEqual([])
})

test('the object filter accepts a substring of the name, an id or its first characters', async () => {
  const name = `Ünheard ${randomUUID()}`
  const created = await admin.call(createGenre, { body: { name } })
  const id = created.body.id
  for (const entity_name of [name, 'ünheard', id, `${id.slice(0, 18)}...`]) {
    expect((await entries({ entity_name })).map(({ entity_id }) => entity_id)).toEqual([id])
  }
  await admin.call(deleteGenre, { params: { id } })
  expect(await entries({ entity_name: 'ünheard' })).toHaveLength(2)
  expect(await entries({ entity_name: '%' })).toEqual([])
})

test('the CSV keeps its existing columns and adds the names after them', async () => {
  const response = await admin.send('GET', `${exportAuditLog.path}?entity_name=second+title`)
  const [head, ...rows] = String(response.body).trim().split('\n')
  expect(head?.replace('\ufeff', '')).toBe(
    'timestamp,actor_id,action,entity,entity_id,before,after,actor_email,actor_name,entity_name',
  )
  expect(rows.length).toBe(2)
  for (const row of rows) expect(row).toContain('Zoë Owner,Second title')
})
