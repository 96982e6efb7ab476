// Tests that a member can play and download music in Firefox and WebKit. Records the sound.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishTrack, signInOwner, type ApiClient } from '../harness/api-client.ts'
import { makeWav } from '../harness/make-wav.ts'
import { insertPlaylist } from '../harness/many-tracks.ts'
import { makePerson, type Person } from '../harness/people.ts'
import { startService, type Service } from '../harness/service.ts'
import type { EnginePage } from './engine-page.ts'
import { engines, readPlayerState, signIn, watchReloads } from './engines.ts'
import { click, has, waitFor } from './find-by-role.ts'
import { openSoundDevice, type SoundDevice } from './sound-device.ts'

const trackSeconds = 60
/** A little longer than the time after which the player reloads a file that seems stuck. */
const recoveryMs = 13_000
/** Shorter than the half second of silence that a reload of the file causes. */
const maxSilenceMs = 300

let service: Service
let owner: ApiClient
let device: SoundDevice
let premium: Person
let free: Person

beforeAll(async () => {
  device = await openSoundDevice()
  service = await startService()
  owner = await signInOwner(service.url)
  premium = await makePerson(owner, 'premium-listener', 'premium')
  free = await makePerson(owner, 'free-listener', 'free')
  const trackIds: string[] = []
  for (const [title, frequency] of [
    ['Second Wave', 330],
    ['First Harbour', 262],
  ] as const) {
    const { id } = await publishTrack(owner, makeWav(trackSeconds, frequency), { title })
    trackIds.unshift(id)
  }
  await insertPlaylist(service.dataDir, { email: premium.email, title: 'For the road', trackIds })
}, 180_000)

afterAll(async () => {
  await service.remove()
  await device.close()
})

describe.each(engines)('$engine', ({ launch }) => {
  let page: EnginePage

  beforeAll(async () => {
    page = await launch({ soundServer: device.server })
    await page.resize(1440, 900)
  })

  afterAll(() => page.close())

  test('continues after a seek and into the next track, without a loading ring or a reload', async () => {
    await signIn(page, service.url, premium)
    await page.goto(`${service.url}/browse`)
    await click(page, 'button', 'Play All')
    await expect.poll(async () => (await readPlayerState(page)).seconds).toBeGreaterThan(0.5)
    await watchReloads(page)
    const recording = await device.record()
    await seekTo(page, 20)
    await sleep(recoveryMs)
    const afterSeek = await readPlayerState(page)
    expect(afterSeek).toMatchObject({ isPlaying: true, isWaiting: false, reloads: 0 })
    expect(afterSeek.seconds).toBeGreaterThan(20 + recoveryMs / 1000 - 3)
    const seekSound = await recording.stop()

    await seekTo(page, trackSeconds - 3)
    await expect.poll(async () => (await readPlayerState(page)).source).not.toBe(afterSeek.source)
    const reloadsAtChange = (await readPlayerState(page)).reloads
    const next = await device.record()
    await sleep(recoveryMs)
    const afterChange = await readPlayerState(page)
    expect(afterChange).toMatchObject({ isPlaying: true, isWaiting: false })
    expect(afterChange.seconds).toBeGreaterThan(recoveryMs / 1000 - 3)
    expect(afterChange.reloads).toBe(reloadsAtChange)
    const nextSound = await next.stop()
    for (const sound of [seekSound, nextSound]) {
      expect(sound.peak).toBeGreaterThan(0.01)
      expect(sound.peak).toBeLessThan(1)
    }
    expect(nextSound.longestSilenceMs).toBeLessThan(maxSilenceMs)
  })

  test('downloads a playlist', async () => {
    await signIn(page, service.url, premium)
    await page.goto(`${service.url}/my-playlists`)
    await click(page, 'button', /For the road/)
    await click(page, 'button', 'Download for Offline')
    await waitFor(page, 'button', 'Downloaded for Offline')
    expect(await has(page, 'button', 'Download for Offline')).toBe(false)
  })

  test('shows a free member a notice at the end of a preview', async () => {
    await signIn(page, service.url, free)
    await page.goto(`${service.url}/browse`)
    await click(page, 'button', 'Play All')
    await expect.poll(async () => (await readPlayerState(page)).seconds).toBeGreaterThan(0.5)
    expect((await readPlayerState(page)).source).toContain('/preview')
    await seekTo(page, 43)
    await waitFor(page, 'button', 'Upgrade Now')
    expect((await readPlayerState(page)).isPlaying).toBe(false)
    expect(await has(page, 'button', 'Dismiss')).toBe(true)
  })
})

/** Moves the Seek slider like assistive technology: sets its value and fires its events. */
async function seekTo(page: EnginePage, seconds: number): Promise<void> {
  await page.evaluate((value) => {
    const slider = document.querySelector<HTMLInputElement>('input[type=range][aria-label=Seek]')!
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!
    set!.call(slider, String(value))
    slider.dispatchEvent(new Event('input', { bubbles: true }))
    slider.dispatchEvent(new Event('change', { bubbles: true }))
  }, seconds)
}
