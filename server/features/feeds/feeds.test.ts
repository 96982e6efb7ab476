// Feeds over HTTP: public feeds, and feeds of full tracks that only Premium members can read.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { banUser, updateUserSubscription } from '#contract/admin/admin-users.ts'
import { createDeviceKey, listDeviceKeys, revokeDeviceKey } from '#contract/device-keys.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { fullAudio, makePublicTrack, previewAudio } from '../public-pages/testing/public-music.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await createTestApp({ publicUrl: 'https://music.test' })
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(app.url + path, { headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** Checks that the XML is well-formed: tags are closed in the right order. */
function expectWellFormed(text: string): void {
  const open: string[] = []
  for (const [, closing, name, rest] of text.matchAll(/<(\/?)([a-zA-Z:]+)((?:\s[^<>]*)?)>/g)) {
    if (closing) expect(open.pop()).toBe(name)
    else if (!rest?.endsWith('/')) open.push(name!)
  }
  expect(open).toEqual([])
  expect(text.replaceAll(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&')
  expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/)
}

async function makeFeedKey(person: Person) {
  const made = await person.call(createDeviceKey, { body: { name: 'Podcasts', purpose: 'feed' } })
  return {
    id: made.body.data.id,
    path: new URL(made.body.data.feed_url ?? '').pathname,
    key: made.body.data.key,
  }
}

test('RSS, Atom and the podcast of previews list only items that have a public page', async () => {
  const { id, slug } = await makePublicTrack(app, {
    title: 'Rain & <Wind>',
    artist: 'Lin',
    description: 'It\u0007 "rained" & stopped.',
  })
  await makePublicTrack(app, { title: 'For members', audience: 'members' })
  await makePublicTrack(app, { title: 'A draft', is_published: false })
  for (const [path, type] of [
    ['/feed.xml', 'application/rss+xml'],
    ['/feed.atom', 'application/atom+xml'],
    ['/podcast.xml', 'application/rss+xml'],
  ] as const) {
    const feed = await get(path)
    expect([feed.status, feed.headers.get('content-type')]).toEqual([200, `${type}; charset=utf-8`])
    expect(feed.headers.get('set-cookie')).toBeNull()
    expectWellFormed(feed.text)
    expect(feed.text).toContain('Rain &amp; &lt;Wind&gt; by Lin')
    expect(feed.text).toContain(`https://music.test/t/${slug}`)
    expect(feed.text).not.toMatch(/For members|A draft/)
    expect(feed.text).not.toContain('.m4a'.replace('.', `/${id}.`))
    const again = await get(path, { 'if-none-match': feed.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
  }
  const podcast = await get('/podcast.xml')
  expect(podcast.text).toContain('<podcast:medium>music</podcast:medium>')
  const [, url, length] =
    /<enclosure url="https:\/\/music\.test([^"]+)" length="(\d+)"/.exec(podcast.text) ?? []
  const sound = await get(url ?? '')
  expect(sound.text).toBe(previewAudio)
  expect(Number(length)).toBe(previewAudio.length)
})

test('a Premium member has a feed of full tracks at a secret URL', async () => {
  const { id } = await makePublicTrack(app, { title: 'In full', audience: 'premium' })
  const member = await app.makePerson({ tier: 'monthly' })
  const { path } = await makeFeedKey(member)
  const feed = await get(path)
  expect([feed.status, feed.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  expect(feed.headers.get('referrer-policy')).toBe('no-referrer')
  expectWellFormed(feed.text)
  expect(feed.text).toContain('<itunes:block>Yes</itunes:block>')
  const [, sound] = new RegExp(`url="https://music\\.test([^"]+${id}\\.m4a)"`).exec(feed.text) ?? []
  const whole = await get(sound ?? '')
  expect([whole.status, whole.text]).toEqual([200, fullAudio])
  expect((await get(sound ?? '', { range: 'bytes=0-9' })).status).toBe(206)
})

test('a free account cannot read full tracks', async () => {
  const { id } = await makePublicTrack(app, { title: 'Not in full' })
  const free = await app.makePerson()
  const { path, key } = await makeFeedKey(free)
  for (const address of [path, `/feeds/${key}/${id}.m4a`, `/feeds/${key}/${id}.m4a?keep=true`]) {
    const answer = await get(address)
    expect([answer.status, answer.text.includes('premium_required')]).toEqual([403, true])
  }
  // Device keys and access tokens do not open a feed, and a feed key does not work in an app.
  const member = await app.makePerson({ tier: 'monthly' })
  const appKey = await member.call(createDeviceKey, { body: { name: 'Phone' } })
  expect(appKey.body.data.feed_url).toBeNull()
  expect((await get(`/feeds/${appKey.body.data.key}/podcast.xml`)).status).toBe(404)
  const feed = await makeFeedKey(member)
  const rest = await get(`/rest/ping?f=json&c=test&v=1.16.1&apiKey=${feed.key}`)
  expect(rest.text).toContain('"failed"')
  for (const wrong of ['x', 'aaaaa-aaaaa-aaaaa-aaaaa-aaaaa', `${feed.key}0`]) {
    expect((await get(`/feeds/${wrong}/podcast.xml`)).status).toBe(404)
    expect((await get(`/feeds/${wrong}/${id}.m4a`)).status).toBe(404)
  }
})

test('the feed stops working when its key is revoked, Premium ends or the member is banned', async () => {
  const { id } = await makePublicTrack(app)
  const status = async ({ path, key }: { path: string; key: string }) => [
    (await get(path)).status,
    (await get(`/feeds/${key}/${id}.m4a`)).status,
  ]
  const revoked = await app.makePerson({ tier: 'monthly' })
  const first = await makeFeedKey(revoked)
  expect(await status(first)).toEqual([200, 200])
  expect((await revoked.call(listDeviceKeys, {})).body.data).toMatchObject([{ purpose: 'feed' }])
  await revoked.call(revokeDeviceKey, { params: { id: first.id } })
  await expect.poll(() => status(first)).toEqual([404, 404])

  const lapsed = await app.makePerson({ tier: 'monthly' })
  const second = await makeFeedKey(lapsed)
  expect(await status(second)).toEqual([200, 200])
  await admin.call(updateUserSubscription, {
    params: { id: lapsed.id },
    body: { subscription_tier: 'free' },
  })
  await expect.poll(() => status(second)).toEqual([403, 403])

  const banned = await app.makePerson({ tier: 'monthly' })
  const third = await makeFeedKey(banned)
  expect(await status(third)).toEqual([200, 200])
  await admin.call(banUser, { params: { id: banned.id } })
  await expect.poll(() => status(third)).toEqual([404, 404])
})

test('returns 429 after too many wrong feed keys, while a valid key still works', async () => {
  const member = await app.makePerson({ tier: 'monthly' })
  const { path } = await makeFeedKey(member)
  const statuses: number[] = []
  for (let i = 0; i < 40; i++) statuses.push((await get(`/feeds/guess-${i}/podcast.xml`)).status)
  expect(statuses.at(-1)).toBe(429)
  expect((await get(path)).status).toBe(200)
})
