// Requests a track and a release in each possible state through each route that requires no account.
import { beforeAll, afterAll, describe, expect, test } from 'vitest'
import {
  createRelease,
  deleteRelease,
  publishRelease,
  unpublishRelease,
  updateRelease,
} from '#contract/admin/admin-releases.ts'
import { pagePath } from '#contract/public-pages.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { makePublicTrack, slugOfItem } from './testing/public-music.ts'

let app: TestApp
let admin: Person
beforeAll(async () => {
  app = await createTestApp({ publicUrl: 'https://music.test' })
  admin = await app.makePerson({ role: 'admin' })
  await app.asOwner(`update settings set default_audience = 'everyone'`)
  await app.services.settings.reload()
})
afterAll(() => app.close())

const later = new Date(Date.now() + 3 * 24 * 3600_000).toISOString()
const crawler = { 'user-agent': 'facebookexternalhit/1.1' }

async function ask(path: string, { method = 'GET', headers = {} } = {}) {
  const response = await fetch(app.url + path, { method, headers, redirect: 'manual' })
  return { status: response.status, text: await response.text() }
}

/**
 * Adds a share card as the job creates it. When the item is hidden, the card must not be readable, even through a URL
 * that was shared before.
 */
async function addCard(kind: 'track' | 'release', item_id: string): Promise<void> {
  const keys = { wide_key: 'wide.jpg', square_key: 'square.jpg', video_key: 'film.mp4' }
  for (const name of Object.values(keys)) {
    await app.services.storage.put(`cards/${item_id}/${name}`, Buffer.from('card'))
  }
  await app.services.db.query
    .insertInto('share_cards')
    .values({
      kind,
      item_id,
      content_hash: '0123456789abcdef',
      wide_key: `cards/${item_id}/${keys.wide_key}`,
      square_key: `cards/${item_id}/${keys.square_key}`,
      video_key: `cards/${item_id}/${keys.video_key}`,
    })
    .execute()
}

interface Asked {
  kind: 'track' | 'release'
  slug: string
  title: string
}

/**
 * Returns for each route whether the item can be read through it. Fails if a refused response contains the item's
 * title.
 */
async function findReadableRoutes({ kind, slug, title }: Asked): Promise<Record<string, boolean>> {
  const path = pagePath(kind, slug)
  const url = encodeURIComponent(`https://music.test${path}`)
  const requests: Record<string, Promise<{ status: number; text: string }>> = {
    page: ask(path),
    'page, HEAD': ask(path, { method: 'HEAD' }),
    'page, crawler': ask(path, { headers: crawler }),
    embed: ask(`/embed${path}`),
    'embed, HEAD': ask(`/embed${path}`, { method: 'HEAD' }),
    oembed: ask(`/oembed?url=${url}`),
    'oembed, XML': ask(`/oembed?format=xml&url=${url}`),
    'card.jpg': ask(`${path}/card.jpg`, { headers: crawler }),
    'square.jpg': ask(`${path}/square.jpg`),
    'card.mp4': ask(`${path}/card.mp4`),
    ...(kind === 'track' && {
      preview: ask(`${path}/preview.m4a`),
      'preview, HEAD': ask(`${path}/preview.m4a`, { method: 'HEAD' }),
      'preview, range': ask(`${path}/preview.m4a`, { headers: { range: 'bytes=0-3' } }),
    }),
  }
  const open: Record<string, boolean> = {}
  for (const [way, request] of Object.entries(requests)) {
    const { status, text } = await request
    expect([200, 206, 404], way).toContain(status)
    open[way] = status !== 404
    if (status === 404) expect(text, way).not.toContain(title)
  }
  const lists = [`/sitemaps/${kind}-1.xml`, '/feed.xml', '/feed.atom']
  if (kind === 'track') lists.push('/podcast.xml')
  for (const list of lists) {
    const { text } = await ask(list)
    open[list] = text.includes(`https://music.test${path}<`) || text.includes(`${path}"`)
    if (!open[list]) expect(text, list).not.toContain(title)
  }
  return open
}

const all = (ways: Record<string, boolean>, isOpen: boolean) =>
  Object.fromEntries(Object.keys(ways).map((way) => [way, isOpen]))

