// Users, the audit log and the settings of the back office, by their words.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSound, expectToast, openBackOffice, type BackOffice } from './back-office.ts'
import { admin } from './service.ts'

let office: BackOffice
let page: Page
const person = { email: 'new@example.com', password: 'a-new-password' }

beforeAll(async () => {
  office = await openBackOffice([])
  page = await office.open('settings')
})
afterAll(() => office.close())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const rowOf = (on: Page, email: string) => on.getByRole('row').filter({ hasText: email })

async function readDownload(on: Page, name: RegExp, click: () => Promise<void>): Promise<string> {
  const started = on.waitForEvent('download')
  await click()
  const download = await started
  expect(download.suggestedFilename()).toMatch(name)
  return readFile(await download.path(), 'utf8')
}

test('settings are saved as a whole, and shown to the other admin', async () => {
  const other = await office.open('settings')
  await page.getByText('Last updated: Never', { exact: true }).waitFor()
  await page.getByLabel('Preview Length (seconds)').fill('0')
  await page.getByText('Prevent non-admin users from accessing the app').waitFor()
  await expectSound(page)
  await page.getByRole('tab', { name: 'Stripe' }).click()
  await page.getByLabel('Monthly Price (cents)').fill('1234')
  await page.getByLabel('Stripe Webhook Secret').fill('whsec_0123456789')
  await expectSound(page)
  await button('Save Settings').click()
  await expectToast(page, 'Settings saved successfully')
  await expect.poll(() => page.getByLabel('Stripe Webhook Secret').inputValue()).toMatch(/^•+6789$/)
  await page.getByRole('tab', { name: 'General' }).click()
  await expect.poll(() => page.getByLabel('Preview Length (seconds)').inputValue()).toBe('45')
  await other.getByRole('tab', { name: 'Stripe' }).click()
  await expect
    .poll(() => other.getByLabel('Monthly Price (cents)').inputValue(), { timeout: 2000 })
    .toBe('1234')
  await other.context().close()
  await page.getByRole('tab', { name: 'Webhook Test' }).click()
  await button('Simulate Webhook').click()
  await expectToast(page, 'Webhook Test Failed', 'Please enter a webhook payload')
  await page.getByLabel('Webhook payload (JSON)').fill('{')
  await button('Simulate Webhook').click()
  await expectToast(page, 'Webhook Test Failed', 'Invalid payload or processing error')
  await page.getByRole('tab', { name: 'Audit Logs' }).click()
  await page.getByText('update on settings', { exact: true }).first().waitFor()
  await expectSound(page)
})

test('people are made, changed, banned and deleted; nobody locks themselves out', async () => {
  const other = await office.open('users', { width: 390 })
  await page.goto(`${office.url}/admin/users`)
  await button('Add User').click()
  const dialog = page.getByRole('dialog', { name: 'Add User' })
  await dialog.getByLabel('Email').fill(person.email)
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await expectSound(page)
  await page.keyboard.press('Enter')
  await expectToast(page, 'User created successfully')
  await rowOf(other, person.email).waitFor({ timeout: 1000 })

  const row = rowOf(page, person.email)
  await row.getByLabel(`Role of ${person.email}`).selectOption('editor')
  await expectToast(page, 'Role changed to Editor')
  for (const [tier, status] of [
    ['comped', 'Active'],
    ['free', 'Inactive'],
  ] as const) {
    await row.getByLabel(`Subscription of ${person.email}`).selectOption(tier)
    await expectToast(page, 'Subscription updated successfully')
    await row.getByText(status, { exact: true }).waitFor()
    await rowOf(other, person.email).getByText(status, { exact: true }).waitFor({ timeout: 2000 })
  }
  await row.getByRole('button', { name: /edit the name/ }).click()
  await row.getByLabel('Display name').fill('=New Person')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Display name updated')
  await expectSound(page)

  const menu = button(`Actions for ${person.email}`)
  await menu.click()
  await page.getByRole('menuitem', { name: 'Reset Password' }).click()
  await expectToast(page, 'Password reset email sent')
  await menu.click()
  await page.getByRole('menuitem', { name: 'Ban' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Ban' }).click()
  await expectToast(page, 'User banned')
  await expect.poll(() => row.getByLabel(`Role of ${person.email}`).inputValue()).toBe('banned')
  await menu.click()
  await page.getByRole('menuitem', { name: 'Unban' }).click()
  await expectToast(page, 'User unbanned')
  await expect.poll(() => row.getByLabel(`Role of ${person.email}`).inputValue()).toBe('editor')

  const csv = await readDownload(page, /^users-export-.+\.csv$/, () => button('Export CSV').click())
  expect(csv).toContain(`${person.email},'=New Person,editor`)

  await expect.poll(() => page.getByLabel(`Role of ${admin.email}`).isDisabled()).toBe(true)
  await button(`Actions for ${admin.email}`).click()
  await page.getByRole('menuitem', { name: 'Edit Name' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  // The focus is back on the button, whose tooltip goes with a second one.
  await page.keyboard.press('Escape')

  await menu.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expectSound(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'User deleted successfully')
  await page.getByLabel('Search by email or name').fill(person.email)
  await button('Apply Filters').click()
  await page.getByText('No users found', { exact: true }).waitFor()
  await other.context().close()
})

test('the audit log is filtered by its address, paged and exported', async () => {
  await page.goto(`${office.url}/admin/audit?action=ban`)
  await page.getByRole('heading', { name: 'Audit Log' }).waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  const [, ban] = await page.getByRole('row').allTextContents()
  expect(ban).toMatch(/[\da-f]{8}\.\.\.banuser[\da-f]{8}\.\.\.$/)
  expect(await page.getByRole('navigation', { name: 'Audit log' }).count()).toBe(0)
  await expectSound(page)
  const csv = await readDownload(page, /^audit-log-.+\.csv$/, () => button('Export CSV').click())
  expect(csv.trim().split('\n')).toHaveLength(2)
  await expectToast(page, 'Audit log exported successfully')
  await page.getByRole('button', { name: /^What changed/ }).click()
  await page.getByRole('dialog', { name: 'ban on user' }).waitFor()
  await expectSound(page)
  await page.keyboard.press('Escape')
  await page.getByLabel('Action', { exact: true }).selectOption('simulate')
  await button('Apply Filters').click()
  await page.getByText('No audit logs found', { exact: true }).waitFor()
  for (let count = 0; count < 110; count++) {
    await office.owner.send('POST', '/api/admin-genres', { name: `Genre ${count}` })
  }
  await page.goto(`${office.url}/admin/audit?action=create&page=4`)
  const pages = page.getByRole('navigation', { name: 'Audit log' })
  await expect.poll(() => pages.getByRole('button', { name: /\d$/ }).count()).toBe(5)
  await expectSound(page)
  expect(office.problems).toEqual([])
})

test('who signs out arrives at the sign-in', async () => {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${office.url}/auth`)
  const answer = await page.request.get(`${office.url}/api/profile`)
  expect(await answer.json()).toEqual({ data: null })
})
