// Public pages over HTTP: what they show, and that nothing else can be opened without an account.
import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SmartRules } from '#contract/fields/smart-rules.ts'
import { addTrackToPlaylist, createPlaylist, updatePlaylist } from '#contract/playlists.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import {
  fullAudio,
  makePublicRelease,
  makePublicTrack,
  previewAudio,
  slugOfItem,
} from './testing/public-music.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ publicUrl: 'https://music.test' })
})
afterAll(() => app.close())
beforeEach(() => changed())

/** Sends the notification of a change, as another instance would. */
async function changed() {
  await notify(app.services.db, 'tracks')
  // Events of one connection arrive in order, so wait for an event that is sent later.
  const heard = Promise.withResolvers<void>()
  const stop = app.services.bus.on('settings', () => heard.resolve())
  await notify(app.services.db, 'settings')
  await heard.promise
  stop()
}

const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
  const response = await fetch(app.url + path, { method, headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

describe('a track', () => {
  test('has a page that requires no account, no cookie and no script', async () => {
    const { slug } = await makePublicTrack(app, { title: 'Open <Air> & "Sea"', artist: 'Lin' })
    expect(slug).toBe('open-air-sea')
    const page = await get(`/t/${slug}`)
    expect(page.status).toBe(200)
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('set-cookie')).toBeNull()
    expect(page.headers.get('cache-control')).toContain('s-maxage=30')
    expect(page.text).toContain('<h1>Open &lt;Air&gt; &amp; &quot;Sea&quot;</h1>')
    expect(page.text).not.toContain('<Air>')
    expect(page.text).toContain(`<link rel="canonical" href="https://music.test/t/${slug}" />`)
    expect(page.text).toContain('AI-generated')
    expect(page.text).toContain('<noscript')
    expect(page.text).toContain(`src="/t/${slug}/preview.m4a"`)
    // The sign-up link returns to the item.
    expect(page.text).toContain('href="/auth?next=%2Fbrowse%3Ftrack%3D')
    const again = await get(`/t/${slug}`, { 'if-none-match': page.headers.get('etag') ?? '' })
    expect(again.status).toBe(304)
    const head = await get(`/t/${slug}`, {}, 'HEAD')
    expect([head.status, head.text]).toEqual([200, ''])
  })

  test('sends only the preview, in full and in ranges', async () => {
    const { slug, id } = await makePublicTrack(app)
    const whole = await get(`/t/${slug}/preview.m4a`)
    expect([whole.status, whole.text]).toEqual([200, previewAudio])
    expect(whole.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    const part = await get(`/t/${slug}/preview.m4a`, { range: 'bytes=4-10' })
    expect([part.status, part.text]).toEqual([206, previewAudio.slice(4, 11)])
    for (const path of [
      `/t/${slug}/stream.m4a`,
      `/t/${slug}/high.m4a`,
      `/t/${slug}/preview.m4a/../stream`,
      `/api/tracks/${id}/stream`,
      `/media/audio/${id}/standard.m4a`,
      `/audio/${id}/standard.m4a`,
    ]) {
      expect((await get(path)).text, path).not.toContain(fullAudio.slice(0, 20))
    }
  })

  test('returns 404 immediately after it is hidden, also for its preview and its former slugs', async () => {
    const { id, slug } = await makePublicTrack(app, { title: 'Fading' })
    expect((await get(`/t/${slug}`)).status).toBe(200)
    for (const change of [
      { is_published: false },
      { is_published: true, audience: 'members' },
      { audience: 'premium' },
      {
        audience: 'everyone',
        is_published: false,
        release_at: '2099-01-01T00:00:00Z',
        release_zone: 'UTC',
      },
      { is_published: false, release_at: null, deleted_at: new Date().toISOString() },
    ] as const) {
      await app.services.db.query.updateTable('tracks').set(change).where('id', '=', id).execute()
      await expect.poll(async () => (await get(`/t/${slug}`)).status).toBe(404)
      for (const path of [`/t/${slug}`, `/t/${slug}/preview.m4a`]) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await get(path, { 'user-agent': 'facebookexternalhit/1.1' }, method)
          expect([answer.status, answer.text.includes('Fading')], path).toEqual([404, false])
        }
      }
      expect((await get('/sitemaps/track-1.xml')).text).not.toContain(slug)
    }
  })

  test('returns the same response for hidden and for unknown tracks', async () => {
    const { slug } = await makePublicTrack(app, { title: 'Secret', is_published: false })
    const [hidden, unknown] = [await get(`/t/${slug}`), await get('/t/never-was')]
    expect(hidden.text).toBe(unknown.text)
    expect(hidden.headers.get('cache-control')).toBe('no-store')
  })

  test('can be opened by each of its former slugs', async () => {
    const { id } = await makePublicTrack(app, { title: 'First Name' })
    const rename = (title: string) =>
      app.services.db.query.updateTable('tracks').set({ title }).where('id', '=', id).execute()
    await rename('Second Name')
    await rename('Third Name')
    // Another track with the original title does not get the former slug.
    const other = await makePublicTrack(app, { title: 'First Name' })
    expect(other.slug).toMatch(/^first-name-[0-9a-f]{6}$/)
    for (const old of ['first-name', 'second-name']) {
      const answer = await get(`/t/${old}`)
      expect([answer.status, answer.headers.get('location')]).toEqual([301, '/t/third-name'])
    }
    await rename('First Name')
    expect(await slugOfItem(app, id)).toBe('first-name')
    expect((await get('/t/third-name')).headers.get('location')).toBe('/t/first-name')
  })

  test('redirects signed-in people to the app, unless the URL contains view=page', async () => {
    const { id, slug } = await makePublicTrack(app)
    const member = await app.makePerson()
    const { cookie } = member
    const answer = await get(`/t/${slug}`, { cookie })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, `/browse?track=${id}`])
    expect(answer.headers.get('cache-control')).toBe('private, no-store')
    expect((await get(`/t/${slug}?view=page`, { cookie })).status).toBe(200)
    expect((await get(`/t/${slug}`, { cookie: 'velour.session_token=x.y' })).status).toBe(200)
  })

  test('shows lyrics only if the owner enabled them', async () => {
    const { slug } = await makePublicTrack(app, { lyrics: '[00:01.00]Slow light\n[00:02.00]falls' })
    expect((await get(`/t/${slug}`)).text).not.toContain('Slow light')
    await app.asOwner('update settings set lyrics_on_pages = true')
    await app.services.settings.reload()
    await changed()
    expect((await get(`/t/${slug}`)).text).toContain('Slow light<br />falls')
    await app.asOwner('update settings set lyrics_on_pages = false')
    await app.services.settings.reload()
  })
})

