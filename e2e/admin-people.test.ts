// Tests users, the audit log and the settings in the back office. Finds elements by their visible text.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectNoFaults, expectToast, openBackOffice, type BackOffice } from './back-office.ts'
import { computeAuthenticatorCode, type Member } from './harness/members.ts'
import { makePerson, openAs } from './harness/people.ts'
import { admin } from './harness/service.ts'

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

async function switchTwoFactorOn({ request }: Page, { password }: Member): Promise<void> {
  const post = async (path: string, data: object) => {
    const response = await request.post(`${office.url}/api/auth/two-factor/${path}`, {
      data,
      headers: { origin: office.url },
    })
    expect(response.status()).toBe(200)
    return response.json()
  }
  const { totpURI } = await post('enable', { password })
  const secret = new URL(totpURI).searchParams.get('secret') ?? ''
  await post('verify-totp', { code: computeAuthenticatorCode(secret) })
}

test("saves all settings with one button, and updates another admin's open page", async () => {
  const other = await office.open('settings')
  await page.getByText('Last updated: Never', { exact: true }).waitFor()
  await page.getByLabel('Preview Length (seconds)').fill('0')
  await page.getByText('Prevent non-admin users from accessing the app').waitFor()
  await expectNoFaults(page)
  await page.getByRole('tab', { name: 'Stripe' }).click()
  await page.getByLabel('Monthly Price (cents)').fill('1234')
  await page.getByLabel('Stripe Webhook Secret').fill('whsec_0123456789')
  await expectNoFaults(page)
  await button('Save Settings').click()
  await expectToast(page, 'Settings saved successfully')
  await expect.poll(() => page.getByLabel('Stripe Webhook Secret').inputValue()).toMatch(/^•+6789$/)
  await page.getByRole('tab', { name: 'General' }).click()
  await expect.poll(() => page.getByLabel('Preview Length (seconds)').inputValue()).toBe('45')
  await other.getByRole('tab', { name: 'Stripe' }).click()
  await expect.poll(() => other.getByLabel('Monthly Price (cents)').inputValue()).toBe('1234')
  await other.context().close()
  await page.getByRole('tab', { name: 'Webhook Test' }).click()
  await button('Simulate Webhook').click()
  await expectToast(page, 'Webhook Test Failed', 'Please enter a webhook payload')
  await page.getByLabel('Webhook payload (JSON)').fill('{')
  await button('Simulate Webhook').click()
  await expectToast(page, 'Webhook Test Failed', 'Invalid payload or processing error')
  await page.getByRole('tab', { name: 'Audit Logs' }).click()
  await page.getByText('update on settings', { exact: true }).first().waitFor()
  await expectNoFaults(page)
})

