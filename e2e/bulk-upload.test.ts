// Tests dropping a folder on the library: every file is uploaded exactly once, despite a network outage and a reload.
// BULK_FILES sets the number of files, and BULK_CUT_SECONDS the length of the outage.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminTrack } from '../contract/admin/admin-tracks.ts'
import { findViolations, openPage } from './harness/browser.ts'
import { dropFiles } from './harness/drop-files.ts'
import { makeWav } from './harness/make-wav.ts'
import { admin, waitUntil } from './harness/service.ts'
import { setStage, type Stage } from './harness/stage.ts'

const fileCount = Number(process.env['BULK_FILES'] ?? 40)
const cutSeconds = Number(process.env['BULK_CUT_SECONDS'] ?? 2)
const timeoutMs = 60_000 + fileCount * 2000

let folder: string
let stage: Stage

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-drop-'))
  await makeFolder(join(folder, 'album'))
  stage = await setStage()
}, 120_000)

afterAll(async () => {
  await stage?.close()
  await rm(folder, { recursive: true })
})

/**
 * Creates recordings in two folders, with other files that such folders contain: a copy, a text file, an empty file and
 * system files.
 */
async function makeFolder(path: string): Promise<void> {
  await mkdir(join(path, 'second disc'), { recursive: true })
  for (let i = 0; i < fileCount; i++) {
    const place = i % 2 ? 'second disc' : '.'
    await writeFile(join(path, place, `${i} - Ada - Song ${i}.wav`), makeWav(1, 200 + i))
  }
  await writeFile(join(path, 'a copy.wav'), makeWav(1, 200))
  await writeFile(join(path, 'notes.txt'), 'not music')
  await writeFile(join(path, 'empty.wav'), '')
  await writeFile(join(path, '.DS_Store'), 'system')
}

async function openLibrary(): Promise<{ page: Page; problems: string[] }> {
  const opened = await openPage(stage.browser)
  await opened.page.context().request.post(`${stage.url}/api/auth/sign-in/email`, { data: admin })
  await opened.page.goto(`${stage.url}/admin/library`)
  await opened.page.getByRole('heading', { name: 'Track Library' }).waitFor()
  return opened
}

const countArrived = async (page: Page) => {
  const progressText = await page.getByText(/of [\d,]+ files? uploaded/).textContent()
  return Number(progressText?.split(' ')[0]?.replace(',', ''))
}

async function allTracks(): Promise<AdminTrack[]> {
  const tracks: AdminTrack[] = []
  for (let page = 1; ; page++) {
    const { body } = await stage.owner.send('GET', `/api/admin-tracks?page_size=200&page=${page}`)
    const { data, pagination } = body as {
      data: AdminTrack[]
      pagination: { total_pages: number }
    }
    tracks.push(...data)
    if (page >= pagination.total_pages) return tracks
  }
}

test('uploads each file once despite an outage and a reload', { timeout: timeoutMs }, async () => {
  const { page, problems } = await openLibrary()
  await dropFiles(page, [join(folder, 'album')])
  await page.getByRole('heading', { name: 'Bulk upload' }).waitFor()
  const wait = (isSo: () => Promise<boolean>, what: string) => waitUntil(isSo, timeoutMs / 2, what)
  await wait(async () => (await countArrived(page)) >= fileCount / 4, 'the first quarter')

  // The list renders only visible rows, so show only those in progress.
  await page.getByRole('button', { name: /^In progress/ }).click()
  await page.context().setOffline(true)
  await page.getByText('Waiting for the network').first().waitFor()
  await sleep(cutSeconds * 1000)
  const atCut = await countArrived(page)
  expect(atCut).toBeLessThan(fileCount)
  await page.context().setOffline(false)
  await wait(async () => (await countArrived(page)) >= Math.max(atCut + 1, fileCount / 2), 'a half')

  await page.reload()
  await page.getByText(`of ${fileCount} files uploaded`).waitFor()
  // Uploads continue while another screen is open. The top bar shows their progress.
  await page.getByRole('link', { name: 'Genres' }).click()
  const chip = page.getByRole('link', { name: /^Uploads: / })
  if (await chip.isVisible()) await chip.click()
  else await page.goto(`${stage.url}/admin/library/upload`)
  await wait(async () => (await countArrived(page)) === fileCount, 'all of them')

  const tracks = await allTracks()
  const titles = new Set(tracks.map(({ title }) => title))
  expect([tracks.length, titles.size]).toEqual([fileCount, fileCount])
  expect(titles.has(`Song ${fileCount - 1}`)).toBe(true)
  expect(tracks.every(({ artist, is_published }) => artist === 'Ada' && !is_published)).toBe(true)
  const filters = page.getByRole('group', { name: 'Filter files' })
  await filters.getByRole('button', { name: 'Duplicates 1' }).click()
  await page.getByText(/^Same as “0 - Ada - Song 0\.wav”|^Already in the library/).waitFor()
  await filters.getByRole('button', { name: 'Skipped 2' }).click()
  await page.getByText('Skipped: Not an audio file').waitFor()
  await filters.getByRole('button', { name: 'Failed 1' }).click()
  await page.getByText('The file is empty.').waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(
    problems.filter((text) => !/ERR_INTERNET_DISCONNECTED|Failed to fetch/.test(text)),
  ).toEqual([])
  await page.context().close()
})