describe('during maintenance mode', () => {
  test('pages, previews and the sitemap respond with 503', async () => {
    const { slug } = await makePublicTrack(app)
    await app.asOwner('update settings set maintenance_mode = true')
    await app.services.settings.reload()
    const page = await get(`/t/${slug}`)
    expect([page.status, page.headers.get('retry-after')]).toEqual([503, '300'])
    expect((await get(`/t/${slug}/preview.m4a`)).status).toBe(503)
    expect((await get('/sitemap.xml')).status).toBe(503)
    await app.asOwner('update settings set maintenance_mode = false')
    await app.services.settings.reload()
  })
})

test('a release page lists its public tracks, and shows only the number of the others', async () => {
  const open = await makePublicTrack(app, { title: 'Heard by all' })
  const members = await makePublicTrack(app, { title: 'Hushed', audience: 'members' })
  const draft = await makePublicTrack(app, { title: 'Unheard', is_published: false })
  const { id, slug } = await makePublicRelease(app, [open.id, members.id, draft.id])
  const page = await get(`/r/${slug}`)
  expect(page.text).toContain('Heard by all')
  expect(page.text).toContain('1 more track for members.')
  expect(page.text).not.toMatch(/Hushed|Unheard/)
  await app.services.db.query
    .insertInto('release_slugs')
    .values({ slug: `old-${slug}`, release_id: id })
    .execute()
  expect((await get(`/r/old-${slug}`)).headers.get('location')).toBe(`/r/${slug}`)
  const hidden = await makePublicRelease(app, [open.id], 'members')
  expect((await get(`/r/${hidden.slug}`)).status).toBe(404)
})