describe('a track', () => {
  test.each([
    ['draft', { is_published: false }, false],
    ['scheduled', { is_published: false, release_at: later, release_zone: 'UTC' }, false],
    ['deleted', { is_published: false, deleted_at: new Date().toISOString() }, false],
    ['for Premium only', { audience: 'premium' }, false],
    ['in early access for members', { audience: 'members', early_access_until: later }, false],
    ['for members', { audience: 'members' }, false],
    ['in early access for everyone', { early_access_until: later }, true],
    ['for everyone', {}, true],
  ] as const)(
    '%s: can be read through all routes or through none',
    async (state, fields, isOpen) => {
      const title = `Song ${state}`
      const { id, slug } = await makePublicTrack(app, { title, ...fields })
      await addCard('track', id)
      const ways = await findReadableRoutes({ kind: 'track', slug, title })
      expect(Object.keys(ways).length).toBe(17)
      expect(ways).toEqual(all(ways, isOpen))
    },
  )
})

interface MadeRelease {
  release: Asked & { id: string }
  track: Asked
}

let made = 0
/** Creates a release with one unpublished track, as the admin form does. */
async function makeRelease(fields: object, publish: boolean): Promise<MadeRelease> {
  const number = ++made
  const title = `Album ${number}.`
  const songTitle = `Side ${number}.`
  const song = await makePublicTrack(app, { title: songTitle, is_published: false })
  const body = { title, tracks: [{ track_id: song.id }], ...fields }
  const { id, slug } = (await admin.call(createRelease, { body })).body
  if (publish) await admin.call(publishRelease, { params: { id }, body: { publish_tracks: true } })
  await addCard('release', id)
  await addCard('track', song.id)
  return {
    release: { kind: 'release', id, slug, title },
    track: { kind: 'track', slug: await slugOfItem(app, song.id), title: songTitle },
  }
}

describe('a release', () => {
  test.each([
    ['draft', { audience: 'everyone' }, false, false],
    ['scheduled', { audience: 'everyone', release_at: later, release_zone: 'UTC' }, false, false],
    ['for Premium only', { audience: 'premium' }, true, false],
    ['in early access for members', { audience: 'members', early_access_days: 3 }, true, false],
    ['for members', { audience: 'members' }, true, false],
    ['in early access for everyone', { audience: 'everyone', early_access_days: 3 }, true, true],
    ['for everyone', { audience: 'everyone' }, true, true],
  ] as const)(
    '%s: the release and its track can be read, or neither can',
    async (_state, fields, publish, isOpen) => {
      const { release, track } = await makeRelease(fields, publish)
      const ways = await findReadableRoutes(release)
      expect(Object.keys(ways).length).toBe(13)
      expect(ways).toEqual(all(ways, isOpen))
      const { '/feed.xml': rss, '/feed.atom': atom, ...others } = await findReadableRoutes(track)
      expect(others).toEqual(all(others, isOpen))
      // Feeds list the release, not its tracks.
      expect([rss, atom]).toEqual([false, false])
    },
  )

  test('is restricted together with its tracks when its audience changes, and becomes public again', async () => {
    const { release, track } = await makeRelease({ audience: 'everyone' }, true)
    const params = { id: release.id }
    for (const [audience, isOpen] of [
      ['premium', false],
      ['everyone', true],
      ['members', false],
      ['everyone', true],
    ] as const) {
      await admin.call(updateRelease, { params, body: { audience } })
      await expect
        .poll(async () => (await ask(pagePath('release', release.slug))).status)
        .toBe(isOpen ? 200 : 404)
      for (const { kind, slug } of [release, track]) {
        await expect
          .poll(async () => (await ask(pagePath(kind, slug))).status)
          .toBe(isOpen ? 200 : 404)
      }
      const ways = await findReadableRoutes(release)
      expect(ways, audience).toEqual(all(ways, isOpen))
    }
  })

  test.each([
    ['hidden', unpublishRelease],
    ['deleted', deleteRelease],
  ] as const)('%s: has no page, but its tracks keep their pages', async (_state, close) => {
    const { release, track } = await makeRelease({ audience: 'everyone' }, true)
    expect((await ask(pagePath('release', release.slug))).status).toBe(200)
    await admin.call(close, { params: { id: release.id } })
    await expect.poll(async () => (await ask(pagePath('release', release.slug))).status).toBe(404)
    const ways = await findReadableRoutes(release)
    expect(ways).toEqual(all(ways, false))
    await expect
      .poll(async () => (await ask(pagePath('track', track.slug))).text)
      .not.toContain(release.title)
    const own = await findReadableRoutes(track)
    expect(own).toEqual(all(own, true))
  })
})
