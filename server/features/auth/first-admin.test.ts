import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { transaction } from '../../platform/db/database.ts'
import { useAuthTestSite } from '../../testing/auth-test-app.ts'
import { setRole } from './create-user.ts'
import { ensureFirstAdmin } from './first-admin.ts'

const site = useAuthTestSite()
const { log } = Fastify({ logger: { level: 'silent' } })
const config = { adminEmail: 'owner@example.com', adminPassword: 'chosen by the owner' }

const start = (adminPassword = config.adminPassword) =>
  ensureFirstAdmin({ db: site.database.db, log }, { ...config, adminPassword })
const people = () => site.database.db.query.selectFrom('profiles').select('id').execute()

test('three instances that start concurrently create one admin account that can sign in', async () => {
  await Promise.all([start(), start(), start()])
  expect(await people()).toHaveLength(1)
  const cookie = await site.signIn(config.adminEmail, config.adminPassword)
  expect((await site.send({ url: '/api/profile', cookie })).body).toMatchObject({
    data: { role: 'admin' },
  })
})

test("starting again changes neither the admin's password nor role", async () => {
  const [owner] = await people()
  await transaction(site.database.db, (trx) => setRole(trx, owner?.id ?? '', 'member'))
  await start('another password')
  await expect(site.signIn(config.adminEmail, 'another password')).rejects.toThrow('401')
  const cookie = await site.signIn(config.adminEmail, config.adminPassword)
  expect((await site.send({ url: '/api/profile', cookie })).body).toMatchObject({
    data: { role: 'member' },
  })
})

test('creates no admin if ADMIN_EMAIL is not set', async () => {
  await ensureFirstAdmin({ db: site.database.db, log }, { adminEmail: null, adminPassword: null })
  expect(await people()).toHaveLength(1)
})

test.each([
  ['eleven char', 'ADMIN_PASSWORD: The password of an admin must have at least 12 characters.'],
  ['password1234', 'ADMIN_PASSWORD: This password is too common'],
])('does not create the first admin if ADMIN_PASSWORD is %s', async (adminPassword, sentence) => {
  const services = { db: site.db, log }
  const weak = { adminEmail: 'second@example.com', adminPassword }
  await expect(ensureFirstAdmin(services, weak)).rejects.toThrow(sentence)
  // With a weak ADMIN_PASSWORD, an existing account keeps its password.
  await ensureFirstAdmin(services, { ...weak, adminEmail: config.adminEmail })
})
