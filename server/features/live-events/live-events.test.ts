import { connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { handleErrors } from '../../platform/http/error-handler.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { createTestApp, type Caller, type TestApp } from '../../testing/test-app.ts'
import { createLiveEvents, maxStreamsPerPerson } from './live-events.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

const listen = ({ cookie }: Caller, url = app.url) => recordEvents(url, cookie)

const id = '0191a0c0-0000-7000-8000-0000000000aa'

test('sends members events about the catalogue without ids and admins all events with ids, never with data', async () => {
  const member = await listen(await app.makePerson())
  const admin = await listen(await app.makePerson({ role: 'admin' }))
  const { db } = app.services
  expect(member.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(member.response.headers.get('cache-control')).toBe('no-store')
  expect(member.response.headers.get('content-security-policy')).toContain("script-src 'self'")
  for (const topic of ['processing', 'genres', 'tracks', 'categories', 'playlists'] as const) {
    await notify(db, topic, id)
  }
  await expect.poll(() => admin.events.length).toBe(5)
  expect(admin.events).toEqual(
    ['processing', 'genres', 'tracks', 'categories', 'playlists'].map((topic) => ({ topic, id })),
  )
  await expect.poll(() => member.events.length).toBe(3)
  expect(member.events).toEqual(
    ['tracks', 'categories', 'playlists'].map((topic) => ({ topic, id: '' })),
  )
  member.stop()
  admin.stop()
})

test('sends editors ids of the catalogue but no events about people, and creators no ids', async () => {
  const editor = await listen(await app.makePerson({ role: 'editor' }))
  const creator = await listen(await app.makePerson({ role: 'creator' }))
  const { db } = app.services
  const topics = ['users', 'processing', 'reviews', 'tracks'] as const
  for (const topic of topics) await notify(db, topic, id)
  await expect.poll(() => editor.events.some(({ topic }) => topic === 'tracks')).toBe(true)
  await expect.poll(() => creator.events.some(({ topic }) => topic === 'tracks')).toBe(true)
  const seen = topics.slice(1)
  expect(editor.events).toEqual(seen.map((topic) => ({ topic, id })))
  expect(creator.events).toEqual(seen.map((topic) => ({ topic, id: '' })))
  editor.stop()
  creator.stop()
})

test('notifies admins when accounts are created, changed and deleted', async () => {
  const admin = await app.makePerson({ role: 'admin' })
  const stream = await listen(admin)
  const countUserEvents = () => stream.events.filter(({ topic }) => topic === 'users').length
  const person = await app.makePerson()
  await expect.poll(countUserEvents).toBeGreaterThan(0)
  for (const change of [
    () => person.send('POST', '/api/profile/deletion-request'),
    () => admin.send('PATCH', `/api/admin-users/${person.id}`, { body: { display_name: 'New' } }),
    () => admin.send('DELETE', `/api/admin-users/${person.id}`),
  ]) {
    stream.events.length = 0
    expect((await change()).status).toBeLessThan(300)
    await expect.poll(countUserEvents).toBeGreaterThan(0)
  }
  stream.stop()
})

test('returns 401 without a session', async () => {
  const stream = await listen(app.nobody)
  expect(stream.response.status).toBe(401)
})

test('ends the stream after a ban, a sign-out and the removal of all sessions', async () => {
  const admin = await app.makePerson({ role: 'admin' })
  const ways = [
    (person: Caller & { id: string }) => admin.send('POST', `/api/admin-users/${person.id}/ban`),
    (person: Caller) => person.send('POST', '/api/auth/sign-out', { body: {} }),
    (person: Caller) => person.send('DELETE', '/api/sessions'),
  ]
  for (const end of ways) {
    const person = await app.makePerson()
    const stream = await listen(person)
    expect((await end(person)).status).toBeLessThan(300)
    expect(await stream.ended).toBe('ended')
    expect(stream.events.at(-1)).toEqual({ topic: 'session', id: '' })
  }
})

test('keeps the event stream of another device when the person signs out on one', async () => {
  const person = await app.makePerson()
  const other = await app.signIn(person.email)
  const [here, there] = [await listen(person), await listen(other)]
  await person.send('POST', '/api/auth/sign-out', { body: {} })
  expect(await here.ended).toBe('ended')
  await notify(app.services.db, 'tracks', id)
  await expect.poll(() => there.events).toContainEqual({ topic: 'tracks', id: '' })
  there.stop()
})

test('notifies of a changed plan only the person whose plan it is', async () => {
  const person = await app.makePerson()
  const [theirs, others] = [await listen(person), await listen(await app.makePerson())]
  await app.services.db.query
    .updateTable('profiles')
    .set({ subscription_tier: 'monthly', subscription_status: 'active' })
    .where('id', '=', person.id)
    .execute()
  await expect.poll(() => theirs.events).toEqual([{ topic: 'session', id: '' }])
  expect(others.events).toEqual([])
  theirs.stop()
  others.stop()
})

test('refuses requests with the code `maintenance` once the event was received', async () => {
  const admin = await app.makePerson({ role: 'admin' })
  const member = await app.makePerson()
  const stream = await listen(member)
  const set = (isOn: boolean) =>
    app.services.db.query.updateTable('settings').set({ maintenance_mode: isOn }).execute()
  await set(true)
  await notify(app.services.db, 'settings')
  await expect.poll(() => stream.events).toEqual([{ topic: 'settings', id: '' }])
  expect((await member.send('GET', '/api/tracks')).code).toBe('maintenance')
  expect((await admin.send('GET', '/api/tracks')).status).toBe(200)
  // The stream stays open during maintenance mode, so that the client is notified when it ends.
  await set(false)
  await notify(app.services.db, 'settings')
  await expect.poll(() => stream.events.length).toBe(2)
  expect((await member.send('GET', '/api/tracks')).status).toBe(200)
  stream.stop()
})

test('limits the number of streams per person, and allows a new one when one ends', async () => {
  const person = await app.makePerson()
  const streams = []
  for (let count = 0; count < maxStreamsPerPerson; count++) streams.push(await listen(person))
  expect((await listen(person)).response.status).toBe(429)
  streams[0]?.stop()
  await expect
    .poll(async () => {
      const stream = await listen(person)
      stream.stop()
      return stream.response.status
    })
    .toBe(200)
  for (const stream of streams) stream.stop()
})

test('limits the streams of one network address across accounts, without affecting other addresses', async () => {
  const { auth, bus, settings } = app.services
  const server = Fastify({ trustProxy: true })
  const services = { bus, settings, findActor: auth.findActor, log: server.log }
  const live = createLiveEvents(services, { maxPerAddress: 4 })
  handleErrors(server)
  server.get('/api/events', async (request, reply) =>
    reply
      .type('text/event-stream')
      .send(live.listenForEvents(request, (await auth.findActor(request))!)),
  )
  server.addHook('preClose', async () => live.close())
  const url = await server.listen({ port: 0 })
  const people = await Promise.all([1, 2, 3].map(() => app.makePerson()))
  const open = (index: number, address: string) =>
    recordEvents(url, people[index % people.length]!.cookie, { 'x-forwarded-for': address })
  const streams = []
  for (let index = 0; index < 4; index++) streams.push(await open(index, '2001:db8::1'))
  // Another device in the same IPv6 /64 network.
  const refused = await open(0, '2001:db8::2')
  expect(refused.response.status).toBe(429)
  expect(refused.response.headers.get('retry-after')).toBe('60')
  streams.push(await open(0, '198.51.100.7'))
  streams[0]?.stop()
  await expect
    .poll(async () => {
      const stream = await open(1, '2001:db8::2')
      stream.stop()
      return stream.response.status
    })
    .toBe(200)
  expect(streams.at(-1)?.response.status).toBe(200)
  for (const stream of streams) stream.stop()
  await server.close()
})

test('uses no database connection for open streams', async () => {
  const people = await Promise.all([1, 2, 3, 4].map(() => app.makePerson()))
  const streams = []
  for (const person of people) {
    for (let count = 0; count < maxStreamsPerPerson; count++) streams.push(await listen(person))
  }
  const { pool } = app.services.db
  await expect.poll(() => pool.totalCount - pool.idleCount).toBe(0)
  for (const stream of streams) stream.stop()
})

test('closes the stream of a client that stops reading, while other clients receive all events', async () => {
  // An admin, because the ids in an admin's events fill the buffers in this test.
  const { cookie } = await app.makePerson({ role: 'admin' })
  const fast = await listen(await app.makePerson())
  const { slow, serverSide } = await listenWithoutReading(cookie)
  const { db } = app.services
  // Send events as fast as the fast client reads them, until the buffers of the kernel and the server are full.
  for (let round = 1; round <= 1000 && !serverSide.destroyed; round++) {
    await sql`select pg_notify('velour', 'tracks ' || repeat('x', 7000) || i)
      from generate_series(1, 20) i`.execute(db.query)
    await expect.poll(() => fast.events.length, { interval: 1, timeout: 5000 }).toBe(round * 20)
  }
  expect(serverSide.destroyed).toBe(true)
  slow.destroy()
  fast.stop()
})

/** Opens a connection whose client sends its request and then never reads. */
async function listenWithoutReading(cookie: string) {
  const accepted = new Promise<Socket>((resolve) => app.app.server.once('connection', resolve))
  const { hostname, port } = new URL(app.url)
  const slow = connect({ host: hostname, port: Number(port) })
  slow.on('error', () => slow.destroy())
  slow.pause()
  slow.write(`GET /api/events HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\n\r\n`)
  const serverSide = await accepted
  await expect.poll(() => serverSide.bytesWritten).toBeGreaterThan(0)
  return { slow, serverSide }
}

test('ends open streams when the server stops', async () => {
  const other = await createTestApp()
  const stream = await listen(await other.makePerson(), other.url)
  await other.close()
  expect(await stream.ended).toBe('ended')
})
