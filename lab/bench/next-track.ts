// The silence between two tracks, with preloading of the next track as in the player, and without. The network is
// emulated, because preloading saves nothing on the same machine.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import type { BenchWorld } from './world/bench-world.ts'
import { importRecording, deleteTrack, waitUntilPublished } from './world/import-recording.ts'
import { makeRecording } from './world/make-recording.ts'
import { round, summarize } from '../harness/measure.ts'
import {
  mobileLine,
  openBrowser,
  openContext,
  emulateMobileNetwork,
} from './clients/open-browser.ts'
import type { Finding } from './report.ts'

const trackSeconds = { usual: 3, smoke: 1 }
const rounds = 7

export async function benchNextTrack(world: BenchWorld): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'velour-next-track-'))
  const ids: string[] = []
  try {
    for (const seed of [1, 2]) {
      const file = join(folder, `${seed}.wav`)
      await makeRecording(file, trackSeconds[world.dataSet === 'smoke' ? 'smoke' : 'usual'], seed)
      const id = await importRecording(world, file)
      ids.push(id)
      await waitUntilPublished(world, id)
    }
    const browser = await openBrowser({ mayPlay: true })
    try {
      return [await compareGaps(browser, world, ids)]
    } finally {
      await browser.close()
    }
  } finally {
    for (const id of ids) await deleteTrack(world, id)
    await rm(folder, { recursive: true, force: true })
  }
}

async function compareGaps(
  browser: Browser,
  world: BenchWorld,
  ids: readonly string[],
): Promise<Finding> {
  const context = await openContext(browser, world.url, world.admin)
  const page = await context.newPage()
  await page.goto(`${world.url}/robots.txt`)
  await emulateMobileNetwork(page)
  const [ours, peer]: [number[], number[]] = [[], []]
  for (let i = 0; i < (world.dataSet === 'smoke' ? 1 : rounds); i++) {
    for (const [isPreloaded, gaps] of [
      [true, ours],
      [false, peer],
    ] as const) {
      // Use a new URL each time, so that nothing is in the browser's cache.
      const urls = ids.map((id) => `/api/tracks/${id}/stream?round=${crypto.randomUUID()}`)
      gaps.push(
        await page.evaluate<number>(`(${measureGap})(${JSON.stringify({ urls, isPreloaded })})`),
      )
    }
  }
  await context.close()
  const [with_, without] = [summarize(ours), summarize(peer)]
  const ratio = round(with_.median_ms / without.median_ms)
  return {
    name: `from the end of a track to the sound of the next, ${mobileLine.latency} ms away`,
    ours: with_,
    peer: without,
    peer_is: 'nothing fetched before',
    goal: '≤ 0.5 ×',
    value: `${ratio} ×`,
    ok: ratio <= 0.5,
  }
}

/** Runs in the page. Returns the milliseconds from the last sound of one audio element to the first of the other. */
const measureGap = `async ({ urls, isPreloaded }) => {
  const [first, next] = urls.map(() => document.body.appendChild(new Audio()))
  const once = (element, event) =>
    new Promise((resolve, reject) => {
      element.addEventListener(event, resolve, { once: true })
      element.addEventListener('error', () => reject(new Error(element.error.message)))
    })
  const load = () => {
    next.preload = 'auto'
    next.src = urls[1]
  }
  first.src = urls[0]
  await first.play()
  if (isPreloaded) {
    load()
    await once(next, 'canplaythrough')
  }
  await once(first, 'ended')
  const endedMs = performance.now()
  if (!isPreloaded) load()
  const sounds = once(next, 'playing')
  await next.play()
  await sounds
  const gapMs = performance.now() - endedMs
  for (const element of [first, next]) {
    element.replaceWith()
    element.src = ''
  }
  return gapMs
}`
