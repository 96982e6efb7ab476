// Kills and restarts three instances behind the proxy, one after another, while two hundred simulated listeners and a
// browser play. Nobody may hear a gap.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, clusterAdmin, startCluster } from '../cluster/cluster.ts'
import { createApiClient, publishTrack, type ApiClient } from '../../e2e/harness/api-client.ts'
import { launchBrowser } from '../../e2e/harness/browser.ts'
import { makeCrowd } from '../cluster/cluster-people.ts'
import { makeWav } from '../../e2e/harness/make-wav.ts'
import { PacedListener } from './paced-listener.ts'
import { makePerson, openAs } from '../../e2e/harness/people.ts'
import { readSoundState, measureLongestSilence, recordTab } from '../../e2e/harness/sound-probe.ts'

const listenerCount = 200
const trackSeconds = 75
const shortTrackSeconds = 12
/** Time before each kill and before each restart. */
const phaseMs = 6_000

describe.each(['proxy', 'redirect'])('S3_DELIVERY=%s', (delivery) => {
  let cluster: Cluster
  let owner: ApiClient
  let browser: Browser
  let tracks: string[]

  beforeAll(async () => {
    cluster = await startCluster({
      workers: 1,
      settings: (given) => ({ ...given, S3_DELIVERY: delivery }),
    })
    owner = createApiClient(cluster.address)
    await owner.signIn(clusterAdmin)
    await owner.send('POST', '/api/admin-categories', { category: 'focus', display_name: 'Focus' })
    tracks = []
    for (const [title, seconds, frequency] of [
      ['Long One', trackSeconds, 262],
      ['Long Two', trackSeconds, 294],
      ['Short One', shortTrackSeconds, 330],
      ['Short Two', shortTrackSeconds, 392],
      ['Short Three', shortTrackSeconds, 440],
    ] as const) {
      const { id } = await publishTrack(owner, makeWav(seconds, frequency), {
        title,
        category: 'focus',
      })
      tracks.push(id)
    }
    browser = await launchBrowser({ audible: true })
  }, 240_000)

  afterAll(async () => {
    await browser?.close()
    await cluster?.stop()
  }, 60_000)

  test('a killed instance causes no silence for listeners', { timeout: 240_000 }, async () => {
    const listener = await makePerson(owner, `listener-${delivery}`, 'premium')
    const { page, problems } = await openAs(browser, { url: cluster.address }, listener, '/browse')
    await page.getByRole('button', { name: 'Play All' }).click()
    await expect
      .poll(async () => (await readSoundState(page)).seconds, { timeout: 15_000 })
      .toBeGreaterThan(1)
    await recordTab(page)

    const crowd = await makeCrowd(cluster, listenerCount)
    const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
    const rates = await Promise.all(
      tracks.slice(0, 2).map((id) => measure(cluster, crowd[0]!.cookie, id)),
    )
    const listeners: PacedListener[] = []
    for (const [index, { cookie }] of crowd.entries()) {
      const { url, bytesPerSecond } = rates[index % rates.length]!
      listeners.push(new PacedListener({ url, cookie, agent, bytesPerSecond }))
      await sleep(10)
    }
    for (const instance of cluster.instances) {
      await sleep(phaseMs)
      await instance.kill()
      await sleep(phaseMs)
      await instance.start()
    }
    const result = listeners.map((one) => one.stop())
    agent.destroy()

    const silent = result.filter(({ silentMs }) => silentMs > 0)
    const sum = (of: (one: (typeof result)[number]) => number) =>
      result.reduce((all, one) => all + of(one), 0)
    const shortest = Math.min(...result.map(({ heardSeconds }) => heardSeconds))
    const sound = await measureLongestSilence(page)
    console.log(
      `${delivery}: ${silent.length} of ${result.length} listeners heard silence (${JSON.stringify(silent.slice(0, 3))}); ` +
        `each heard at least ${shortest.toFixed(0)} s; responses that broke off: ${sum(({ broken }) => broken)}, ` +
        `refused: ${sum(({ refused }) => refused)}; in the browser ${sound.recordedSeconds} s with at most ` +
        `${sound.silenceMs} ms of silence over ${sound.joins} hand-overs`,
    )
    expect(silent).toEqual([])
    expect(shortest).toBeGreaterThan((phaseMs / 1000) * 5)
    expect(sum(({ refused }) => refused)).toBe(0)
    // Only responses that the proxy was still reading from the killed instance break. It had buffered the others.
    expect(sum(({ broken }) => broken)).toBeLessThan(listenerCount / 10)
    expect(sound.recordedSeconds).toBeGreaterThan((phaseMs / 1000) * 5)
    expect(sound.joins).toBeGreaterThanOrEqual(2)
    expect(sound.silenceMs).toBeLessThan(150)
    expect(await readSoundState(page)).toMatchObject({ isPlaying: true })
    const own = problems.filter((problem) => !problem.startsWith('Permissions policy violation'))
    expect(own).toEqual([])
    await page.context().close()
  })
})

async function measure(cluster: Cluster, cookie: string, id: string) {
  const url = `${cluster.address}/api/tracks/${id}/stream`
  const response = await fetch(url, { headers: { cookie, range: 'bytes=0-0' } })
  expect(response.status).toBe(206)
  await response.body?.cancel()
  const bytes = Number(response.headers.get('content-range')?.split('/')[1])
  return { url, bytesPerSecond: bytes / trackSeconds }
}
