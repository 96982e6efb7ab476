// Tests that a long queue is restored after a reload and after the tab has crashed.
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeWav } from './harness/make-wav.ts'
import { insertPlaylist, insertTracks } from './harness/many-tracks.ts'
import { makePerson, openAs, type Person } from './harness/people.ts'
import { setStage, type Stage } from './harness/stage.ts'

const trackCount = 20_000

let stage: Stage
let mia: Person
let playlistId: string
// Sound for every track, because the tracks have no audio files.
const sound = makeWav(120, 262)

beforeAll(async () => {
  stage = await setStage()
  mia = await makePerson(stage.owner, 'mia', 'premium')
  const trackIds = await insertTracks(stage.dataDir, trackCount)
  playlistId = await insertPlaylist(stage.dataDir, { email: mia.email, title: 'Long', trackIds })
})

afterAll(() => stage.close())

async function openPlaying(): Promise<{ page: Page; context: BrowserContext; problems: string[] }> {
  const { page, problems } = await openAs(stage.browser, stage, mia, '/browse')
  await page
    .context()
    .route('**/stream**', (route) => route.fulfill({ body: sound, contentType: 'audio/wav' }))
  await page.goto(`${stage.url}/my-playlists/${playlistId}`)
  await page.getByRole('button', { name: 'Play All', exact: true }).click()
  await tool(page, 'Queue').click()
  await page.getByText('1 of 20,000').waitFor()
  return { page, context: page.context(), problems }
}

const bar = (page: Page) => page.getByRole('region', { name: 'Player', exact: true })
const tool = (page: Page, name: string) => bar(page).getByRole('button', { name, exact: true })
const queue = (page: Page) => page.getByRole('list', { name: 'Queue' })
const firstTitles = async (page: Page) =>
  (await queue(page).getByRole('listitem').allInnerTexts())
    .slice(0, 8)
    .map((text) => /Long \d+/.exec(text)?.[0])

async function reopenQueue(page: Page): Promise<string[]> {
  await tool(page, 'Queue').click()
  await page.getByText('of 20,000').first().waitFor()
  return firstTitles(page) as Promise<string[]>
}

/** Returns how many tracks the saved queue contains. */
const countSaved = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('velour-player', 1)
        opening.addEventListener('error', () => reject(opening.error))
        opening.addEventListener('success', () => {
          const read = opening.result.transaction('queues').objectStore('queues').getAll()
          read.addEventListener('success', () => {
            opening.result.close()
            // The tracks are in arrays, beside the record of the account.
            resolve(read.result.flatMap((record) => (Array.isArray(record) ? record : [])).length)
          })
        })
      }),
  )

test('restores 20,000 shuffled tracks after a reload right after the click on Shuffle', async () => {
  const { page, context, problems } = await openPlaying()
  await expect.poll(() => countSaved(page)).toBe(trackCount)
  await tool(page, 'Shuffle').click()
  await expect.poll(() => firstTitles(page)).not.toContain('Long 3')
  const before = await firstTitles(page)
  await page.reload()
  expect(await reopenQueue(page)).toEqual(before)
  expect(await tool(page, 'Shuffle').getAttribute('aria-pressed')).toBe('true')
  expect(problems).toEqual([])
  await context.close()
})

test('restores 20,000 tracks after the tab has crashed', async () => {
  const { page, context } = await openPlaying()
  await queue(page).getByRole('button', { name: 'Remove Long 3', exact: true }).click()
  await expect.poll(() => countSaved(page)).toBe(trackCount - 1)
  const cdp = await context.newCDPSession(page)
  const crashed = page.waitForEvent('crash')
  // Don't wait for this command. It never gets a response, because the renderer process crashes.
  void cdp.send('Page.crash').catch(() => {})
  await crashed
  const again = await context.newPage()
  await again.goto(`${stage.url}/browse`)
  await tool(again, 'Queue').click()
  await again.getByText('1 of 19,999').waitFor()
  expect((await firstTitles(again)).slice(0, 3)).toEqual(['Long 1', 'Long 2', 'Long 4'])
  await context.close()
})