test('an artist has a page while one of their tracks or releases is public, unless the page is disabled', async () => {
  const { db } = app.services
  const { id } = await makePublicTrack(app, { artist: 'Page Artist' })
  const artist = () =>
    db.query.selectFrom('artists').selectAll().where('name', '=', 'Page Artist').executeTakeFirst()
  expect((await get('/a/page-artist')).text).toContain('<h1>Page Artist</h1>')
  const track = await get(`/t/${await slugOfItem(app, id)}`)
  expect(track.text).toContain('<a href="/a/page-artist">Page Artist</a>')
  const page = (await artist())!
  await db.query.updateTable('artists').set({ has_page: false }).where('id', '=', page.id).execute()
  await expect.poll(async () => (await get('/a/page-artist')).status).toBe(404)
  await db.query.updateTable('artists').set({ has_page: true }).where('id', '=', page.id).execute()
  await db.query.updateTable('tracks').set({ audience: 'members' }).where('id', '=', id).execute()
  await expect.poll(async () => (await get('/a/page-artist')).status).toBe(404)
})

test('a playlist has a page if its owner made it public after pages were introduced, or if it is curated for everyone', async () => {
  const { db } = app.services
  const { id } = await makePublicTrack(app, { title: 'Shared song' })
  const { id: created_by } = await app.makePerson()
  const make = async (fields: object) => {
    const playlist = await db.query
      .insertInto('playlists')
      .values({ title: `List ${randomUUID()}`, created_by, ...fields })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.query
      .insertInto('playlist_tracks')
      .values({ playlist_id: playlist.id, track_id: id, order_index: 0 })
      .execute()
    return { id: playlist.id, path: `/p/${await slugOfItem(app, playlist.id)}` }
  }
  const getStatus = async (fields: object) => (await get((await make(fields)).path)).status
  const curated = { is_curated: true, is_visible: true }
  expect(await getStatus({ ...curated, audience: 'everyone' })).toBe(200)
  expect(await getStatus({ ...curated, audience: 'members' })).toBe(404)
  expect(await getStatus({ ...curated, is_visible: false, audience: 'everyone' })).toBe(404)
  // Visible to members only, as an earlier version stored `is_public`.
  expect(await getStatus({ is_public: true })).toBe(404)
  expect(await getStatus({ is_public: false, audience: 'everyone' })).toBe(404)
  const own = await make({ is_public: true, audience: 'everyone' })
  expect((await get(own.path)).text).toContain('Shared song')
  // A change of a member's playlist takes effect immediately, because these pages are not cached.
  await db.query
    .updateTable('playlists')
    .set({ is_public: false })
    .where('id', '=', own.id)
    .execute()
  expect((await get(own.path)).status).toBe(404)
  const early = { ...curated, audience: 'everyone', early_access_until: '2099-01-01T00:00:00Z' }
  const page = await get((await make(early)).path)
  expect([page.status, page.text.includes('Shared song')]).toEqual([200, false])
})

test('a category has a page while it is visible and contains an item with a public page', async () => {
  const { db } = app.services
  await db.query
    .insertInto('category_metadata')
    .values({ category: 'late-night', display_name: 'Late Night' })
    .execute()
  expect((await get('/c/late-night')).status).toBe(404)
  await makePublicTrack(app, { title: 'Nocturne', category: 'late-night' })
  await expect.poll(async () => (await get('/c/late-night')).text).toContain('Nocturne')
  await db.query.updateTable('category_metadata').set({ is_visible: false }).execute()
  await expect.poll(async () => (await get('/c/late-night')).status).toBe(404)
})

