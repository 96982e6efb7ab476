// The command palette, by keyboard alone on a desk and by touch on a phone.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiClient, publishTrack } from './api-client.ts'
import { findBarriers, launchBrowser, listen } from './browser.ts'
import { makeWav } from './make-wav.ts'
import { insertPlaylist, insertTracks } from './many-tracks.ts'
import { makePerson, openAs, seeToast } from './people.ts'
import { admin, makeDataDir, removeDataDir, startService, type Service } from './service.ts'

let service: Service
let owner: ReturnType<typeof createApiClient>
let browser: Browser

beforeAll(async () => {
  service = await startService({ dataDir: await makeDataDir() })
  owner = createApiClient(service.url)
  await owner.signIn(admin)
  await publishTrack(owner, makeWav(12, 330), { title: 'Audible' })
  await insertTracks(service.dataDir, 2000)
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser.close()
  await service.stop()
  await removeDataDir(service.dataDir)
})

test('by keyboard alone: find a track, hear it, queue another, open a playlist', async () => {
  const person = await makePerson(owner, 'finder', 'premium')
  const { page, problems } = await openAs(browser, service, person, '/profile')
  await page.getByRole('heading', { name: 'Account Settings' }).waitFor()
  const own = await insertPlaylist(service.dataDir, {
    email: person.email,
    title: 'Slow mornings',
    trackIds: [],
  })
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox')
  await box.waitFor()
  expect(await findBarriers(page), 'empty').toEqual([])
  await page.keyboard.type('audib')
  await page.getByRole('option', { name: /^Audible/ }).waitFor()
  await page.keyboard.press('Enter')
  await box.waitFor({ state: 'detached' })
  await expect
    .poll(async () => (await listen(page))?.seconds ?? 0, { timeout: 8000 })
    .toBeGreaterThan(0.3)

  // Escape gives the focus back to where one was.
  await page.getByRole('button', { name: 'Find anything' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('group', { name: 'Recent' }).getByText('Audible').waitFor()
  // The newest answer counts: the older request is taken back.
  await page.keyboard.type('long 19')
  await page.getByText(/^All \d+ tracks in Browse$/).waitFor()
  await page.keyboard.type('99')
  await expect
    .poll(() => page.getByRole('group', { name: 'Tracks' }).getByRole('option').count(), {
      timeout: 8000,
    })
    .toBe(1)
  expect(await findBarriers(page), 'found').toEqual([])
  await page.keyboard.press('Shift+Enter')
  await seeToast(page, 'Added to queue')
  await page.keyboard.press('Escape')
  await box.waitFor({ state: 'detached' })
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
    'Find anything',
  )

  await page.keyboard.press('Control+k')
  await box.waitFor()
  await page.keyboard.type('slow morn')
  await page.getByRole('option', { name: /^Slow mornings/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${service.url}/my-playlists/${own}`)
  expect(problems).toEqual([])
  await page.context().close()
})

test('on a phone it takes the whole window; the back office is for admins only', async () => {
  const person = await makePerson(owner, 'thumb', 'free')
  const { page, problems } = await openAs(browser, service, person, '/browse', {
    width: 390,
    colorScheme: 'light',
  })
  await page.getByRole('button', { name: 'Find anything' }).tap()
  const dialog = page.getByRole('dialog', { name: 'Find anything' })
  const { width, height } = (await dialog.boundingBox())!
  expect([width, height]).toEqual([390, 900])
  expect(await page.getByRole('option', { name: 'Audit Log' }).count()).toBe(0)
  await page.getByRole('combobox').fill('nothing like it')
  await page.getByText('Nothing matches “nothing like it”.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('combobox').fill('subs')
  await page.getByRole('option', { name: 'Subscribe' }).tap()
  await page.waitForURL(`${service.url}/subscribe`)
  expect(problems).toEqual([])
  await page.context().close()

  const office = await openAs(browser, service, { id: '', ...admin }, '/browse')
  await office.page.getByRole('button', { name: 'Find anything' }).click()
  await office.page.getByRole('combobox').waitFor()
  await office.page.keyboard.type('audit')
  await office.page.keyboard.press('Enter')
  await office.page.waitForURL(`${service.url}/admin/audit`)
  await office.page.context().close()
})
