// Device keys and access tokens over HTTP: they are shown once, stored as hashes, limited, and invalid immediately
// after they are revoked.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as tokens from '#contract/access-tokens.ts'
import { maxKeysPerPerson } from '#contract/device-keys.ts'
import * as keys from '#contract/device-keys.ts'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import { createGenre } from '#contract/admin/admin-genres.ts'
import { createPlaylist } from '#contract/playlists.ts'
import { getProfile, updateProfile } from '#contract/profiles.ts'
import { listTracks } from '#contract/tracks.ts'
import { banAccount } from '../auth/ban-account.ts'
import { transaction } from '../../platform/db/database.ts'
import { backdateConfirmation } from '../../testing/session-age.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { wrongTokenLimit } from './callers.ts'
import { coarseNetwork, hashSecret, makeDeviceKey } from './new-secrets.ts'

let app: TestApp
let mia: Person
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
  mia = await app.makePerson()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

async function makeToken(person: Person, scopes: ('read' | 'library' | 'admin')[]) {
  const response = await person.call(tokens.createAccessToken, { body: { name: 'Script', scopes } })
  return response.body.data
}
const withToken = (token: string) => {
  const headers = { authorization: `Bearer ${token}` }
  return {
    get: (path: string, more = {}) =>
      app.nobody.send('GET', path, { headers: { ...headers, ...more } }),
    send: (method: string, path: string, body: object) =>
      app.nobody.send(method, path, { headers, body }),
  }
}

