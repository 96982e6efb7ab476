// Tests a person's page in the back office: its sections, and the changes that admins make there.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import {
  addPersonNote,
  deletePersonNote,
  dismissDeletionRequest,
  endPersonSession,
  endPersonSessions,
  getPerson,
  listPersonAudit,
  listPersonNotes,
  listPersonPlays,
  listPersonSessions,
} from '#contract/admin/admin-people.ts'
import { deleteUser, updateUserRole } from '#contract/admin/admin-users.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

const nobody = '00000000-0000-7000-8000-000000000000'

async function addTrackToPlaylist(title: string): Promise<string> {
  const { id } = await app.services.db.query
    .insertInto('tracks')
    .values({
      title,
      artist: 'Somebody',
      duration: 60,
      is_published: true,
      processing_status: 'ready',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function addPlay(user_id: string, track_id: string, startedAt: string, isCounted: boolean) {
  await app.services.db.query
    .insertInto('plays')
    .values({
      id: crypto.randomUUID(),
      user_id,
      track_id,
      is_preview: false,
      started_at: startedAt,
      reported_at: startedAt,
      heard_seconds: 40,
      duration_seconds: 60,
      counted_at: isCounted ? startedAt : null,
    })
    .execute()
}

test("shows a person's profile, counts (such as likes and plays) and last activity", async () => {
  const person = await app.makePerson({ tier: 'yearly' })
  const track = await addTrackToPlaylist('Counted')
  const daysAgo = (days: number) =>
    new Date(app.services.now().getTime() - days * 86_400_000).toISOString()
  await addPlay(person.id, track, daysAgo(40), true)
  await addPlay(person.id, track, daysAgo(3), true)
  await addPlay(person.id, track, daysAgo(2), false)
  const { body } = await admin.call(getPerson, { params: { id: person.id } })
  expect(body).toMatchObject({
    id: person.id,
    email: person.email,
    subscription_tier: 'yearly',
    play_count: 2,
    play_count_30d: 1,
    heard_seconds: 120,
    session_count: 1,
  })
  expect(Date.parse(body.last_seen_at ?? '')).toBeGreaterThan(Date.parse(daysAgo(1)))
  const plays = await admin.call(listPersonPlays, {
    params: { id: person.id },
    query: { limit: 2 },
  })
  expect(plays.body.data.map(({ is_counted }) => is_counted)).toEqual([false, true])
  expect(plays.body.data[0]).toMatchObject({ title: 'Counted', artist: 'Somebody' })
})

test("returns 'user_not_found' for each section of an unknown person", async () => {
  const params = { id: nobody }
  for (const part of [
    getPerson,
    listPersonPlays,
    listPersonSessions,
    listPersonNotes,
    listPersonAudit,
  ]) {
    expect((await admin.call(part, { params })).code).toBe('user_not_found')
  }
  expect((await admin.call(addPersonNote, { params, body: { body: 'Hello' } })).code).toBe(
    'user_not_found',
  )
})

test('signs out one device, then all devices, and never another person’s session', async () => {
  const person = await app.makePerson()
  const other = await app.makePerson()
  const again = await app.signIn(person.email)
  const params = { id: person.id }
  const { body } = await admin.call(listPersonSessions, { params })
  expect(body.data).toHaveLength(2)
  const [newest] = body.data
  expect(newest?.is_current).toBe(false)
  const session_id = newest?.id ?? ''
  const wrong = await admin.call(endPersonSession, { params: { id: other.id, session_id } })
  expect(wrong.code).toBe('not_found')
  expect((await admin.call(endPersonSession, { params: { ...params, session_id } })).status).toBe(
    204,
  )
  await expect.poll(async () => (await again.send('GET', '/api/tracks')).status).toBe(401)
  expect((await person.send('GET', '/api/tracks')).status).toBe(200)
  await admin.call(endPersonSessions, { params })
  await expect.poll(async () => (await person.send('GET', '/api/tracks')).status).toBe(401)
  expect((await other.send('GET', '/api/tracks')).status).toBe(200)
  const log = await admin.call(listAuditLog, { query: { entity: 'user' } })
  expect(log.body.data.slice(0, 2)).toMatchObject([
    { actor_id: admin.id, entity_id: person.id, after: { sessions: 'all ended' } },
    { actor_id: admin.id, entity_id: person.id, after: { sessions: 'one ended' } },
  ])
})

test("an admin's notes have an author and a time, and are deleted with the person's account", async () => {
  const person = await app.makePerson()
  const params = { id: person.id }
  expect((await admin.call(addPersonNote, { params, body: { body: '   ' } })).code).toBe(
    'invalid_input',
  )
  const first = await admin.call(addPersonNote, { params, body: { body: ' Asked about refunds ' } })
  expect(first.body).toMatchObject({
    body: 'Asked about refunds',
    author: { id: admin.id, email: admin.email },
  })
  const second = await admin.call(addPersonNote, { params, body: { body: 'Answered' } })
  const { body } = await admin.call(listPersonNotes, { params })
  expect(body.data.map((note) => note.body)).toEqual(['Answered', 'Asked about refunds'])
  const note_id = second.body.id
  const other = await app.makePerson()
  const wrong = await admin.call(deletePersonNote, { params: { id: other.id, note_id } })
  expect(wrong.code).toBe('not_found')
  await admin.call(deletePersonNote, { params: { ...params, note_id } })
  expect((await admin.call(listPersonNotes, { params })).body.data).toHaveLength(1)
  const log = await admin.call(listAuditLog, { query: { entity: 'user' } })
  // The audit log records the note, but not its text.
  expect(JSON.stringify(log.body.data)).not.toContain('refunds')
  expect(log.body.data[0]).toMatchObject({
    entity_id: person.id,
    after: { internal_note: 'deleted' },
  })
  await admin.call(deleteUser, { params })
  const left = await app.services.db.query.selectFrom('person_notes').selectAll().execute()
  expect(left.filter(({ user_id }) => user_id === person.id)).toEqual([])
})

test('lists changes to a person and changes by that person separately, with the name of who made them', async () => {
  const person = await app.makePerson({ role: 'admin' })
  const target = await app.makePerson()
  await admin.call(updateUserRole, { params: { id: person.id }, body: { role: 'editor' } })
  await admin.call(updateUserRole, { params: { id: person.id }, body: { role: 'admin' } })
  await person.call(updateUserRole, { params: { id: target.id }, body: { role: 'creator' } })
  const params = { id: person.id }
  const about = await admin.call(listPersonAudit, { params })
  // The oldest entry is the person's sign-in as an admin.
  expect(about.body.pagination.total).toBe(3)
  expect(about.body.data[0]).toMatchObject({
    actor: { id: admin.id, email: admin.email },
    before: { role: 'editor' },
    after: { role: 'admin' },
  })
  const by = await admin.call(listPersonAudit, { params, query: { side: 'by' } })
  expect(by.body.data).toMatchObject([
    { entity_id: target.id, after: { role: 'creator' } },
    { action: 'sign_in', entity_id: person.id },
  ])
})

test("an admin can withdraw a person's deletion request", async () => {
  const person = await app.makePerson()
  const params = { id: person.id }
  await app.services.db.query
    .updateTable('profiles')
    .set({ deletion_requested_at: app.services.now().toISOString() })
    .where('id', '=', person.id)
    .execute()
  const { body } = await admin.call(dismissDeletionRequest, { params })
  expect(body.deletion_requested_at).toBeNull()
  const [entry] = (await admin.call(listPersonAudit, { params })).body.data
  expect(entry).toMatchObject({ action: 'update', after: { deletion_requested_at: null } })
})
