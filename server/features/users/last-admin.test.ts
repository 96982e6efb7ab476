// Tests that at least one admin remains when admins remove each other's rights concurrently.
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as adminBulkContract from '#contract/admin/admin-bulk.ts'
import * as adminUsersContract from '#contract/admin/admin-users.ts'
import { createFeatureApp, type FeatureApp, type Person } from '../../testing/feature-app.ts'
import { changePeople } from './change-people.ts'
import { banUser, deleteUser, updateUserRole } from './user-operations.ts'

const tries = 200

let app: FeatureApp

beforeAll(async () => {
  app = await createFeatureApp((route) => {
    route(adminUsersContract.updateUserRole, updateUserRole)
    route(adminUsersContract.banUser, banUser)
    route(adminUsersContract.deleteUser, deleteUser)
    route(adminBulkContract.changePeople, changePeople)
  })
})
afterAll(() => app.close())

/** Lists every operation with which one admin can remove another admin's rights. */
const ways: ((who: Person, id: string) => Promise<{ status: number; code: string | undefined }>)[] =
  [
    (who, id) =>
      who.call(adminUsersContract.updateUserRole, { params: { id }, body: { role: 'member' } }),
    (who, id) =>
      who.call(adminUsersContract.updateUserRole, { params: { id }, body: { role: 'banned' } }),
    (who, id) => who.call(adminUsersContract.banUser, { params: { id } }),
    (who, id) => who.call(adminUsersContract.deleteUser, { params: { id } }),
    (who, id) =>
      who.call(adminBulkContract.changePeople, {
        body: { selection: { ids: [id] }, change: { kind: 'ban' } },
      }),
    (who, id) =>
      who.call(adminBulkContract.changePeople, {
        body: { selection: { ids: [id] }, change: { kind: 'role', role: 'editor' } },
      }),
  ]

async function countAdmins(): Promise<number> {
  const admins = await app.db.query
    .selectFrom('user_roles as r')
    .innerJoin('profiles as p', 'p.id', 'r.user_id')
    .select('r.user_id')
    .where('r.role', '=', 'admin')
    .where('p.banned_at', 'is', null)
    .execute()
  return admins.length
}

test('at least one admin remains when two admins remove each other concurrently, in 200 rounds', async () => {
  for (let i = 0; i < tries; i++) {
    const [one, two] = [
      await app.makePerson({ admin: true }),
      await app.makePerson({ admin: true }),
    ]
    const [first, second] = [ways[i % ways.length]!, ways[(i * 5 + 2) % ways.length]!]
    const answers = await Promise.all([first(one, two.id), second(two, one.id)])
    const [refused, ...others] = answers.filter(({ status }) => status >= 300)
    expect(others, `try ${i}`).toEqual([])
    // One of the two requests is rejected: its sender is no longer an admin, or it would remove the last admin.
    expect(['last_admin', 'forbidden', 'unauthenticated', 'user_not_found']).toContain(
      refused?.code,
    )
    expect(await countAdmins(), `try ${i}`).toBe(1)
    await app.db.query.updateTable('user_roles').set({ role: 'member' }).execute()
  }
}, 300_000)

test('at least one admin remains when each of three admins removes the next one, in 50 rounds', async () => {
  for (let i = 0; i < 50; i++) {
    const people = await Promise.all([0, 1, 2].map(() => app.makePerson({ admin: true })))
    await Promise.all(
      people.map((who, place) =>
        ways[(i + place) % ways.length]!(who, people[(place + 1) % 3]!.id),
      ),
    )
    expect(await countAdmins(), `try ${i}`).toBeGreaterThanOrEqual(1)
    await app.db.query.updateTable('user_roles').set({ role: 'member' }).execute()
  }
}, 300_000)
