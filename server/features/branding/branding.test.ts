import { afterAll, beforeAll, expect, test } from 'vitest'
import { getBranding, updateBranding } from '#contract/admin/admin-branding.ts'
import { defaultTagline } from '#contract/fields/branding.ts'
import { listShowcase } from '#contract/showcase-tracks.ts'
import { getSite } from '#contract/site.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { createSettingsCache } from '../settings/settings-cache.ts'
import { createReadBranding } from '../settings/branding.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { makeTracks } from '../../testing/feature-app.ts'

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp({ brandName: 'From Env', artistName: 'From Env' })
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

type Changes = Parameters<typeof save>[0]
const save = (
  branding: NonNullable<
    Parameters<typeof admin.call<typeof updateBranding>>[1]
  >['body']['branding'],
  version?: number,
) => admin.call(updateBranding, { body: { branding, ...(version && { version }) } })
const site = async () => (await app.nobody.call(getSite, {})).body
const fetchText = async (path: string) => (await fetch(app.url + path)).text()

async function reset() {
  const none: Changes = {
    brand_name: null,
    tagline: null,
    artist_name: null,
    contact_email: null,
    accent: null,
    landing_lead: null,
    landing_tracks: [],
    social_links: [],
    footer_links: [],
  }
  expect((await save(none)).status).toBe(200)
}

test('the configured values apply until the owner sets a value, and again when it is set to null', async () => {
  expect(await site()).toMatchObject({ brand_name: 'From Env', tagline: defaultTagline })
  const saved = await save({ brand_name: 'Night  Desk', tagline: 'Late songs.' })
  expect(saved.body).toMatchObject({
    brand_name: 'Night Desk',
    artist_name: null,
    // The artist name defaults to the configured brand name.
    defaults: { brand_name: 'From Env', tagline: defaultTagline, artist_name: 'Night Desk' },
  })
  expect(await site()).toMatchObject({
    brand_name: 'Night Desk',
    tagline: 'Late songs.',
    artist_name: 'Night Desk',
  })
  await reset()
  expect(await site()).toMatchObject({ brand_name: 'From Env', tagline: defaultTagline })
})

test('the web manifest, the feeds and the API description contain the brand name', async () => {
  await save({ brand_name: 'Night & Desk', tagline: 'Late <songs>.' })
  expect(JSON.parse(await fetchText('/manifest.webmanifest'))).toMatchObject({
    name: 'Night & Desk',
    short_name: 'Night & Desk',
    description: 'Late <songs>.',
  })
  expect(await fetchText('/feed.xml')).toContain('<title>Night &amp; Desk</title>')
  expect(await fetchText('/feed.atom')).toContain('Late &lt;songs&gt;.')
  expect(await fetchText('/podcast.xml')).toContain('Night &amp; Desk previews')
  const { body } = await app.nobody.send('GET', '/api/openapi.json')
  expect(body).toMatchObject({ info: { title: 'Night & Desk API' } })
  await reset()
})

test("public pages have the brand's name and colors", async () => {
  await save({ brand_name: 'Night Desk', accent: '#2B50FF' })
  const page = await fetchText('/t/nothing-here')
  expect(page).toContain('Open Night Desk')
  expect(page).toMatch(/<html[^>]* style="--own-dark-accent:#[0-9a-f]{6};/)
  expect((await site()).accent).toBe('#2b50ff')
  await reset()
  expect(await fetchText('/t/nothing-here')).not.toContain('--own-dark')
})

test('shows the chosen tracks on the landing page in the chosen order', async () => {
  const { db } = app.services
  const ids = await makeTracks(db, 4)
  for (const id of ids) {
    await db.query
      .insertInto('renditions')
      .values({
        track_id: id,
        kind: 'preview',
        storage_key: `audio/${id}.m4a`,
        mime: 'audio/mp4',
        byte_size: 1000,
        duration_seconds: 45,
        preview_length_seconds: 45,
        etag: id,
      })
      .execute()
  }
  const shown = async () => (await app.nobody.call(listShowcase, {})).body.data.map(({ id }) => id)
  expect(await shown()).toHaveLength(4)
  const chosen = [ids[2]!, ids[0]!]
  await save({ landing_tracks: chosen })
  expect(await shown()).toEqual(chosen)
  expect((await admin.call(getBranding, {})).body.landing_tracks.map(({ id }) => id)).toEqual(
    chosen,
  )
  await db.query
    .updateTable('tracks')
    .set({ is_published: false })
    .where('id', '=', ids[2]!)
    .execute()
  await notify(db, 'tracks')
  await expect.poll(shown).toEqual([ids[0]])
  await save({ landing_tracks: [] })
  expect(await shown()).toHaveLength(3)
})

test('refuses invalid names, colors, links and email addresses', async () => {
  for (const branding of [
    { accent: 'red' },
    { accent: '#12345' },
    { brand_name: '' },
    { brand_name: 'x'.repeat(61) },
    { contact_email: 'nobody' },
    { social_links: [{ label: 'Site', url: 'javascript:alert(1)' }] },
    { footer_links: [{ label: '', url: 'https://example.com' }] },
  ]) {
    expect((await save(branding)).code, JSON.stringify(branding)).toBe('invalid_input')
  }
})

test('refuses to save changes that are based on an older version', async () => {
  const { body: before } = await admin.call(getBranding, {})
  await save({ tagline: 'One' }, before.version)
  const late = await save({ tagline: 'Two' }, before.version)
  expect(late).toMatchObject({ status: 409, code: 'changed_meanwhile' })
  expect((await site()).tagline).toBe('One')
  await reset()
})

test('another instance applies changes without a restart', async () => {
  const { db, bus, log, config } = app.services
  const other = await createSettingsCache(db, bus, log)
  const branding = createReadBranding(config, other)
  await save({ brand_name: 'Elsewhere' })
  await expect.poll(() => branding().brand_name).toBe('Elsewhere')
  other.close()
  await reset()
})

test('only admins can read and change the branding', async () => {
  const member = await app.makePerson()
  expect((await member.call(getBranding, {})).status).toBe(403)
  expect((await app.nobody.call(getBranding, {})).status).toBe(401)
})
