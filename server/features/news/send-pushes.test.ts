// Tests push notifications, from the publication to a local push service. Decrypts them in the same way as a browser.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { updateNewsPreferences } from '#contract/news.ts'
import {
  createPushSubscription,
  deletePushSubscription,
  getPushKey,
  listPushSubscriptions,
} from '#contract/push.ts'
import { createSecretBox } from '../../platform/security/secret-box.ts'
import {
  createTestBrowser,
  readVapid,
  startPushService,
  type TestPushService,
} from '../../testing/push-service.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { resealAll } from '../settings/reseal.ts'
import { openNews } from './open-news.ts'
import { sendPushes } from './send-pushes.ts'

let app: TestApp
let service: TestPushService

beforeAll(async () => {
  service = await startPushService()
  app = await createTestApp({ webhooksToPrivateAddresses: true })
})
afterAll(async () => {
  await app.close()
  await service.close()
})
beforeEach(async () => {
  const { query } = app.services.db
  await query.deleteFrom('push_subscriptions').execute()
  await query.deleteFrom('news_items').execute()
  service.received.length = 0
  service.answer(201)
})

let browsers = 0

async function subscribe(person: Pick<Person, 'call'>, path = `/send/${(browsers += 1)}`) {
  const browser = createTestBrowser()
  const body = { endpoint: service.origin + path, keys: browser.keys }
  const answer = await person.call(createPushSubscription, { body })
  expect(answer.status).toBe(201)
  return { ...browser, path, ...answer.body }
}
async function makeFan(tier: 'free' | 'premium' = 'free'): Promise<Person> {
  const person = await app.makePerson({ tier })
  await person.call(updateNewsPreferences, { body: { follows_everything: true } })
  return person
}
async function publish(title: string, values: object = {}): Promise<void> {
  const row = { title, artist: 'Ada', is_published: true, processing_status: 'ready' as const }
  await app.services.db.query
    .insertInto('tracks')
    .values({ ...row, ...values })
    .execute()
  await openNews(app.services.db)
}
const signal = new AbortController().signal
const send = () => sendPushes(app.services, { signal })
const states = async () =>
  (await app.services.db.query.selectFrom('push_deliveries').select('state').execute()).map(
    ({ state }) => state,
  )

test('sends one notification with the title, the artist and the page to the browser', async () => {
  const fan = await makeFan()
  const { public_key } = (await fan.call(getPushKey, {})).body
  const browser = await subscribe(fan)
  await subscribe(await app.makePerson())
  await publish('Slow & Bright', { audience: 'everyone' })
  await Promise.all([send(), send()])
  await send()
  expect(service.received).toHaveLength(1)
  const [{ path, headers, body }] = service.received as [TestPushService['received'][number]]
  expect(path).toBe(browser.path)
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400' })
  expect(headers['topic']).toMatch(/^[0-9a-f]{32}$/)
  const message: unknown = JSON.parse(browser.decrypt(body))
  expect(message).toEqual({
    title: 'Slow & Bright',
    body: 'Track by Ada',
    path: expect.stringMatching(/^\/browse\?track=/),
    tag: expect.any(String),
    icon: null,
  })
  const { claims, publicKey } = readVapid(headers.authorization ?? '')
  expect(claims).toMatchObject({ aud: service.origin })
  expect(publicKey).toBe(public_key)
  expect(await states()).toEqual(['sent'])
})

test('sends notifications of early access to Premium members first', async () => {
  const [premium, free] = [await makeFan('premium'), await makeFan()]
  const [first, second] = [await subscribe(premium), await subscribe(free)]
  await publish('Soon', {
    early_access_days: 7,
    early_access_until: sql`now() + interval '7 days'`,
  })
  await send()
  expect(service.received.map(({ path }) => path)).toEqual([first.path])
  await app.services.db.query
    .updateTable('tracks')
    .set({ early_access_until: sql<string>`now()` })
    .where('title', '=', 'Soon')
    .execute()
  await openNews(app.services.db)
  await send()
  expect(service.received.map(({ path }) => path)).toEqual([first.path, second.path])
})

test.each([404, 410])(
  'deletes the subscription of a browser that no longer exists (%d)',
  async (status) => {
    await subscribe(await makeFan())
    await publish(`Gone ${status}`)
    service.answer(status)
    await send()
    expect(
      await app.services.db.query.selectFrom('push_subscriptions').selectAll().execute(),
    ).toEqual([])
  },
)

