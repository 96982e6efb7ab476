import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../db/database.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { createAuthTestApp, type AuthTestApp } from './auth-test-app.ts'
import { setRole } from './create-user.ts'
import { ensureFirstAdmin } from './first-admin.ts'

let database: TestDatabase
let site: AuthTestApp
const { log } = Fastify({ logger: { level: 'silent' } })
const config = { adminEmail: 'owner@example.com', adminPassword: 'chosen by the owner' }

beforeAll(async () => {
  database = await createTestDatabase()
  site = await createAuthTestApp(database)
})
afterAll(async () => {
  await site.close()
  await database.drop()
})

const start = (adminPassword = config.adminPassword) =>
  ensureFirstAdmin({ db: database.db, log }, { ...config, adminPassword })
const people = () => database.db.query.selectFrom('profiles').select('id').execute()

test('three instances that start at once make one admin, who can sign in', async () => {
  await Promise.all([start(), start(), start()])
  expect(await people()).toHaveLength(1)
  const cookie = await site.signIn(config.adminEmail, config.adminPassword)
  expect((await site.send({ url: '/api/profile', cookie })).body).toMatchObject({
    data: { role: 'admin' },
  })
})

test('a later start changes neither password nor role', async () => {
  const [owner] = await people()
  await transaction(database.db, (trx) => setRole(trx, owner?.id ?? '', 'member'))
  await start('another password')
  await expect(site.signIn(config.adminEmail, 'another password')).rejects.toThrow('401')
  const cookie = await site.signIn(config.adminEmail, config.adminPassword)
  expect((await site.send({ url: '/api/profile', cookie })).body).toMatchObject({
    data: { role: 'member' },
  })
})

test('without the setting nobody is made', async () => {
  await ensureFirstAdmin({ db: database.db, log }, { adminEmail: null, adminPassword: null })
  expect(await people()).toHaveLength(1)
})
