// Delays of the player: from a click to the sound, with nothing cached and after the pointer was on the button, and the
// silence between two tracks. Both are measured in the recorded sound of the tab.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../../e2e/harness/browser.ts'
import {
  readSoundState,
  measureJoins,
  recordTab,
  measureClickDelay,
} from '../../e2e/harness/sound-probe.ts'
import type { BenchWorld } from './world/bench-world.ts'
import { importRecording, deleteTrack, waitUntilPublished } from './world/import-recording.ts'
import { makeRecording } from './world/make-recording.ts'
import { percentile, summarize } from '../harness/measure.ts'
import { openContext } from './clients/open-browser.ts'
import type { Finding } from './report.ts'

const trackSeconds = 8
const tracks = 5
/** Positions in the list. Never the next track, because the other audio element has already preloaded it. */
const order = [3, 1, 4, 2, 5]
const goalMs = { click: 150, gap: 20 }
const timeoutMs = 15_000

export async function benchPlayer(world: BenchWorld): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), 'velour-player-'))
  const ids: string[] = []
  const browser = await launchBrowser({ audible: true })
  try {
    for (let seed = 1; seed <= tracks; seed++) {
      const file = join(folder, `${seed}.wav`)
      await makeRecording(file, trackSeconds, seed)
      ids.push(await importRecording(world, file))
    }
    for (const id of ids) await waitUntilPublished(world, id)
    const clicks = world.dataSet === 'smoke' ? order.slice(0, 2) : [...order, ...order]
    const joins = world.dataSet === 'smoke' ? 1 : tracks - 1
    return [
      ...(await onBrowse(browser, world, (page) => timeClicks(page, clicks))),
      await onBrowse(browser, world, (page) => listenBetween(page, joins)),
    ]
  } finally {
    await browser.close()
    for (const id of ids) await deleteTrack(world, id)
    await rm(folder, { recursive: true, force: true })
  }
}

async function onBrowse<T>(
  browser: Browser,
  world: BenchWorld,
  measure: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await openContext(browser, world.url, world.member)
  try {
    const page = await context.newPage()
    await page.goto(`${world.url}/browse`)
    await page.locator(playButton(tracks)).waitFor()
    return await measure(page)
  } finally {
    await context.close()
  }
}

const playButton = (place: number) => `li[aria-posinset="${place}"] [data-control="play"]`

async function timeClicks(page: Page, places: readonly number[]): Promise<Finding[]> {
  const client = await page.context().newCDPSession(page)
  // Don't measure the first click, which also loads the player.
  await measureClickDelay(page, playButton(tracks))
  const cold: number[] = []
  for (const place of places) {
    await waitForSound(page, ({ seconds }) => seconds > 0.3)
    await client.send('Network.clearBrowserCache')
    cold.push(await measureClickDelay(page, playButton(place)))
  }
  const warm: number[] = []
  for (const place of places) {
    await waitForSound(page, ({ seconds }) => seconds > 0.3)
    const button = page.locator(playButton(place))
    await button.hover({ position: { x: 4, y: 4 } })
    await button.hover({ position: { x: 20, y: 20 } })
    warm.push(await measureClickDelay(page, playButton(place)))
  }
  return [
    createLimitFinding('from a click to its sound, nothing fetched before', cold, goalMs.click),
    createLimitFinding('from a click to its sound, the pointer was on its way', warm, goalMs.click),
  ]
}

async function listenBetween(page: Page, joins: number): Promise<Finding> {
  await page.getByRole('button', { name: 'Play All' }).click()
  await recordTab(page)
  // Wait until the player has measured how long it takes to start a track. That takes some seconds of playback.
  await waitForSound(page, ({ seconds }) => seconds > 3.5)
  for (let i = 0; i < joins; i++) {
    const { source } = await readSoundState(page)
    await page.getByRole('slider', { name: 'Seek' }).fill(String(trackSeconds - 1.7))
    await waitForSound(page, (now) => now.source !== source && now.seconds > 1)
  }
  // Subtract the time for which the page got no CPU, because no player could start a track then.
  const gaps = (await measureJoins(page)).map(({ silenceMs, stallMs }) =>
    Math.max(0, silenceMs - stallMs),
  )
  return createLimitFinding('silence between two tracks', gaps, goalMs.gap)
}

async function waitForSound(
  page: Page,
  isSo: (now: Awaited<ReturnType<typeof readSoundState>>) => boolean,
): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!isSo(await readSoundState(page))) {
    if (performance.now() > end) throw new Error('The expected sound did not play')
    await sleep(20)
  }
}

function createLimitFinding(name: string, timesMs: number[], mostMs: number): Finding {
  const ms = percentile(timesMs, 0.5)
  return {
    name,
    ours: summarize(timesMs),
    goal: `≤ ${mostMs} ms`,
    value: `${ms} ms (up to ${Math.max(...timesMs)})`,
    ok: timesMs.length > 0 && ms <= mostMs,
  }
}
