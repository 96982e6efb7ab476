// Bytes and time to deliver the app and its pictures, and how much each measure saves: compression, HTTP caching,
// HTTP/2, pictures in the displayed size and format, and preloading the next track.
import { request } from 'node:http'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { drawCover } from '#server/platform/pictures/cover-painter.ts'
import { encodePicture } from '#server/platform/pictures/encode-picture.ts'
import type { BenchWorld } from './world/bench-world.ts'
import { round } from '../harness/measure.ts'
import { benchNextTrack } from './next-track.ts'
import { openBrowser, openContext } from './clients/open-browser.ts'
import { compareProtocols } from './protocols.ts'
import type { Finding } from './report.ts'

const kilobyte = 1000
const originalSide = 1024

export async function benchDelivery(world: BenchWorld): Promise<Finding[]> {
  const browser = await openBrowser()
  try {
    return [
      ...(await compareEncodings(world)),
      ...(await compareVisits(browser, world)),
      ...(await compareProtocols(browser, world)),
      ...(await compareCovers(world)),
      ...(await benchNextTrack(world)),
    ]
  } finally {
    await browser.close()
  }
}

/** Compares encodings by the total size of the landing page with its scripts and style sheets. */
async function compareEncodings(world: BenchWorld): Promise<Finding[]> {
  const page = (await fetchBytes(`${world.url}/`, 'identity')).toString()
  const files = new Set(page.match(/\/assets\/[\w.-]+\.(?:js|css)/g))
  const total = async (encoding: string) => {
    const all = ['/', ...files].map((path) => fetchBytes(world.url + path, encoding))
    return (await Promise.all(all)).reduce((sum, { length }) => sum + length, 0)
  }
  const plain = await total('identity')
  return Promise.all(
    ['gzip', 'br'].map(async (encoding) => {
      const name = `landing page with its scripts and styles, ${encoding === 'br' ? 'brotli' : encoding}`
      return smaller(name, await total(encoding), plain, 'as they are', 0.4)
    }),
  )
}

function fetchBytes(url: string, encoding: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers: { 'accept-encoding': encoding } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => resolve(Buffer.concat(chunks)))
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** Compares a first with a second visit in the same browser, without a service worker. */
async function compareVisits(browser: Browser, world: BenchWorld): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [name, path, cookie] of [
    ['landing page', '/', undefined],
    ['Browse', '/browse', world.member],
  ] as const) {
    const context = await openContext(browser, world.url, cookie)
    const visits: number[] = []
    for (let i = 0; i < 2; i++) {
      const page = await context.newPage()
      const client = await context.newCDPSession(page)
      let bytes = 0
      client.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
      await client.send('Network.enable')
      await page.goto(world.url + path)
      await page.mouse.move(50, 50)
      await page.waitForFunction(() =>
        performance
          .getEntriesByType('resource')
          .some((one) => /\/assets\/index-.*js/.test(one.name)),
      )
      await page.waitForLoadState('networkidle')
      visits.push(bytes)
      await page.close()
    }
    await context.close()
    const [first = NaN, second = NaN] = visits
    findings.push(smaller(`${name}, second visit`, second, first, 'the first visit', 0.25))
  }
  return findings
}

const paintedTitles = ['Slow Tide', 'Paper Lanterns', 'Low Sun', 'Amber Hours']

/** Compares the size of delivered covers with that of the uploaded ones, over a few generated covers. */
async function compareCovers({ dataSet }: BenchWorld): Promise<Finding[]> {
  const sums = new Map<string, number>()
  const add = (what: string, bytes: number) => sums.set(what, (sums.get(what) ?? 0) + bytes)
  for (const title of dataSet === 'smoke' ? paintedTitles.slice(0, 1) : paintedTitles) {
    const painted = sharp(Buffer.from(drawCover({ title }))).resize(originalSide, originalSide)
    const original = await painted.jpeg({ quality: 90 }).toBuffer()
    add('original', original.length)
    for (const { size, format, bytes } of (await encodePicture(original, 'cover')).files) {
      add(`${format} ${size}`, bytes.length)
    }
  }
  const original = sums.get('original') ?? NaN
  const one = (what: string, drawn: string, least: number) =>
    smaller(`cover ${drawn}, ${what}`, sums.get(what) ?? NaN, original, 'JPEG, 1024 px', least)
  return [
    one('avif 1024', 'filling a window', 0.8),
    one('avif 384', 'on a card', 0.2),
    one('webp 384', 'on a card', 0.3),
    one('avif 128', 'in a list', 0.05),
    one('webp 128', 'in a list', 0.05),
  ]
}

function smaller(
  name: string,
  ours: number,
  peer: number,
  peerIs: string,
  mostShare: number,
): Finding {
  const ratio = round(ours / peer)
  const show = (bytes: number) => `${(bytes / kilobyte).toFixed(1)} kB`
  return {
    name,
    peer_is: `${show(peer)}: ${peerIs}`,
    goal: `≤ ${mostShare} ×`,
    value: `${ratio} × (${show(ours)})`,
    ok: ratio <= mostShare,
  }
}
