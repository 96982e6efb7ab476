// Tests playback of downloads: a downloaded playlist opens, plays and seeks without a network and without a server. It
// does not play without Premium, after a sign-out, or after the lease (its allowed time offline) has expired.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiClient, publishTrack } from './harness/api-client.ts'
import { findViolations, readPlayingSound, openPage } from './harness/browser.ts'
import { makeWav } from './harness/make-wav.ts'
import { signIn } from './harness/members.ts'
import { admin } from './harness/service.ts'
import { setStage, type Stage } from './harness/stage.ts'

const password = 'a-listeners-password'
const trackSeconds = 20

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
  for (const [title, frequency] of [
    ['Third Light', 392],
    ['Second Wave', 330],
    ['First Harbour', 262],
  ] as const) {
    await publishTrack(stage.owner, makeWav(trackSeconds, frequency), { title })
  }
})

afterAll(() => stage.close())

interface Listener {
  id: string
  email: string
  playlistId: string
  page: Page
  problems: string[]
}

/** Creates a Premium member with a playlist of all tracks, signs in and opens the playlist. */
async function openListener(name: string): Promise<Listener> {
  const email = `${name}@example.com`
  const created = await stage.owner.send('POST', '/api/admin-users', { email, password })
  const id = created.body['id'] as string
  await setTier(id, 'premium')
  const client = createApiClient(stage.url)
  await client.signIn({ email, password })
  const { body: playlist } = await client.send('POST', '/api/playlists', { title: 'Night Train' })
  const { body: tracks } = await client.send('GET', '/api/tracks')
  for (const { id: track_id } of tracks['data'] as { id: string }[]) {
    await client.send('POST', `/api/playlists/${String(playlist['id'])}/tracks`, { track_id })
  }
  const { page, problems } = await openPage(stage.browser)
  await signIn(page, stage, { email, password })
  const playlistId = playlist['id'] as string
  await page.goto(`${stage.url}/my-playlists/${playlistId}`)
  return { id, email, playlistId, page, problems }
}

const setTier = (id: string, subscription_tier: string) =>
  stage.owner.send('PATCH', `/api/admin-users/${id}/subscription`, { subscription_tier })

/** Downloads the playlist that is open, and waits until the download is complete. */
async function download(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
  await page.getByRole('button', { name: 'Download for Offline' }).click()
  await page.getByRole('button', { name: 'Downloaded for Offline' }).waitFor()
}

/** Returns the paths of the audio files that are downloaded to the device. */
const listDownloadedFiles = (page: Page) =>
  page.evaluate(async () => {
    const paths: string[] = []
    for (const name of await caches.keys()) {
      for (const { url } of await (await caches.open(name)).keys()) {
        if (new URL(url).pathname.startsWith('/offline/')) paths.push(new URL(url).pathname)
      }
    }
    return paths
  })

const statusOf = (page: Page, path: string) =>
  page.evaluate(async (url) => (await fetch(url)).status, path)

/** Plays the playlist that is open, seeks, and goes on to the next track. */
async function expectMusic(page: Page): Promise<void> {
  const playback = page.getByRole('group', { name: 'Playback' })
  await page.getByRole('button', { name: 'Play All' }).click()
  await expect.poll(async () => (await readPlayingSound(page))?.seconds ?? 0).toBeGreaterThan(0.5)
  const sound = await readPlayingSound(page)
  expect(sound!.source).toContain('/offline/')
  expect(sound!.durationSeconds).toBeCloseTo(trackSeconds, 0)
  expect(sound!.decodedBytes).toBeGreaterThan(0)
  await page.getByRole('slider', { name: 'Seek' }).fill('12')
  await expect.poll(async () => (await readPlayingSound(page))!.seconds).toBeGreaterThan(12.3)
  await playback.getByRole('button', { name: 'Next', exact: true }).click()
  await page.getByRole('region', { name: 'Player' }).getByText('Second Wave').first().waitFor()
  await expect.poll(async () => (await readPlayingSound(page))?.isPlaying).toBe(true)
}