test('creates, changes, bans and deletes users; admins cannot lock themselves out', async () => {
  const other = await office.open('users', { width: 390 })
  await page.goto(`${office.url}/admin/users`)
  await button('Add User').click()
  const dialog = page.getByRole('dialog', { name: 'Add User' })
  await dialog.getByLabel('Email').fill(person.email)
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await expectNoFaults(page)
  await page.keyboard.press('Enter')
  await expectToast(page, 'User created successfully')
  await rowOf(other, person.email).waitFor()

  const row = rowOf(page, person.email)
  const role = (name: string) =>
    row.getByRole('button', { name: `Role of ${person.email}: ${name}` })
  await role('Member').click()
  await page.getByRole('menuitemradio', { name: 'Admin' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByText(`Make ${person.email} an admin?`).waitFor()
  // The Cancel button has the focus, so Enter cancels.
  await page.keyboard.press('Enter')
  await question.waitFor({ state: 'hidden' })
  await role('Member').click()
  await page.getByRole('menuitemradio', { name: 'Editor' }).click()
  await expectNoFaults(page)
  await question.getByRole('button', { name: 'Change Role' }).click()
  await expectToast(page, 'Role changed to Editor')
  for (const [tier, status] of [
    ['Comped', 'Active'],
    ['Free', 'Inactive'],
  ] as const) {
    await row.getByRole('button', { name: `Subscription of ${person.email}` }).click()
    await page.getByRole('menuitemradio', { name: tier }).click()
    await question.getByRole('button', { name: 'Change Plan' }).click()
    await expectToast(page, 'Subscription updated successfully')
    await row.getByText(status, { exact: true }).waitFor()
    await rowOf(other, person.email).getByText(status, { exact: true }).waitFor()
  }
  const menu = button(`Actions for ${person.email}`)
  await menu.click()
  await page.getByRole('menuitem', { name: 'Edit Name' }).click()
  await page.getByRole('dialog').getByLabel('Display name').fill('=New Person')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Display name updated')
  await expectNoFaults(page)

  await menu.click()
  await page.getByRole('menuitem', { name: 'Reset Password' }).click()
  await expectToast(page, 'Password reset email sent')
  await menu.click()
  await page.getByRole('menuitem', { name: 'Ban' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Ban' }).click()
  await expectToast(page, 'User banned')
  await role('Banned').waitFor()
  await menu.click()
  await page.getByRole('menuitem', { name: 'Unban' }).click()
  await expectToast(page, 'User unbanned')
  await role('Editor').waitFor()

  const csv = await readDownload(page, /^users-export-.+\.csv$/, () => button('Export CSV').click())
  expect(csv).toContain(`${person.email},'=New Person,editor`)

  await expect.poll(() => button(`Role of ${admin.email}: Admin`).isDisabled()).toBe(true)
  await button(`Actions for ${admin.email}`).click()
  await page.getByRole('menuitem', { name: 'Edit Name' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  // Escape returned the focus to the menu button, which shows its tooltip. A second Escape closes the tooltip.
  await page.keyboard.press('Escape')

  await menu.click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expectNoFaults(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expectToast(page, 'User deleted successfully')
  await page.getByLabel('Search by email or name').fill(person.email)
  await button('Apply Filters').click()
  await page.getByText('No users found', { exact: true }).waitFor()
  await other.context().close()
})

test("shows a member's plan, notes, devices and audit entries on their page, and changes them", async () => {
  const member = await makePerson(office.owner, 'zoe', 'free')
  await page.goto(`${office.url}/admin/users?q=zoe`)
  await page.getByRole('link', { name: member.email }).click()
  await page.getByRole('heading', { level: 1, name: member.email }).waitFor()
  await page.getByText(member.id, { exact: true }).waitFor()
  await page.getByLabel('Internal note').fill('Called about the invoice')
  await button('Add Note').click()
  await expectToast(page, 'Note added')
  await page.getByText('Called about the invoice').waitFor()
  await page.getByRole('button', { name: `Subscription of ${member.email}: Free` }).click()
  await page.getByRole('menuitemradio', { name: 'Lifetime' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Change Plan' }).click()
  await expectToast(page, 'Subscription updated successfully')
  await page.getByText('Valid Until', { exact: true }).waitFor()
  await page.getByText('subscription tier: free → lifetime', { exact: false }).waitFor()
  const theirs = await openAs(office.browser, office, member, '/browse')
  await switchTwoFactorOn(theirs.page, member)
  await page.reload()
  await page.getByText('Two-factor on', { exact: true }).waitFor()
  await button(`Actions for ${member.email}`).or(button('Actions')).first().click()
  await page.getByRole('menuitem', { name: 'Turn Off Two-Factor' }).click()
  await page.getByText('They are notified by email.', { exact: false }).waitFor()
  await expectNoFaults(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Turn Off' }).click()
  await expectToast(page, 'Two-factor authentication turned off')
  await page.getByText('Two-factor on', { exact: true }).waitFor({ state: 'detached' })
  await page.getByText('two factor: on → off', { exact: false }).first().waitFor()
  await page.getByText(/^Chrome on Linux/).waitFor()
  await expectNoFaults(page)
  await page.getByRole('button', { name: /^Sign out Chrome on Linux/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign Out' }).click()
  await expectToast(page, 'Device signed out')
  await page.getByText('Not signed in anywhere.').waitFor()
  expect((await theirs.page.request.get(`${office.url}/api/tracks`)).status()).toBe(401)
  await theirs.page.context().close()
  await page.goto(`${office.url}/admin/users/00000000-0000-7000-8000-000000000000`)
  await page.getByText('User not found', { exact: true }).waitFor()
  await page.goto(`${office.url}/admin/users/zoe`)
  await page.getByText('User not found', { exact: true }).waitFor()
})

test('stores sort order and filters of users in the URL, and applies a bulk change to all or none', async () => {
  for (let count = 0; count < 24; count++) {
    await makePerson(office.owner, `crowd-${String(count).padStart(2, '0')}`, 'free')
  }
  await page.goto(`${office.url}/admin/users?q=crowd`)
  const emails = () => page.getByRole('rowheader').allTextContents()
  await page.getByRole('button', { name: 'Email', exact: true }).click()
  await expect.poll(async () => (await emails())[0]).toBe('crowd-00@example.com')
  expect(page.url()).toContain('sort=email')
  const heading = page.getByRole('columnheader', { name: 'Email' })
  expect(await heading.getAttribute('aria-sort')).toBe('ascending')
  await page.getByRole('button', { name: 'Email', exact: true }).click()
  await expect.poll(async () => (await emails())[0]).toBe('crowd-23@example.com')
  // The window has the size of a laptop screen, which must show at least 18 rows.
  expect(await countRowsInView(page)).toBeGreaterThanOrEqual(18)

  await page.getByLabel('Select all people on this page').check()
  await button('Select all 24 matching').click()
  await page.getByText('24 people selected', { exact: true }).waitFor()
  await expectNoFaults(page)
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Comped' }).click()
  await page.getByText('Change the plan of 24 people to Comped?', { exact: true }).waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Change Plan' }).click()
  await expectToast(page, '24 people changed')
  await page.getByLabel('Subscription tier').selectOption('comped')
  await button('Apply Filters').click()
  await page.getByText('24 users', { exact: true }).waitFor()

  await page.goto(`${office.url}/admin/users?sort=email&direction=desc`)
  await page.getByLabel(`Select ${admin.email}`).check()
  await page.getByLabel('Select crowd-23@example.com').check()
  await button('Ban').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Ban 2 people' }).click()
  const refusal =
    'Failed to change these people. You cannot ban, delete or change the role of your own account.'
  await page.getByText(refusal, { exact: true }).waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await button('Role of crowd-23@example.com: Member').waitFor()
  const csv = await readDownload(page, /^users-export-.+\.csv$/, () =>
    button('Export Selected').click(),
  )
  expect(csv.trim().split('\n')).toHaveLength(3)
})

test('keeps comfortable row height on this device after a reload', async () => {
  await page.goto(`${office.url}/admin/users`)
  const height = async () => (await page.getByRole('rowheader').first().boundingBox())?.height ?? 0
  await expect.poll(height).toBeLessThan(34)
  await page.getByLabel('Comfortable').check()
  await expect.poll(height).toBeGreaterThanOrEqual(44)
  await page.reload()
  await expect.poll(height).toBeGreaterThanOrEqual(44)
  await page.getByLabel('Comfortable').uncheck()
  const phone = await office.open('users', { width: 390 })
  await phone.getByRole('rowheader').first().waitFor()
  const target = await phone
    .getByRole('button', { name: /^Actions for/ })
    .first()
    .boundingBox()
  expect(target?.height).toBeGreaterThanOrEqual(36)
  await phone.context().close()
})

/** Counts rows that are fully visible above the lower edge of the window. */
function countRowsInView(on: Page): Promise<number> {
  return on.evaluate(() => {
    const region = document.querySelector('[role="region"]:has(table)')!.getBoundingClientRect()
    const bottom = Math.min(innerHeight, region.bottom) + 1
    return [...document.querySelectorAll('tbody tr')].filter((row) => {
      const { top, bottom: rowBottom } = row.getBoundingClientRect()
      return top >= 0 && rowBottom <= bottom
    }).length
  })
}

test('stores the filters of the audit log in the URL, pages through it and exports it', async () => {
  await page.goto(`${office.url}/admin/audit?action=ban`)
  await page.getByRole('heading', { name: 'Audit Log' }).waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  const [, ban] = await page.getByRole('row').allTextContents()
  // The banned user is deleted by now, so the entry shows the id without a name.
  expect(ban).toMatch(/[\da-f]{8}\.\.\..+banuser[\da-f]{8}\.\.\.$/)
  expect(await page.getByRole('navigation', { name: 'Audit log' }).count()).toBe(0)
  await expectNoFaults(page)
  const csv = await readDownload(page, /^audit-log-.+\.csv$/, () => button('Export CSV').click())
  expect(csv.trim().split('\n')).toHaveLength(2)
  await expectToast(page, 'Audit log exported successfully')
  await page.getByRole('button', { name: /^Show changes/ }).click()
  await page.getByRole('dialog', { name: 'ban on user' }).waitFor()
  await expectNoFaults(page)
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
  await expectNoFaults(page)
  expect(office.problems).toEqual([])
})

test('redirects to sign-in after the admin signs out', async () => {
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${office.url}/auth`)
  const response = await page.request.get(`${office.url}/api/profile`)
  expect(await response.json()).toEqual({ data: null })
})
