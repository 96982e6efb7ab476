// Tests webhooks over HTTP, from the recorded event to the receiver.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '#contract/admin/webhooks.ts'
import type { WebhookEventType } from '#contract/webhook-events.ts'
import { createSecretBox } from '../../platform/security/secret-box.ts'
import { backdateConfirmation } from '../../testing/session-age.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { resealAll } from '../settings/reseal.ts'
import { alertConditions } from '../system/alert-conditions.ts'
import { deleteOldWebhookEvents } from './delivery-operations.ts'
import { deliverWebhooks, enqueueDueWebhooks } from './deliver-webhooks.ts'
import { retryDelays } from './retry-schedule.ts'

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

let app: TestApp
let admin: Person
let receiver: Server
let received: Received[] = []
const fine: RequestListener = (_, response) => response.writeHead(204).end()
let answer = fine

beforeAll(async () => {
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ headers: request.headers, body })
      answer(request, response)
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  app = await createTestApp({ webhooksToPrivateAddresses: true })
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await app.close()
})
beforeEach(async () => {
  await app.services.db.query.deleteFrom('webhook_endpoints').execute()
  await app.services.db.query.deleteFrom('webhook_events').execute()
  received = []
  answer = fine
})

const url = (path = '/in') => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`
const query = () => app.services.db.query

async function subscribe(event_types: WebhookEventType[] = ['member.joined'], path = '/in') {
  const { status, body } = await admin.call(contract.createWebhookEndpoint, {
    body: { url: url(path), event_types },
  })
  expect(status).toBe(201)
  return body.data
}

/** Inserts a profile, which records an event; this is faster than a sign-up. */
let people = 0
async function recordEvent(): Promise<void> {
  await query()
    .insertInto('profiles')
    .values({ email: `joined-${++people}@velour.test` })
    .execute()
}

const deliver = (services = app.services) =>
  deliverWebhooks(services, { signal: new AbortController().signal })
const list = async (filters: Record<string, string> = {}) =>
  (await admin.call(contract.listWebhookDeliveries, { query: filters })).body.data
const detail = async (id: string) =>
  (await admin.call(contract.getWebhookDelivery, { params: { id } })).body.data
const passTime = () =>
  sql`update webhook_deliveries set next_attempt_at = now() where state = 'pending'`.execute(
    query(),
  )

describe('delivery', () => {
  test('delivers an event once, signed as Standard Webhooks specifies', async () => {
    const { secret } = await subscribe()
    await recordEvent()
    await deliver()
    await deliver()
    const [request, ...others] = received
    expect(others).toEqual([])
    const headers = request!.headers as Record<string, string>
    const payload = new Webhook(secret).verify(request!.body, headers) as { id: string }
    expect(payload).toEqual({
      id: headers['webhook-id'],
      type: 'member.joined',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      api_version: 'v1',
      data: { member: { id: expect.any(String), email: `joined-${people}@velour.test` } },
    })
    const [delivery] = await list()
    expect(delivery).toMatchObject({
      state: 'delivered',
      type: 'member.joined',
      attempts: 1,
      response_status: 204,
      next_attempt_at: null,
    })
    expect((await detail(delivery!.id)).request_body).toBe(request!.body)
  })

  test('retries a failed delivery on schedule with the same bytes, and gives up after the last retry', async () => {
    await subscribe()
    await recordEvent()
    answer = (_, response) => response.writeHead(500).end('out of order')
    for (const [index, seconds] of retryDelays.entries()) {
      await deliver()
      expect(received).toHaveLength(index + 1)
      const { rows } = await sql<{ wait: number }>`
        select extract(epoch from next_attempt_at - now())::float as wait from webhook_deliveries`.execute(
        query(),
      )
      expect(rows[0]!.wait / seconds).toBeGreaterThan(0.79 - 1 / seconds)
      expect(rows[0]!.wait / seconds).toBeLessThan(1.11)
      await passTime()
    }
    await deliver()
    expect(await list()).toMatchObject([
      { state: 'failed', attempts: retryDelays.length + 1, next_attempt_at: null },
    ])
    expect(new Set(received.map(({ body }) => body)).size).toBe(1)
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const [{ id } = { id: '' }] = await list()
    const { attempt_log } = await detail(id)
    expect(attempt_log).toHaveLength(retryDelays.length + 1)
    expect(attempt_log[0]).toMatchObject({
      number: retryDelays.length + 1,
      response_status: 500,
      response_body: 'out of order',
    })
  })

  test('several concurrent workers deliver each event once', async () => {
    await subscribe()
    for (let index = 0; index < 40; index++) await recordEvent()
    await Promise.all([deliver(), deliver(), deliver()])
    const ids = received.map(({ headers }) => headers['webhook-id'])
    expect([ids.length, new Set(ids).size]).toEqual([40, 40])
    const { rows } = await sql`select from webhook_attempts`.execute(query())
    expect(rows).toHaveLength(40)
  })

  test('an endpoint that does not respond does not block other endpoints', async () => {
    await subscribe(['member.joined'], '/silent')
    await subscribe(['member.joined'], '/quick')
    const quick: number[] = []
    const startedAt = performance.now()
    answer = (request, response) => {
      if (request.url === '/silent') return
      quick.push(performance.now() - startedAt)
      response.end()
    }
    await recordEvent()
    const stop = new AbortController()
    const run = deliverWebhooks(app.services, { signal: stop.signal })
    await expect.poll(() => quick.length).toBe(1)
    await recordEvent()
    await expect.poll(() => quick.length, { timeout: 3000 }).toBe(2)
    stop.abort(new Error('the server is stopping'))
    await expect(run).rejects.toThrow()
    // The attempts that the shutdown aborted do not count as retries.
    const { rows } = await sql<{ retries: number; is_due: boolean }>`
      select retries, next_attempt_at <= now() as is_due from webhook_deliveries where state = 'pending'`.execute(
      query(),
    )
    expect(rows).toEqual([
      { retries: 0, is_due: true },
      { retries: 0, is_due: true },
    ])
  })

  test('the worker enqueues a job only when a delivery is due', async () => {
    const count = async () =>
      (
        await sql`select from jobs.job where name = 'deliver-webhooks' and state = 'created'`.execute(
          query(),
        )
      ).rows.length
    await sql`delete from jobs.job where name = 'deliver-webhooks'`.execute(query())
    await subscribe()
    await enqueueDueWebhooks(app.services)
    expect(await count()).toBe(0)
    await recordEvent()
    await enqueueDueWebhooks(app.services)
    await enqueueDueWebhooks(app.services)
    expect(await count()).toBe(1)
  })

  test(
    'delivers every event even if a worker is killed during a request',
    { timeout: 60_000 },
    async () => {
      await subscribe()
      await recordEvent()
      answer = () => {}
      const { databaseUrl, databaseOwnerUrl, dataDir } = app.services.config
      const child = spawn(process.execPath, [join(import.meta.dirname, '../..', 'main.ts')], {
        env: {
          PATH: process.env['PATH'],
          DEMO: 'off',
          ROLE: 'worker',
          PORT: '0',
          DATA_DIR: dataDir,
          DATABASE_URL: databaseUrl!,
          DATABASE_OWNER_URL: databaseOwnerUrl!,
          WEBHOOKS_TO_PRIVATE_ADDRESSES: 'on',
        },
        stdio: 'ignore',
      })
      await expect.poll(() => received.length, { timeout: 30_000 }).toBe(1)
      child.kill('SIGKILL')
      await once(child, 'exit')
      answer = fine
      await deliver()
      // The attempt may still be running on another instance, so it is not retried yet.
      expect(received).toHaveLength(1)
      expect(await list()).toMatchObject([{ state: 'pending', attempts: 1, duration_ms: null }])
      await passTime()
      await deliver()
      expect(received.map(({ body }) => body)).toEqual([received[0]!.body, received[0]!.body])
      expect(await list()).toMatchObject([{ state: 'delivered', attempts: 2 }])
    },
  )
})

describe('failing endpoints', () => {
  const since = (days: number) =>
    sql`update webhook_endpoints set failing_since = now() - make_interval(days => ${days}::int)`.execute(
      query(),
    )
  const endpoints = async () => (await admin.call(contract.listWebhookEndpoints, {})).body.data
  const alert = () =>
    alertConditions.find(({ name }) => name === 'webhooks_disabled')!.check(app.services)

  test('are disabled after several days with an alert, and get deliveries again when re-enabled', async () => {
    const { id } = await subscribe()
    answer = (_, response) => response.writeHead(503).end()
    await recordEvent()
    await deliver()
    expect(await endpoints()).toMatchObject([
      { is_enabled: true, failing_since: expect.any(String) },
    ])
    expect(await alert()).toBeNull()
    await since(6)
    await passTime()
    await deliver()
    expect(await endpoints()).toMatchObject([{ is_enabled: false, disabled_reason: 'failing' }])
    expect(await alert()).toContain(
      '1 webhook was disabled because deliveries failed for days (127',
    )
    await recordEvent()
    await passTime()
    await deliver()
    expect(received).toHaveLength(2)
    const tested = await admin.call(contract.sendWebhookTest, { params: { id } })
    expect(tested.code).toBe('webhook_disabled')
    const [delivery] = await list()
    const again = await admin.call(contract.resendWebhookDelivery, {
      params: { id: delivery!.id },
    })
    expect(again.code).toBe('webhook_disabled')

    answer = fine
    await admin.call(contract.updateWebhookEndpoint, { params: { id }, body: { is_enabled: true } })
    expect(await endpoints()).toMatchObject([{ is_enabled: true, failing_since: null }])
    expect(await alert()).toBeNull()
    await deliver()
    expect(received).toHaveLength(3)
    const entry = await query()
      .selectFrom('audit_log')
      .select(['actor_id', 'after'])
      .where('entity_id', '=', id)
      .where('actor_id', 'is', null)
      .executeTakeFirst()
    expect(entry?.after).toEqual({ is_enabled: false, reason: 'failing' })
  })

  test('are no longer failing after a successful delivery', async () => {
    await subscribe()
    await since(4)
    await recordEvent()
    await deliver()
    expect(await endpoints()).toMatchObject([{ failing_since: null }])
  })

  test('are disabled immediately by a 410 response', async () => {
    await subscribe()
    answer = (_, response) => response.writeHead(410).end()
    await recordEvent()
    await deliver()
    expect(await endpoints()).toMatchObject([{ disabled_reason: 'gone' }])
  })
})

describe('the delivery log', () => {
  test('can be filtered, and an event in it can be resent with the same id', async () => {
    const one = await subscribe()
    answer = (_, response) => response.writeHead(400).end('<b>no</b>')
    await recordEvent()
    await deliver()
    answer = fine
    const tested = await admin.call(contract.sendWebhookTest, { params: { id: one.id } })
    await deliver()
    expect(await list()).toHaveLength(2)
    expect(await list({ state: 'pending' })).toMatchObject([{ type: 'member.joined' }])
    expect(await list({ type: 'webhook.test' })).toMatchObject([
      { id: tested.body.data.delivery_id, state: 'delivered' },
    ])
    expect(await list({ endpoint_id: '0191a0c0-0000-7000-8000-00000000dead' })).toEqual([])
    const [{ id } = { id: '' }] = await list({ state: 'pending' })
    await admin.call(contract.resendWebhookDelivery, { params: { id } })
    await deliver()
    expect(await list({ state: 'delivered' })).toHaveLength(2)
    expect(received[0]!.headers['webhook-id']).toBe(received[2]!.headers['webhook-id'])
    expect((await detail(id)).attempt_log.map(({ response_status: s }) => s)).toEqual([204, 400])
  })

  test('is kept for 30 days', async () => {
    await subscribe()
    await recordEvent()
    await recordEvent()
    await sql`update webhook_events set created_at = now() - interval '31 days'
               where id = (select min(id::text)::uuid from webhook_events)`.execute(query())
    await deleteOldWebhookEvents(app.services.db)
    expect(await list()).toHaveLength(1)
  })
})

describe('secrets', () => {
  test('are shown once, stored encrypted, and never logged or audited', async () => {
    const { id, secret } = await subscribe()
    const row = await query().selectFrom('webhook_endpoints').selectAll().executeTakeFirstOrThrow()
    expect(app.services.secretBox.open(row.secret_sealed)).toBe(secret)
    const everything = await Promise.all([
      admin.call(contract.listWebhookEndpoints, {}),
      query().selectFrom('audit_log').selectAll().where('entity_id', '=', id).execute(),
    ])
    const part = secret.slice(6, 20)
    expect(JSON.stringify(everything)).not.toContain(part)
    expect(JSON.stringify(row)).not.toContain(part)
    expect(JSON.stringify(everything[1])).not.toContain('/in')
  })

  test('sign with both the old and the new secret for a day after a rotation', async () => {
    const { id, secret: old } = await subscribe()
    const rotated = await admin.call(contract.rotateWebhookSecret, { params: { id } })
    const { secret, old_secret_until } = rotated.body.data
    expect(Date.parse(old_secret_until!) - Date.now()).toBeGreaterThan(23.9 * 3600_000)
    await recordEvent()
    await deliver()
    const verify = (key: string) => {
      const { headers, body } = received.at(-1)!
      return () => new Webhook(key).verify(body, headers as Record<string, string>)
    }
    expect(verify(old)).not.toThrow()
    expect(verify(secret)).not.toThrow()
    await sql`update webhook_endpoints set old_secret_until = now()`.execute(query())
    await recordEvent()
    await deliver()
    expect(verify(old)).toThrow('No matching signature')
    expect(verify(secret)).not.toThrow()
  })

  test('are re-encrypted when SECRET changes', async () => {
    const { id } = await subscribe()
    await admin.call(contract.rotateWebhookSecret, { params: { id } })
    const before = await query()
      .selectFrom('webhook_endpoints')
      .selectAll()
      .executeTakeFirstOrThrow()
    const texts = [before.secret_sealed, before.old_secret_sealed!].map((one) =>
      app.services.secretBox.open(one),
    )
    const previous = 'the secret before, of many letters'
    const old = createSecretBox([previous])
    const [secret_sealed, old_secret_sealed] = texts.map((one) => old.seal(one!))
    await query()
      .updateTable('webhook_endpoints')
      .set({ secret_sealed: secret_sealed!, old_secret_sealed: old_secret_sealed! })
      .execute()
    const next = 'the secret after, of many letters too'
    const { db, log } = app.services
    await resealAll({
      db,
      log,
      secrets: [next, previous],
      secretBox: createSecretBox([next, previous]),
    })
    const after = await query()
      .selectFrom('webhook_endpoints')
      .selectAll()
      .executeTakeFirstOrThrow()
    const opened = [after.secret_sealed, after.old_secret_sealed!].map((one) =>
      createSecretBox([next]).open(one),
    )
    expect(opened).toEqual(texts)
  })

  test('that cannot be decrypted prevent the delivery, which shows an error', async () => {
    await subscribe()
    await query().updateTable('webhook_endpoints').set({ secret_sealed: 'v1.lost' }).execute()
    await recordEvent()
    await deliver()
    expect(received).toEqual([])
    expect(await list()).toMatchObject([
      { state: 'pending', error: expect.stringContaining('SECRET was changed') },
    ])
  })
})

describe('changing endpoints', () => {
  test('allows at most 20 endpoints, even with concurrent requests', async () => {
    const make = () =>
      admin.call(contract.createWebhookEndpoint, {
        body: { url: url(), event_types: ['member.joined'] },
      })
    const answers = await Promise.all(Array.from({ length: 22 }, make))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    expect(answers.filter(({ code }) => code === 'too_many_webhooks')).toHaveLength(2)
  })

  test('changing the URL requires a recently entered password, changing the description does not', async () => {
    const { id } = await subscribe()
    const other = await app.makePerson({ role: 'admin' })
    await backdateConfirmation(app, other.id, 10)
    const params = { id }
    const update = (body: object) => other.call(contract.updateWebhookEndpoint, { params, body })
    expect((await update({ url: 'https://thief.example/' })).code).toBe('reauthentication_required')
    expect((await update({ description: ' CRM ' })).body.data.description).toBe('CRM')
    expect((await admin.call(contract.deleteWebhookEndpoint, { params })).status).toBe(204)
    expect((await update({ description: 'gone' })).code).toBe('not_found')
  })

  test('rejects private addresses unless the setting allows them', async () => {
    const other = await createTestApp()
    const person = await other.makePerson({ role: 'admin' })
    const make = (address: string) =>
      person.call(contract.createWebhookEndpoint, {
        body: { url: address, event_types: ['member.joined'] },
      })
    expect((await make(url())).code).toBe('webhook_url_private')
    expect((await make('http://user@hooks.example/')).code).toBe('webhook_url_refused')
    expect((await make('no address')).code).toBe('invalid_input')
    expect((await make('https://hooks.example/')).status).toBe(201)
    await other.close()
  })
})
