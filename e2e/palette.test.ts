// Tests the command palette: with the keyboard only on desktop, and by touch on a phone.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishTrack } from './harness/api-client.ts'
import { findViolations, readPlayingSound } from './harness/browser.ts'
import { makeWav } from './harness/make-wav.ts'
import { insertPlaylist, insertTracks } from './harness/many-tracks.ts'
import { makePerson, openAs, expectToast } from './harness/people.ts'
import { admin } from './harness/service.ts'
import { setStage, type Stage } from './harness/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
  await publishTrack(stage.owner, makeWav(12, 330), { title: 'Audible' })
  await insertTracks(stage.dataDir, 2000)
})

afterAll(() => stage.close())

const searchBox = (page: Page) => page.getByRole('combobox', { name: /^Find tracks/ })

test('finds and plays a track, queues another one and opens a playlist, by keyboard only', async () => {
  const person = await makePerson(stage.owner, 'finder', 'premium')
  const { page, problems } = await openAs(stage.browser, stage, person, '/profile')
  await page.getByRole('heading', { name: 'Account Settings' }).waitFor()
  const own = await insertPlaylist(stage.dataDir, {
    email: person.email,
    title: 'Slow mornings',
    trackIds: [],
  })
  await page.keyboard.press('Control+k')
  const box = searchBox(page)
  await box.waitFor()
  expect(await findViolations(page), 'empty').toEqual([])
  await page.keyboard.type('audib')
  await page.getByRole('option', { name: /^Audible/ }).waitFor()
  await page.keyboard.press('Enter')
  await box.waitFor({ state: 'detached' })
  await expect.poll(async () => (await readPlayingSound(page))?.seconds ?? 0).toBeGreaterThan(0.3)

  // After Escape, the focus must be where it was before the palette was opened.
  await page.getByRole('button', { name: 'Find anything' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('group', { name: 'Recent' }).getByText('Audible').waitFor()
  // A newer query aborts the request of an older one.
  await page.keyboard.type('long 19')
  await page.getByText(/^All \d+ tracks in Browse$/).waitFor()
  await page.keyboard.type('99')
  await expect
    .poll(() => page.getByRole('group', { name: 'Tracks' }).getByRole('option').count())
    .toBe(1)
  expect(await findViolations(page), 'found').toEqual([])
  await page.keyboard.press('Shift+Enter')
  await expectToast(page, 'Added to queue')
  await page.keyboard.press('Escape')
  await box.waitFor({ state: 'detached' })
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Find anything')

  await page.keyboard.press('Control+k')
  await box.waitFor()
  await page.keyboard.type('slow morn')
  await page.getByRole('option', { name: /^Slow mornings/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${stage.url}/my-playlists/${own}`)
  expect(problems).toEqual([])
  await page.context().close()
})

test('lists a track with exactly this title before newer matches, and ignores accents', async () => {
  const person = await makePerson(stage.owner, 'ranker', 'free')
  for (const [title, artist] of [
    ['Élan', 'Nobody'],
    ['Morning elan', 'Nobody'],
    ['Newest', 'Elan'],
  ] as const) {
    await publishTrack(stage.owner, makeWav(1, 440), { title, artist })
  }
  const { page } = await openAs(stage.browser, stage, person, '/profile')
  await page.getByRole('heading', { name: 'Account Settings' }).waitFor()
  await page.keyboard.press('Control+k')
  await searchBox(page).fill('elan')
  const found = page.getByRole('group', { name: 'Tracks' }).getByRole('option')
  await found.getByText('Élan', { exact: true }).waitFor()
  const titles = (await found.allInnerTexts()).map((text) => text.split('\n')[0])
  expect(titles).toEqual(['Élan', 'Morning elan', 'Newest'])
  await page.context().close()
})

test('fills the window on a phone, and lists back-office screens for admins only', async () => {
  const person = await makePerson(stage.owner, 'thumb', 'free')
  const { page, problems } = await openAs(stage.browser, stage, person, '/browse', {
    width: 390,
    colorScheme: 'light',
  })
  await page.getByRole('button', { name: 'Find anything' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Find anything' })
  const { width, height } = (await dialog.boundingBox())!
  expect([width, height]).toEqual([390, 900])
  expect(await page.getByRole('option', { name: 'Audit Log' }).count()).toBe(0)
  await searchBox(page).fill('nothing like it')
  await page.getByText('Nothing matches “nothing like it”.').waitFor()
  expect(await findViolations(page)).toEqual([])
  await searchBox(page).fill('subs')
  await page.getByRole('option', { name: 'Subscribe' }).tap()
  await page.waitForURL(`${stage.url}/subscribe`)
  expect(problems).toEqual([])
  await page.context().close()

  const office = await openAs(stage.browser, stage, { id: '', ...admin }, '/browse')
  await office.page.getByRole('button', { name: 'Find anything' }).click()
  await searchBox(office.page).waitFor()
  await office.page.keyboard.type('audit')
  await office.page.keyboard.press('Enter')
  await office.page.waitForURL(`${stage.url}/admin/audit`)
  await office.page.context().close()
})