test('plays a downloaded playlist offline, applies changes to it, and deletes the files on removal and sign-out', async () => {
  const { page, playlistId, problems } = await openListener('traveller')
  await download(page)
  const files = await listDownloadedFiles(page)
  expect(files).toHaveLength(3)

  const titleTop = () => page.locator('h1').evaluate((title) => title.getBoundingClientRect().top)
  const topBefore = await titleTop()
  await page.context().setOffline(true)
  await page.getByText('You are offline', { exact: true }).waitFor()
  expect(await titleTop(), 'the notice moves nothing').toBe(topBefore)
  await page.goto(`${stage.url}/my-playlists`)
  await page.getByText('You are offline', { exact: true }).waitFor()
  await page.getByRole('link', { name: /Night Train/ }).click()
  await page.waitForURL(`${stage.url}/my-playlists/${playlistId}`)
  await expectMusic(page)

  // Check that downloaded files contain sound and support range requests.
  const { loudness, part } = await page.evaluate(async (url) => {
    const bytes = await (await fetch(url)).arrayBuffer()
    const audio = await new OfflineAudioContext(2, 48_000, 48_000).decodeAudioData(bytes)
    const samples = audio.getChannelData(0)
    const energy = samples.reduce((sum, sample) => sum + sample * sample, 0)
    const response = await fetch(url, { headers: { range: 'bytes=1000-1999' } })
    return {
      loudness: Math.sqrt(energy / samples.length),
      part: {
        status: response.status,
        range: response.headers.get('content-range')?.split('/')[0],
        size: (await response.arrayBuffer()).byteLength,
      },
    }
  }, files[0]!)
  expect(loudness).toBeGreaterThan(0.02)
  expect(part).toEqual({ status: 206, range: 'bytes 1000-1999', size: 1000 })
  expect(await findViolations(page)).toEqual([])

  // Other screens say that they need a connection, and work again when the network is back.
  await page.goto(`${stage.url}/browse`)
  await page.getByText('You are offline. This needs a connection.').first().waitFor()
  await page.context().setOffline(false)
  await page.getByText('First Harbour').first().waitFor()
  await page.getByText('You are offline', { exact: true }).waitFor({ state: 'detached' })

  // A change of the playlist changes the download. It can be removed on the profile.
  await page.goto(`${stage.url}/my-playlists?playlist=${playlistId}`)
  await page.getByRole('button', { name: 'Remove Second Wave' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.poll(() => listDownloadedFiles(page)).toHaveLength(2)
  await page.goto(`${stage.url}/profile`)
  await page.getByRole('link', { name: 'Night Train' }).waitFor()
  await page.getByRole('button', { name: 'Remove download of Night Train' }).click()
  await expect.poll(() => listDownloadedFiles(page)).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => listDownloadedFiles(page)).toHaveLength(2)
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.waitForURL(`${stage.url}/`)
  await expect.poll(() => listDownloadedFiles(page)).toEqual([])
  expect(await statusOf(page, files[0]!)).toBe(403)
  expect(problems).toEqual([])
  await page.context().close()
})

test('deletes downloads when Premium ends, and offers free members no downloads', async () => {
  const { page, id, email, playlistId } = await openListener('lapsing')
  await download(page)
  const [file] = await listDownloadedFiles(page)
  expect(await statusOf(page, file!)).toBe(200)
  await setTier(id, 'free')
  await page.getByText('Your downloads were removed', { exact: true }).waitFor()
  await expect.poll(() => listDownloadedFiles(page)).toEqual([])
  expect(await statusOf(page, file!)).toBe(403)

  await page.getByRole('button', { name: 'Download for Offline' }).click({ force: true })
  await page.getByText('Premium only').first().waitFor()
  await page.goto(`${stage.url}/playlist/${playlistId}`)
  const toggle = page.getByRole('switch', { name: 'Download for Offline' })
  await expect.poll(() => toggle.isDisabled()).toBe(true)
  const client = createApiClient(stage.url)
  await client.signIn({ email, password })
  expect((await client.fetch('/api/offline-lease')).status).toBe(403)

  await page.context().setOffline(true)
  await page.goto(`${stage.url}/my-playlists`)
  await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  await page.context().close()
})

test('does not play downloads offline after the lease has expired, or for another account', async () => {
  const { page, email, playlistId } = await openListener('hermit')
  await download(page)
  const [file] = await listDownloadedFiles(page)
  await page.context().setOffline(true)
  expect(await statusOf(page, file!)).toBe(200)
  // Set the end of the lease thirty days earlier.
  await page.evaluate(
    (ms) =>
      new Promise((resolve, reject) => {
        const opening = indexedDB.open('velour-offline')
        opening.addEventListener('error', reject)
        opening.addEventListener('success', () => {
          const store = opening.result.transaction('facts', 'readwrite').objectStore('facts')
          const reading = store.get('person')
          reading.addEventListener('success', () => {
            const person = reading.result as { lease_ends_ms: number }
            const writing = store.put(
              { ...person, lease_ends_ms: person.lease_ends_ms - ms },
              'person',
            )
            writing.addEventListener('success', resolve)
          })
        })
      }),
    30 * 24 * 3600 * 1000,
  )
  expect(await statusOf(page, file!)).toBe(403)
  await page.goto(`${stage.url}/my-playlists`)
  await page.getByRole('heading', { name: 'You are offline' }).waitFor()
  await expect.poll(() => listDownloadedFiles(page)).toEqual([])

  await page.context().setOffline(false)
  await page.goto(`${stage.url}/my-playlists/${playlistId}`)
  await download(page)
  // After the session has expired, the files can't be read until their owner signs in again.
  await page.context().clearCookies()
  await page.goto(stage.url)
  await expect.poll(() => statusOf(page, file!)).toBe(403)
  await signIn(page, stage, { email, password })
  await expect.poll(() => statusOf(page, file!)).toBe(200)
  await page.context().clearCookies()
  await signIn(page, stage, admin)
  await expect.poll(() => listDownloadedFiles(page)).toEqual([])
  expect(await statusOf(page, file!)).toBe(403)
  await page.context().close()
})

// Must be the last test, because it stops the server.
test('starts the app and plays downloaded tracks while the server is stopped', async () => {
  const { page, playlistId } = await openListener('steadfast')
  await download(page)
  await stage.stop()
  await page.goto(`${stage.url}/my-playlists/${playlistId}`)
  await page.getByText('The server cannot be reached', { exact: true }).waitFor()
  await expectMusic(page)
  expect(await listDownloadedFiles(page)).toHaveLength(3)
  await page.context().close()
})
