// Reading link previews as messengers and validators do: from the initial HTML, without cookies, with HEAD and range
// requests.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openGraphScraper from 'open-graph-scraper'
import sharp from 'sharp'
import { unfurl } from 'unfurl.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pageKinds, type PageKind } from '#contract/public-pages.ts'
import { transaction } from '../../platform/db/database.ts'
import { cardMaxBytes } from '../../platform/pictures/draw-card.ts'
import { renderCover } from '../../platform/pictures/cover-painter.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { storePicture } from '../pictures/store-picture.ts'
import { makePublicPages, makePublicTrack } from '../public-pages/testing/public-music.ts'
import { makeCard } from './make-card.ts'

const publicUrl = 'https://music.test'
const bots = [
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'WhatsApp/2.23.20.0',
  'Twitterbot/1.0',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'TelegramBot (like TwitterBot)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
]
/** Some crawlers read only this many bytes of a page. */
const mostHeadBytes = 32_768
const title = 'Velvet & Weather 夜'

let app: TestApp
let pages: Record<PageKind, { id: string; path: string }>

beforeAll(async () => {
  app = await createTestApp({ publicUrl })
  await app.services.db.query
    .insertInto('category_metadata')
    .values({ category: 'late-night', display_name: 'Late Night' })
    .execute()
  const track = await makePublicTrack(app, {
    title,
    category: 'late-night',
    peaks: Buffer.alloc(800, 120),
  })
  await putCover(track.id)
  await putSound(track.id)
  pages = await makePublicPages(app, [track.id])
  const job = { signal: new AbortController().signal }
  for (const kind of pageKinds) {
    await makeCard(app.services, { kind, item_id: pages[kind].id }, job)
  }
}, 120_000)
afterAll(() => app.close())

async function putCover(id: string): Promise<void> {
  const { db, pictures } = app.services
  const picture = await storePicture(pictures, await renderCover({ title }), 'cover')
  await transaction(db, async (trx) => {
    const cover_id = await picture.claim(trx)
    await trx.query.updateTable('tracks').set({ cover_id }).where('id', '=', id).execute()
  })
}

/** Stores a preview of 45 seconds that ffmpeg can decode. */
async function putSound(id: string): Promise<void> {
  const { db, ffmpeg, storage } = app.services
  const folder = await mkdtemp(join(tmpdir(), 'velour-link-previews-'))
  const output = join(folder, 'preview.m4a')
  const source = ['-f', 'lavfi', '-i', 'sine=frequency=330:duration=45', '-c:a', 'aac', output]
  await ffmpeg.run(source, { inputs: [], outputs: [output], timeoutMs: 60_000 })
  await storage.put(`audio/${id}/sound.m4a`, await readFile(output))
  await rm(folder, { recursive: true })
  await db.query
    .updateTable('renditions')
    .set({ storage_key: `audio/${id}/sound.m4a` })
    .where('track_id', '=', id)
    .where('kind', '=', 'preview')
    .execute()
}

/** Fetches a URL, with requests for the public URL sent to this server. */
const fetchHere = (url: string, init?: RequestInit) =>
  fetch(url.replace(publicUrl, app.url), { redirect: 'manual', ...init })

async function readTags(kind: PageKind, bot: string) {
  const response = await fetchHere(publicUrl + pages[kind].path, {
    headers: { 'user-agent': bot, accept: 'text/html' },
  })
  const html = await response.text()
  expect([response.status, response.headers.get('set-cookie')]).toEqual([200, null])
  expect(html.indexOf('</head>')).toBeLessThan(mostHeadBytes)
  const { error, result } = await openGraphScraper({ html: html.slice(0, mostHeadBytes) })
  expect(error).toBe(false)
  return result
}

describe.each(pageKinds)('the page of a %s', (kind) => {
  test.each(bots)('has a complete share card for %s', async (bot) => {
    const tags = await readTags(kind, bot)
    expect(tags).toMatchObject({
      ogUrl: publicUrl + pages[kind].path,
      ogSiteName: 'Velour',
      twitterCard: 'summary_large_image',
      twitterTitle: tags.ogTitle,
      ogImage: [
        { width: '1200', height: '630', type: 'image/jpeg', alt: expect.any(String) },
        { width: '720', height: '720' },
      ],
    })
    expect(tags.ogTitle).toBeTruthy()
    expect(tags.ogDescription).toBeTruthy()
    if (kind === 'track') expect(tags.ogTitle).toContain(title)
  })

  test('its pictures respond to HEAD with the headers of GET, and accept range requests', async () => {
    const url = publicUrl + pages[kind].path
    const [get, head] = [await fetchHere(url), await fetchHere(url, { method: 'HEAD' })]
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
      expect(head.headers.get(name), name).toBe(get.headers.get(name))
    }
    expect(await head.text()).toBe('')
    const part = await fetchHere(url, { headers: { range: 'bytes=0-32767' } })
    expect(part.status).toBeOneOf([200, 206])
    expect(await part.text()).toContain('og:image')
  })

  test('its pictures have formats and sizes that messengers accept', async () => {
    const { ogImage = [] } = await readTags(kind, bots[1]!)
    const sizes = []
    for (const { url } of ogImage) {
      const response = await fetchHere(url)
      const bytes = Buffer.from(await response.arrayBuffer())
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      expect(response.headers.get('set-cookie')).toBeNull()
      expect(bytes.length).toBeLessThan(cardMaxBytes)
      const head = await fetchHere(url, { method: 'HEAD' })
      expect(head.headers.get('content-length')).toBe(String(bytes.length))
      const { width, height } = await sharp(bytes).metadata()
      sizes.push([width, height])
    }
    expect(sizes).toEqual([
      [1200, 630],
      [720, 720],
    ])
  })

  test('is embedded with its oEmbed player', async () => {
    const { open_graph, oEmbed } = await unfurl(publicUrl + pages[kind].path, {
      oembed: true,
      fetch: (url) => fetchHere(url),
    })
    expect(open_graph?.url).toBe(publicUrl + pages[kind].path)
    expect(oEmbed).toMatchObject({ type: 'rich', title: open_graph?.title })
    expect((oEmbed as { html?: string }).html).toContain(`${publicUrl}/embed${pages[kind].path}`)
  })
})

test("a track's video is 30 seconds long and is sent in ranges", async () => {
  const { ogVideo = [] } = await readTags('track', bots[3]!)
  const [video] = ogVideo
  expect(video).toMatchObject({ type: 'video/mp4', width: '720', height: '720' })
  const whole = await fetchHere(video!.url)
  const bytes = Buffer.from(await whole.arrayBuffer())
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/mp4'])
  expect(whole.headers.get('accept-ranges')).toBe('bytes')
  const part = await fetchHere(video!.url, { headers: { range: 'bytes=0-1' } })
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes 0-1/${bytes.length}`,
  ])
  // The index of the file precedes the data, so that players can start before the download ends.
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
  // The movie header (mvhd) contains the time scale and the duration.
  const header = bytes.indexOf('mvhd')
  const seconds = bytes.readUInt32BE(header + 20) / bytes.readUInt32BE(header + 16)
  expect(seconds).toBeCloseTo(30, 0)
})