describe('device keys', () => {
  test('are shown once, and are stored as a hash and encrypted', async () => {
    const { body } = await mia.call(keys.createDeviceKey, { body: { name: '  My  phone ' } })
    expect(body.data).toMatchObject({ name: 'My phone', username: mia.email })
    expect(body.data.key).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{5}-){4}[0-9a-hjkmnp-tv-z]{5}$/)
    const listed = await mia.call(keys.listDeviceKeys, {})
    expect(listed.body.data[0]).toMatchObject({ name: 'My phone', last_used_at: null })
    expect(JSON.stringify(listed.body)).not.toContain(body.data.key)
    const row = await app.services.db.query
      .selectFrom('device_keys')
      .selectAll()
      .where('id', '=', body.data.id)
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(body.data.key)
    expect(row.key_hash).toBe(hashSecret(body.data.key))
    expect(app.services.secretBox.open(row.key_sealed)).toBe(body.data.key)
  })

  test('can be created only after a recent confirmation, and revoked only by their owner', async () => {
    const other = await app.makePerson()
    const { body } = await mia.call(keys.createDeviceKey, { body: { name: 'TV' } })
    const foreign = await other.call(keys.revokeDeviceKey, { params: { id: body.data.id } })
    expect(foreign.code).toBe('not_found')
    await backdateConfirmation(app, other.id, 11)
    const refused = await other.call(keys.createDeviceKey, { body: { name: 'TV' } })
    expect(refused.code).toBe('reauthentication_required')
  })

  test(`are limited to ${maxKeysPerPerson} per person, even if created concurrently`, async () => {
    const person = await app.makePerson()
    const made = await Promise.all(
      Array.from({ length: maxKeysPerPerson + 5 }, (_, i) =>
        person.call(keys.createDeviceKey, { body: { name: `Key ${i}` } }),
      ),
    )
    expect(made.filter(({ status }) => status === 201)).toHaveLength(maxKeysPerPerson)
    expect(made.filter(({ code }) => code === 'too_many_keys')).toHaveLength(5)
  })

  test('become invalid when the password changes, as do access tokens', async () => {
    const person = await app.makePerson()
    await person.call(keys.createDeviceKey, { body: { name: 'Car' } })
    const { token } = await makeToken(person, ['read'])
    await app.services.db.query
      .updateTable('accounts')
      .set({ password: 'another-hash' })
      .where('user_id', '=', person.id)
      .execute()
    expect((await withToken(token).get('/api/tracks')).code).toBe('token_invalid')
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from device_keys where user_id = ${person.id}`.execute(
      app.services.db.query,
    )
    expect(rows[0]?.count).toBe(0)
  })
})

describe('access tokens', () => {
  test('can only call the operations of their scopes', async () => {
    const reader = withToken((await makeToken(mia, ['read'])).token)
    expect((await reader.get(listTracks.path)).status).toBe(200)
    const write = await reader.send('POST', createPlaylist.path, { title: 'Mine' })
    expect([write.code, write.body]).toMatchObject([
      'token_scope',
      { error: { details: { scope: 'library' } } },
    ])
    const writer = withToken((await makeToken(mia, ['library'])).token)
    expect((await writer.send('POST', createPlaylist.path, { title: 'Mine' })).status).toBe(201)
    expect((await writer.get('/api/admin-users')).code).toBe('token_scope')
  })

  test('cannot create tokens or keys, and take precedence over a cookie in the same request', async () => {
    const { token } = await makeToken(mia, ['read', 'library'])
    const body = { name: 'More', scopes: ['read'] }
    for (const path of ['/api/tokens', '/api/device-keys']) {
      expect((await withToken(token).send('POST', path, body)).code).toBe('token_refused')
    }
    const mixed = await withToken(token).get('/api/admin-users', { cookie: admin.cookie })
    expect(mixed.code).toBe('token_scope')
    const wrong = await withToken('velour_pat_wrong').get('/api/tracks', { cookie: admin.cookie })
    expect(wrong.code).toBe('token_invalid')
    const own = await withToken(token).get('/api/sessions', { cookie: mia.cookie })
    expect(own.code).toBe('unauthenticated')
  })

  test('become invalid when they are revoked or expire, or when their owner is banned', async () => {
    const person = await app.makePerson()
    const { id, token } = await makeToken(person, ['read'])
    const caller = withToken(token)
    expect((await caller.get('/api/tracks')).status).toBe(200)
    expect((await person.call(tokens.revokeAccessToken, { params: { id } })).status).toBe(204)
    expect((await caller.get('/api/tracks')).code).toBe('token_invalid')

    const short = await makeToken(person, ['read'])
    await app.services.db.query
      .updateTable('access_tokens')
      .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
      .where('id', '=', short.id)
      .execute()
    expect((await withToken(short.token).get('/api/tracks')).code).toBe('token_invalid')

    const lasting = await makeToken(person, ['read'])
    expect((await withToken(lasting.token).get('/api/tracks')).status).toBe(200)
    await transaction(app.services.db, (trx) => banAccount(trx, person.id, new Date()))
    await expect
      .poll(async () => (await withToken(lasting.token).get('/api/tracks')).code)
      .toBe('token_invalid')
  })

  test('without the scope admin, give an admin a member’s rights; with it, audit entries name the token', async () => {
    const plain = withToken((await makeToken(admin, ['read'])).token)
    expect((await plain.get(getProfile.path)).body).toMatchObject({ data: { role: 'member' } })
    const strong = withToken((await makeToken(admin, ['admin', 'read'])).token)
    const made = await strong.send('POST', createGenre.path, { name: 'Token Jazz' })
    expect(made.status).toBe(201)
    const { body } = await admin.call(listAuditLog, { query: { entity: 'genre' } })
    expect(body.data[0]).toMatchObject({ actor_id: admin.id, token_name: 'Script' })
    const own = await admin.call(listAuditLog, { query: { entity: 'access_token' } })
    expect(own.body.data[0]).toMatchObject({ action: 'create', token_name: null })
  })

  test('are exempt from the origin checks for cookies, but cannot be used by pages of other sites', async () => {
    const { token } = await makeToken(mia, ['library'])
    const headers = { authorization: `Bearer ${token}`, origin: 'https://evil.test' }
    const body = { display_name: 'Stolen' }
    const response = await app.nobody.send('PATCH', updateProfile.path, { headers, body })
    expect(response.code).toBe('foreign_origin')
  })

  test('cannot be created with an expiry beyond the limit or in the past, or without scopes', async () => {
    for (const expires_at of ['2020-01-01', '2999-01-01']) {
      const body = { name: 'x', scopes: ['read' as const], expires_at }
      expect((await mia.call(tokens.createAccessToken, { body })).code).toBe('invalid_expiry')
    }
    const none = await mia.send('POST', '/api/tokens', { body: { name: 'x', scopes: [] } })
    expect(none.code).toBe('invalid_input')
  })

  test('are listed with their last use, without the full IP address', async () => {
    const person = await app.makePerson()
    const { token } = await makeToken(person, ['read'])
    await withToken(token).get('/api/tracks')
    await expect
      .poll(async () => (await person.call(tokens.listAccessTokens, {})).body.data[0])
      .toMatchObject({ last_network: '127.0.0.0/24', is_expired: false })
  })

  test('many invalid tokens lead to 429 for an address, but valid tokens still work from there', async () => {
    const { token } = await makeToken(mia, ['read'])
    const codes = []
    for (let i = 0; i < wrongTokenLimit.count + 2; i++) {
      codes.push((await withToken(`velour_pat_${i}`).get('/api/tracks')).code)
    }
    expect(codes.at(-1)).toBe('rate_limited')
    expect((await withToken(token).get('/api/tracks')).status).toBe(200)
  })
})

test('generated device keys are unique, and IP addresses are reduced to their network', () => {
  expect(new Set(Array.from({ length: 100 }, makeDeviceKey)).size).toBe(100)
  expect(coarseNetwork('::ffff:203.0.113.9')).toBe('203.0.113.0/24')
  expect(coarseNetwork('2001:db8:1:2::9')).toBe('2001:db8:1::/48')
})
