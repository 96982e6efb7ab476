// Tests that irreversible actions ask for the password again, and that admins can be required to use two-factor
// authentication.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openToolDatabase } from '../server/platform/start/tool-database.ts'
import { readConfig } from '../server/platform/config/config.ts'
import { queryAt } from '../server/platform/db/with-client.ts'
import { expectNoFaults, expectToast, openBackOffice, type BackOffice } from './back-office.ts'
import { computeAuthenticatorCode } from './harness/members.ts'
import { makePerson } from './harness/people.ts'
import { admin } from './harness/service.ts'

let office: BackOffice
let database: Awaited<ReturnType<typeof openToolDatabase>>

beforeAll(async () => {
  office = await openBackOffice([])
  const config = readConfig({ DEMO: 'off', DATA_DIR: office.dataDir })
  database = await openToolDatabase(config, console)
})
afterAll(async () => {
  await database.close()
  await office.close()
})

/** Makes every session's last confirmation 11 minutes old, which is too old. */
const expireConfirmations = () =>
  queryAt(database.owner, `update sessions set confirmed_at = now() - interval '11 minutes'`)
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Confirm it’s you' })

async function confirm(page: Page, password: string): Promise<void> {
  await dialogOf(page).getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

async function openDeleteDialog(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${email}`, exact: true }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
}

test.each([1440, 390])('deletes a user after asking for the password, at %i px', async (width) => {
  const { email } = await makePerson(office.owner, `leaver-${width}`, 'free')
  const page = await office.open(`users?q=${email}`, { width })
  await expireConfirmations()
  await openDeleteDialog(page, email)
  const dialog = dialogOf(page)
  await dialog.waitFor()
  if (width > 390) await expectNoFaults(page)
  await confirm(page, 'not the password')
  await dialog.getByText('The password is incorrect.').waitFor()
  expect((await office.owner.send('GET', `/api/admin-users?q=${email}`)).body).toMatchObject({
    pagination: { total: 1 },
  })

  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  const button = page.getByRole('alertdialog').getByRole('button', { name: 'Delete' })
  // Wait for the button: while it is busy, it ignores the Enter key.
  await expect
    .poll(() => button.evaluate((it) => it === document.activeElement && !it.ariaBusy))
    .toBe(true)
  await page.keyboard.press('Enter')
  await confirm(page, admin.password)
  await expectToast(page, 'User deleted successfully')
  await page.getByText('No users found', { exact: true }).waitFor()
  await page.context().close()
})

test('asks for the password before downloading an export', async () => {
  const page = await office.open('users')
  await expireConfirmations()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV', exact: true }).click()
  await confirm(page, admin.password)
  const file = await downloading
  expect(await readFile(await file.path(), 'utf8')).toContain(admin.email)
  // The confirmation is recent now, so the next export asks for nothing.
  const next = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export CSV', exact: true }).click()
  expect((await next).suggestedFilename()).toMatch(/^users-export-/)
  await page.context().close()
})

test('keeps the input of the settings form while the dialog is open, and asks for the password only to save the secret', async () => {
  const page = await office.open('settings')
  await page.getByLabel('Preview Length (seconds)').fill('30')
  await expireConfirmations()
  const save = page.getByRole('button', { name: 'Save Settings' })
  await save.click()
  await expectToast(page, 'Settings saved successfully')
  // The Save button is busy until the lists that depend on the settings are refetched, and ignores clicks until then.
  await expect.poll(() => save.getAttribute('aria-busy')).toBeNull()
  await page.getByRole('tab', { name: 'Stripe' }).click()
  const secret = page.getByLabel('Stripe Webhook Secret')
  await secret.fill('whsec_0123456789')
  await save.click()
  await dialogOf(page).getByRole('button', { name: 'Cancel' }).click()
  await dialogOf(page).waitFor({ state: 'hidden' })
  expect(await secret.inputValue()).toBe('whsec_0123456789')
  await save.click()
  await confirm(page, admin.password)
  await expectToast(page, 'Settings saved successfully')
  await expect.poll(() => secret.inputValue()).toMatch(/^•+6789$/)
  await page.context().close()
})

test('lets an admin set up the two-factor authentication that is required, and returns to the screen', async () => {
  const careful = await makePerson(office.owner, 'careful', 'free')
  const made = await office.owner.send('PATCH', `/api/admin-users/${careful.id}/role`, {
    role: 'admin',
  })
  expect(made.status).toBe(200)
  await queryAt(
    database.owner,
    `update profiles set email_verified = true where email in ('${careful.email}', '${admin.email}')`,
  )
  await queryAt(database.owner, `update settings set admins_need_two_factor = true`)
  await queryAt(database.owner, `select pg_notify('velour', 'settings ')`)
  await expect
    .poll(async () => (await office.owner.send('GET', '/api/admin-settings')).status)
    .toBe(403)

  const page = await office.open('users?role=admin')
  await page.getByRole('heading', { name: 'Admins need two-factor authentication' }).waitFor()
  await expectNoFaults(page)
  await page.getByRole('button', { name: 'Set Up Two-Factor' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Password', { exact: true }).fill(admin.password)
  await page.keyboard.press('Enter')
  const secret = await dialog.locator('code').innerText()
  await dialog.getByLabel('Authentication code').fill(computeAuthenticatorCode(secret))
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'I Have Saved Them' }).click()
  await page.getByRole('heading', { name: 'User Management' }).waitFor()
  await page.getByText(careful.email, { exact: true }).first().waitFor()
  expect(page.url()).toContain('role=admin')

  // Now a code from the authenticator app also confirms an action.
  await expireConfirmations()
  await openDeleteDialog(page, careful.email)
  await dialogOf(page)
    .getByRole('button', { name: /^Use a code/ })
    .click()
  await expectNoFaults(page)
  await dialogOf(page).getByLabel('Authentication code').fill(computeAuthenticatorCode(secret))
  await page.keyboard.press('Enter')
  await expectToast(page, 'User deleted successfully')
  expect(office.problems).toEqual([])
  await page.context().close()
})
