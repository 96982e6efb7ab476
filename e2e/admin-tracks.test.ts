// Tests tracks in the back office: adding, sorting, bulk changes, deleting, and live updates between two admins.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectNoFaults, expectToast, openBackOffice, type BackOffice } from './back-office.ts'
import { makeWav } from './harness/make-wav.ts'

let office: BackOffice
let page: Page

beforeAll(async () => {
  office = await openBackOffice(['First Harbour', 'Second Wave', 'Third Light'])
  page = await office.open('library')
})
afterAll(() => office.close())

const publishSwitch = (on: Page, title: string) =>
  on.getByRole('switch', { name: `Publish ${title}`, includeHidden: true })

test("shows one admin's change to the other without losing open edits or the selection", async () => {
  const other = await office.open('tracks')
  await other.getByRole('heading', { name: 'Tracks (3 total)' }).waitFor()
  await other.getByRole('checkbox', { name: 'Select Second Wave' }).check()
  await other.getByRole('button', { name: 'Edit Third Light', exact: true }).click()
  const dialog = other.getByRole('dialog', { name: 'Edit Track' })
  await dialog.getByLabel('Title').fill('Third Light, typed')

  await page.getByRole('heading', { name: 'Track Library' }).waitFor()
  await page.getByText('All Tracks (3)', { exact: true }).waitFor()
  await expect.poll(() => publishSwitch(other, 'First Harbour').isChecked()).toBe(true)
  const saved = page.waitForResponse((response) => response.url().endsWith('/unpublish'))
  await publishSwitch(page, 'First Harbour').click()
  await saved
  await expect
    .poll(() => publishSwitch(other, 'First Harbour').isChecked(), { interval: 20 })
    .toBe(false)

  expect(await dialog.getByLabel('Title').inputValue()).toBe('Third Light, typed')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(other, 'Track updated successfully')
  await page.getByText('Third Light, typed').first().waitFor()
  expect(await other.getByRole('checkbox', { name: 'Select Second Wave' }).isChecked()).toBe(true)
  await other.context().close()
})

test('stores sort order, search and filters in the URL', async () => {
  await page.getByRole('button', { name: 'Title', exact: true }).click()
  await page.getByLabel('Search tracks').fill('wave')
  await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('wave')
  await page.reload()
  await page.getByText('All Tracks (1)', { exact: true }).waitFor()
  const heading = page.getByRole('columnheader', { name: 'Title' })
  await expect.poll(() => heading.getAttribute('aria-sort')).toMatch(/ending$/)
  await page.getByLabel('Search tracks').fill('nothing like it')
  await page.getByText('No tracks found', { exact: true }).waitFor()
  await page.getByLabel('Search tracks').fill('')
  await page.getByText('All Tracks (3)', { exact: true }).waitFor()
})

test('shows errors for missing fields, then adds the track', async () => {
  await page.getByRole('button', { name: 'Add Track' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Track' })
  const add = dialog.getByRole('button', { name: 'Add Track' })
  await add.click()
  await expectToast(page, 'Validation Error', 'Title is required')
  await dialog.getByLabel('Title').fill('Fourth Shore')
  await dialog.getByLabel('Artist').fill('')
  await add.click()
  await expectToast(page, 'Validation Error', 'Artist is required')
  await dialog.getByLabel('Artist').fill('Somebody')
  await dialog.getByLabel('Duration (seconds)').fill('-1')
  await add.click()
  await expectToast(page, 'Validation Error', 'Duration must be non-negative')
  await dialog.getByLabel('Duration (seconds)').fill('')
  await add.click()
  await expectToast(page, 'Validation Error', 'Audio file required')
  await expectNoFaults(page)
  await dialog.getByLabel('Audio File').setInputFiles({
    name: 'fourth.wav',
    mimeType: 'audio/wav',
    buffer: makeWav(2, 500),
  })
  await dialog.getByLabel('Published').check()
  await add.click()
  await expectToast(page, 'Track added successfully')
  await page.getByText('All Tracks (4)', { exact: true }).waitFor()
  // The row shows the progress until the track is processed.
  const work = page.getByRole('table').getByText(/^Processing,|^Waiting to be processed$/)
  await expect.poll(() => work.count(), { timeout: 60_000 }).toBe(0)
  await expect.poll(() => publishSwitch(page, 'Fourth Shore').isChecked()).toBe(true)
})

test('moves and deletes selected tracks in bulk, and undoes a deletion', async () => {
  await page.goto(`${office.url}/admin/tracks`)
  await page.getByRole('checkbox', { name: 'Select all tracks on this page' }).check()
  const bar = page.getByRole('region', { name: 'Selected tracks' })
  await bar.getByText('4 tracks selected', { exact: true }).waitFor()
  await expectNoFaults(page)
  await bar.getByLabel('Set category').selectOption('focus')
  await expectToast(page, '4 tracks moved')
  await expect.poll(() => page.getByRole('cell', { name: 'Focus', exact: true }).count()).toBe(4)

  await page.getByRole('checkbox', { name: 'Select Fourth Shore' }).check()
  await bar.getByRole('button', { name: 'Delete' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText('Are you sure you want to delete this track?', { exact: true }).waitFor()
  // The Cancel button has the focus, so Enter deletes nothing.
  await page.keyboard.press('Enter')
  await question.waitFor({ state: 'hidden' })
  await bar.getByRole('button', { name: 'Delete' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('heading', { name: 'Tracks (3 total)' }).waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expectToast(page, '1 track restored')
  await page.getByRole('heading', { name: 'Tracks (4 total)' }).waitFor()
  expect(await publishSwitch(page, 'Fourth Shore').isChecked()).toBe(true)

  const row = page.getByRole('button', { name: 'Actions for Fourth Shore' })
  const deleteOne = async () => {
    await row.click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Tracks (3 total)' }).waitFor()
  }
  await deleteOne()
  await page.keyboard.press('Control+z')
  await expectToast(page, 'Track restored', 'Fourth Shore')
  await row.waitFor()
  await deleteOne()
  await expectToast(page, 'Track deleted successfully', 'Fourth Shore')
})

test('opens the form of a track from its URL, also by keyboard', async () => {
  const { body } = await office.owner.send('GET', '/api/admin-tracks?q=second')
  const [track] = body['data'] as { id: string }[]
  await page.goto(`${office.url}/admin/library?edit=${track!.id}`)
  const dialog = page.getByRole('dialog', { name: 'Edit Track' })
  await dialog.getByText('Leave empty to keep current file').waitFor()
  await expect.poll(() => dialog.getByLabel('Title').inputValue()).toBe('Second Wave')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(new URL(page.url()).search).toBe('')
  const sidebar = page.getByRole('navigation', { name: 'Admin' })
  const openWidth = (await sidebar.boundingBox())!.width
  await page.keyboard.press('Control+b')
  await expect.poll(async () => (await sidebar.boundingBox())!.width).toBeLessThan(50)
  const [cookie] = (await page.context().cookies()).filter(({ name }) => name === 'sidebar_state')
  expect(cookie!.expires - Date.now() / 1000).toBeCloseTo(7 * 24 * 3600, -2)
  await page.reload()
  expect((await sidebar.boundingBox())!.width).toBeLessThan(50)
  await page.keyboard.press('Control+b')
  await expect.poll(async () => (await sidebar.boundingBox())!.width).toBe(openWidth)
  expect(office.problems).toEqual([])
})