test('retries later when the push service is busy, and gives up when it rejects the notification', async () => {
  await subscribe(await makeFan())
  await publish('Busy')
  service.answer(503)
  await send()
  await send()
  expect(service.received).toHaveLength(1)
  expect(await states()).toEqual(['waiting'])
  const due = () =>
    app.services.db.query
      .updateTable('push_deliveries')
      .set({ next_attempt_at: sql<string>`now()` })
      .execute()
  await due()
  service.answer(403)
  await send()
  expect(await states()).toEqual(['failed'])
  await due()
  await send()
  expect(service.received).toHaveLength(2)
})

test('does not repeat a notification if the process is killed while sending it', async () => {
  await subscribe(await makeFan())
  await publish('Killed')
  await app.services.db.query.updateTable('push_deliveries').set({ state: 'sending' }).execute()
  await send()
  expect(service.received).toEqual([])
})

test("lists a member's browsers with notifications, one per session, and removes a browser when its session ends", async () => {
  const person = await app.makePerson()
  const other = await app.signIn(person.email)
  const one = await subscribe(person)
  const two = await subscribe(other)
  const again = await subscribe(person)
  const list = async (who: Pick<Person, 'call'>) =>
    (await who.call(listPushSubscriptions, {})).body.data.map(({ id, is_current }) => [
      id,
      is_current,
    ])
  expect(await list(person)).toEqual([
    [again.id, true],
    [two.id, false],
  ])
  expect(one.device).toBeTruthy()
  const stranger = await app.makePerson()
  expect((await stranger.call(deletePushSubscription, { params: { id: two.id } })).code).toBe(
    'not_found',
  )
  expect((await person.call(deletePushSubscription, { params: { id: again.id } })).status).toBe(204)
  await app.services.db.query
    .deleteFrom('sessions')
    .where('user_id', '=', person.id)
    .where('id', 'in', ({ selectFrom }) => selectFrom('push_subscriptions').select('session_id'))
    .execute()
  expect(await list(person)).toEqual([])
  const consents = await app.services.db.query
    .selectFrom('news_consents')
    .select('choice')
    .where('user_id', '=', person.id)
    .where('kind', '=', 'push')
    .orderBy('id')
    .execute()
  expect(consents.map(({ choice }) => choice)).toEqual(['on', 'on', 'on', 'off'])
})

test('a browser gets notifications only for the person who signed in last', async () => {
  const [before, after] = [await makeFan(), await makeFan()]
  await subscribe(before, '/send/shared')
  const browser = await subscribe(after, '/send/shared')
  await publish('Shared')
  await send()
  expect(service.received).toHaveLength(1)
  expect(browser.decrypt(service.received[0]!.body)).toContain('Shared')
})

test('rejects private addresses and invalid browser keys', async () => {
  const strict = await createTestApp()
  const person = await strict.makePerson()
  const { keys } = createTestBrowser()
  const codeOf = async (endpoint: string, given = keys) =>
    (await person.call(createPushSubscription, { body: { endpoint, keys: given } })).code
  expect(await codeOf('https://push.example/', { ...keys, auth: 'AAAA' })).toBe(
    'push_subscription_refused',
  )
  expect(await codeOf(service.origin)).toBe('push_subscription_refused')
  expect(await codeOf('https://user:pass@push.example/')).toBe('push_subscription_refused')
  await strict.close()
})

test('stores the private push key encrypted, and re-encrypts the key with a new SECRET', async () => {
  const { db, log } = app.services
  await (await app.makePerson()).call(getPushKey, {})
  const key = () => db.query.selectFrom('push_keys').selectAll().executeTakeFirstOrThrow()
  const before = await key()
  expect(before.private_key_sealed).toMatch(/^v1\./)
  const plain = app.services.secretBox.open(before.private_key_sealed)
  const recent = 'a new secret of this service'
  const old = 'an older secret of this service'
  const older = createSecretBox([old])
  await db.query
    .updateTable('push_keys')
    .set({ private_key_sealed: older.seal(plain!) })
    .execute()
  await resealAll({ db, log, secrets: [recent, old], secretBox: createSecretBox([recent, old]) })
  expect(createSecretBox([recent]).open((await key()).private_key_sealed)).toBe(plain)
  expect((await key()).public_key).toBe(before.public_key)
})
