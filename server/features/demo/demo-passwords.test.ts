// Finding and closing accounts that still have the demo's public password.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoPassword } from '#contract/demo.ts'
import { createAuthTestApp, type AuthTestApp } from '../../testing/auth-test-app.ts'
import { createUser, type NewUser } from '../auth/create-user.ts'
import { hashNewPassword } from '../auth/new-password.ts'
import { transaction } from '../../platform/db/database.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { findOpenDemoAccounts, findOwnAdmins } from './demo-passwords.ts'
import { closeDemo } from './leave-demo.ts'

let database: TestDatabase
let site: AuthTestApp
beforeAll(async () => {
  database = await createTestDatabase()
  site = await createAuthTestApp({ ...database, minResponseMs: 0 })
  const demoHash = await hashNewPassword(demoPassword)
  const ownHash = await hashNewPassword('correct horse battery')
  const people: Omit<NewUser, 'passwordHash'>[] = [
    { email: 'admin@velour.test', role: 'admin', is_demo: true },
    { email: 'free@velour.test', is_demo: true },
    { email: 'careless@example.com', role: 'editor' },
    { email: 'gone@velour.test', is_demo: true },
  ]
  await transaction(site.db, async (trx) => {
    for (const person of people) await createUser(trx, { ...person, passwordHash: demoHash })
    await createUser(trx, {
      email: 'changed@velour.test',
      role: 'admin',
      is_demo: true,
      passwordHash: ownHash,
    })
    await createUser(trx, { email: 'owner@example.com', role: 'admin', passwordHash: ownHash })
    await trx.query
      .updateTable('profiles')
      .set({ banned_at: new Date().toISOString() })
      .where('email', '=', 'gone@velour.test')
      .execute()
  })
})
afterAll(async () => {
  await site.close()
  await database.drop()
})

const readProfile = async (cookie: string) =>
  ((await site.send({ url: '/api/profile', cookie })).body as { data: unknown }).data
const roles = async () => {
  const people = await site.db.query
    .selectFrom('profiles as p')
    .innerJoin('user_roles as r', 'r.user_id', 'p.id')
    .select(['p.email', 'r.role'])
    .where('p.email', 'in', [
      'admin@velour.test',
      'careless@example.com',
      'owner@example.com',
      'changed@velour.test',
    ])
    .execute()
  return Object.fromEntries(people.map(({ email, role }) => [email, role]))
}
const findOpenEmails = async () => (await findOpenDemoAccounts(site.db)).map(({ email }) => email)

test('finds demo accounts and accounts of staff that have the demo password, unless they are banned', async () => {
  expect(await findOpenEmails()).toEqual([
    'admin@velour.test',
    'careless@example.com',
    'free@velour.test',
  ])
})

test('closing an account replaces its password, ends its sessions, and does not change other accounts', async () => {
  const cookie = await site.signIn('admin@velour.test', demoPassword)
  const owner = await site.signIn('owner@example.com')
  expect(await closeDemo(site.db, new Date())).toEqual([
    'admin@velour.test',
    'careless@example.com',
    'free@velour.test',
  ])
  expect(await findOpenEmails()).toEqual([])
  await expect.poll(() => readProfile(cookie)).toBeNull()
  await expect(site.signIn('admin@velour.test', demoPassword)).rejects.toThrow('401')
  expect(await readProfile(owner)).toMatchObject({ email: 'owner@example.com' })
  await site.signIn('changed@velour.test')
  // A demo account whose password was changed keeps its role, and so do accounts that do not belong to the demo.
  expect(await roles()).toEqual({
    'admin@velour.test': 'member',
    'careless@example.com': 'editor',
    'owner@example.com': 'admin',
    'changed@velour.test': 'admin',
  })
  expect(await closeDemo(site.db, new Date())).toEqual([])
})

test('lists the admins that are not demo accounts', async () => {
  expect(await findOwnAdmins(site.db)).toEqual(['owner@example.com'])
})