test('a track is listed on the pages and embeds of all its categories', async () => {
  const { db } = app.services
  await db.query
    .insertInto('category_metadata')
    .values(
      ['first-shelf', 'second-shelf', 'third-shelf'].map((category) => ({
        category,
        display_name: category,
      })),
    )
    .execute()
  const { id } = await makePublicTrack(app, {
    title: 'On two shelves',
    category: 'first-shelf',
    more_categories: ['second-shelf'],
  })
  await makePublicTrack(app, {
    title: 'Withheld',
    audience: 'members',
    category: 'first-shelf',
    more_categories: ['second-shelf', 'third-shelf'],
  })
  for (const path of ['/c/first-shelf', '/c/second-shelf', '/embed/c/second-shelf']) {
    const page = await get(path)
    expect([page.status, page.text.includes('On two shelves')], path).toEqual([200, true])
    expect(page.text, path).not.toContain('Withheld')
  }
  expect((await get('/c/second-shelf')).text).toContain('1 more track for members.')
  // This category contains nothing public.
  expect((await get('/c/third-shelf')).status).toBe(404)
  const sitemap = (await get('/sitemaps/category-1.xml')).text
  expect(sitemap).toContain('/c/second-shelf<')
  expect(sitemap).not.toContain('/c/third-shelf<')
  await db.query.updateTable('tracks').set({ more_categories: [] }).where('id', '=', id).execute()
  await expect.poll(async () => (await get('/c/second-shelf')).status).toBe(404)
})

test('a smart playlist has no page, no embed, no share card and no entry in the sitemap', async () => {
  const owner = await app.makePerson({ tier: 'monthly' })
  await makePublicTrack(app, { title: 'Found by rules' })
  const rules: SmartRules = {
    match: 'all',
    groups: [{ match: 'all', rules: [{ kind: 'liked', value: false }] }],
    order: 'newest',
    limit: 50,
  }
  const made = await owner.call(createPlaylist, {
    body: { title: 'Rules read likes', is_public: true, rules },
  })
  const { id, share_url, is_smart } = made.body
  expect([is_smart, share_url]).toEqual([true, `/my-playlists/${id}`])
  const path = `/p/${await slugOfItem(app, id)}`
  const oembed = `/oembed?url=${encodeURIComponent(`https://music.test${path}`)}`
  for (const address of [path, `/embed${path}`, oembed, `${path}/card.jpg`]) {
    const answer = await get(address)
    expect([answer.status, answer.text.includes('Rules read likes')], address).toEqual([404, false])
  }
  // Without another public playlist, the sitemap would not exist.
  const plain = await owner.call(createPlaylist, { body: { title: 'By hand', is_public: true } })
  const sitemap = (await get('/sitemaps/playlist-1.xml')).text
  expect(sitemap).toContain(`${plain.body.share_url}<`)
  expect(sitemap).not.toContain(`${path}<`)
})

test('saving a playlist that was public for members only does not give it a public page', async () => {
  const owner = await app.makePerson()
  const { body } = await owner.call(createPlaylist, { body: { title: 'Of old', is_public: true } })
  const params = { id: body.id }
  await app.services.db.query
    .updateTable('playlists')
    .set({ audience: 'members' })
    .where('id', '=', body.id)
    .execute()
  const save = async (is_public: boolean) =>
    (await owner.call(updatePlaylist, { params, body: { title: 'Of old', is_public } })).body
  expect((await save(true)).share_url).toBe(`/my-playlists/${body.id}`)
  await save(false)
  expect((await save(true)).share_url).toMatch(/^\/p\/of-old/)
})

test('the page of a shared playlist does not reveal who shares it or who added tracks', async () => {
  const { db } = app.services
  const [owner, editor] = [await app.makePerson(), await app.makePerson()]
  for (const [person, display_name] of [
    [owner, 'Olga Owner'],
    [editor, 'Edgar Editor'],
  ] as const) {
    await db.query
      .updateTable('profiles')
      .set({ display_name })
      .where('id', '=', person.id)
      .execute()
  }
  const { id: track_id } = await makePublicTrack(app, { title: 'Added together' })
  const { body } = await owner.call(createPlaylist, { body: { title: 'Ours', is_public: true } })
  await db.query
    .insertInto('playlist_members')
    .values({ playlist_id: body.id, user_id: editor.id, role: 'editor' })
    .execute()
  await editor.call(addTrackToPlaylist, { params: { id: body.id }, body: { track_id } })
  for (const path of [body.share_url, `/embed${body.share_url}`]) {
    const page = await get(path)
    expect(page.text, path).toContain('Added together')
    expect(page.text, path).not.toMatch(/Olga|Edgar/)
    for (const { id } of [owner, editor]) expect(page.text, path).not.toContain(id)
  }
})