test(
  'resumes the upload of a large file after a reload, and sends only the missing parts',
  { timeout: 120_000 },
  async () => {
    const { page, problems } = await openLibrary()
    const large = join(folder, 'large')
    await mkdir(large)
    const wav = makeWav(600, 1500)
    await writeFile(join(large, 'Ada - Long.wav'), wav)
    const acknowledged: string[] = []
    page.on('response', (response) => {
      if (response.request().method() === 'PUT' && response.ok()) {
        acknowledged.push(new URL(response.url()).pathname)
      }
    })
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    const limits = { offline: false, latency: 0, downloadThroughput: -1 }
    await devtools.send('Network.emulateNetworkConditions', {
      ...limits,
      uploadThroughput: 3_000_000,
    })
    await dropFiles(page, [large])
    await waitUntil(async () => acknowledged.length >= 2, 60_000, 'two parts')
    await page.reload()
    await page.getByText('1 of 1 file uploaded').waitFor({ timeout: 60_000 })
    const parts = acknowledged.filter((path) => path.includes('/parts/'))
    expect(parts).toHaveLength(Math.ceil(wav.length / (8 * 1024 ** 2)))
    expect(new Set(parts).size).toBe(parts.length)
    expect(problems).toEqual([])
    const long = (await allTracks()).filter(({ title }) => title === 'Long')
    expect(long).toMatchObject([{ artist: 'Ada' }])
    await page.context().close()
  },
)

test('edits uploaded tracks in bulk and saves them together', { timeout: 60_000 }, async () => {
  const { page } = await openLibrary()
  const folderOfTwo = join(folder, 'two')
  await mkdir(folderOfTwo)
  for (const name of ['One', 'Two']) {
    await writeFile(join(folderOfTwo, `${name}.wav`), makeWav(1, name === 'One' ? 1000 : 1001))
  }
  await dropFiles(page, [folderOfTwo])
  await page.getByText('2 of 2 files uploaded').waitFor()
  await page.getByRole('tab', { name: 'Details of 2 tracks' }).click()
  const title = page.locator('[data-row="0"] [data-column="title"]')
  await title.fill('First Light')
  await title.press('Enter')
  const focusedRow = () =>
    page.evaluate(() => document.activeElement?.closest('[data-row]')?.getAttribute('data-row'))
  await expect.poll(focusedRow).toBe('1')
  await page.getByRole('checkbox', { name: 'Select all tracks' }).check()
  await page.getByRole('textbox', { name: 'Set artist' }).fill('Ada and Bob')
  await page.getByRole('textbox', { name: 'Set artist' }).press('Enter')
  await page.getByRole('combobox', { name: 'Set disclosure' }).selectOption('human')
  await page.getByText('2 tracks have unsaved changes.').first().waitFor()
  await page.keyboard.press('Control+S')
  await page.getByText('2 tracks updated successfully').first().waitFor()
  await page.getByText('All changes saved.').waitFor()
  expect(await findViolations(page)).toEqual([])
  const tracks = await allTracks()
  const edited = tracks.filter(({ artist }) => artist === 'Ada and Bob')
  const names = edited.map(({ title: name, ai_disclosure }) => `${name}, ${ai_disclosure}`)
  // The two tracks may be in either order.
  expect(names).toContain('First Light, human')
  expect([names.length, names.every((name) => name.endsWith('human'))]).toEqual([2, true])
  await page.context().close()
})