describe('a press link', () => {
  const press = async (
    kind: 'track' | 'release' | 'artist',
    item_id: string,
    expires = '1 day',
  ) => {
    const secret = randomUUID()
    await app.services.db.query
      .insertInto('press_links')
      .values({
        kind,
        item_id,
        secret_hash: createHash('sha256').update(secret).digest('hex'),
        label: 'The Wire',
        expires_at: sql<string>`now() + ${expires}::interval`,
      })
      .execute()
    return secret
  }

  test('opens a draft and its preview, which stay hidden from others and are not cached', async () => {
    const { id, slug } = await makePublicTrack(app, { title: 'Advance', is_published: false })
    const secret = await press('track', id)
    const page = await get(`/t/${slug}?press=${secret}`)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(page.headers.get('x-robots-tag')).toBe('noindex, nofollow')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.text).not.toMatch(/og:title|ld\+json|canonical/)
    const preview = await get(`/t/${slug}/preview.m4a?press=${secret}`)
    expect([preview.status, preview.text]).toEqual([200, previewAudio])
    expect((await get(`/t/${slug}`)).status).toBe(404)
    for (const wrong of ['', randomUUID(), `${secret}x`, "' or true --"]) {
      const query = `?${new URLSearchParams({ press: wrong })}`
      expect((await get(`/t/${slug}${query}`)).status).toBe(404)
      expect((await get(`/t/${slug}/preview.m4a${query}`)).status).toBe(404)
    }
    const other = await makePublicTrack(app, { title: 'Other', is_published: false })
    expect((await get(`/t/${other.slug}?press=${secret}`)).status).toBe(404)
  })

  test('stops working after its expiry date', async () => {
    const { id, slug } = await makePublicTrack(app, { is_published: false })
    const secret = await press('track', id, '-1 second')
    expect((await get(`/t/${slug}?press=${secret}`)).status).toBe(404)
  })

  test('to a release also opens its tracks, including drafts', async () => {
    const draft = await makePublicTrack(app, { title: 'Side A', is_published: false })
    const { id, slug } = await makePublicRelease(app, [draft.id], 'members')
    const secret = await press('release', id)
    const page = await get(`/r/${slug}?press=${secret}`)
    expect(page.text).toContain('Side A')
    expect(page.text).toContain(`/t/${draft.slug}/preview.m4a?press=${secret}`)
    expect((await get(`/t/${draft.slug}?press=${secret}`)).status).toBe(200)
    expect((await get(`/t/${draft.slug}/preview.m4a?press=${secret}`)).status).toBe(200)
  })
})

test('the sitemap lists only public items, and robots.txt refers to the sitemap', async () => {
  const { slug } = await makePublicTrack(app, { title: 'Mapped' })
  await makePublicTrack(app, { title: 'Unmapped', audience: 'members' })
  const robots = await get('/robots.txt')
  expect(robots.text).toContain('Sitemap: https://music.test/sitemap.xml')
  const index = await get('/sitemap.xml')
  const files = [...index.text.matchAll(/<loc>https:\/\/music\.test([^<]+)<\/loc>/g)].map(
    ([, path]) => path!,
  )
  expect(files).toContain('/sitemaps/track-1.xml')
  const all = (await Promise.all(files.map((path) => get(path)))).map(({ text }) => text).join('')
  expect(all).toContain(`<loc>https://music.test/t/${slug}</loc>`)
  expect(all).not.toContain('unmapped')
  for (const path of ['/sitemaps/track-2.xml', '/sitemaps/user-1.xml', '/sitemaps/x']) {
    expect((await get(path)).status).toBe(404)
  }
})

test('the bots of link previews are never rate-limited', async () => {
  const { slug } = await makePublicTrack(app)
  const statuses = new Set<number>()
  for (let i = 0; i < 700; i++) statuses.add((await get(`/t/${slug}`, {}, 'HEAD')).status)
  expect([...statuses]).toEqual([200])
})
