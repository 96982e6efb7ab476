// Tests invitations, from the admin's dialog to the account of the invited person.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectNoFaults, expectToast, openBackOffice, type BackOffice } from './back-office.ts'
import { openPage } from './harness/browser.ts'
import { readMailedLink } from './harness/members.ts'

let office: BackOffice
let page: Page
const guest = { email: 'guest@example.com', password: 'a quiet blue morning' }

beforeAll(async () => {
  office = await openBackOffice([])
  page = await office.open('users')
})
afterAll(() => office.close())

const button = (on: Page, name: string) => on.getByRole('button', { name, exact: true })

async function openTab(name: string) {
  await button(page, 'Add User').click()
  await page.getByRole('tab', { name, exact: true }).click()
  return page.getByRole('dialog', { name: 'Add User' })
}

test('gives an invited person the plan of the invitation, and signs them in, after they choose a password', async () => {
  const dialog = await openTab('Invite')
  await dialog.getByLabel('Email').fill(guest.email)
  await dialog.getByLabel('Plan').selectOption('comped')
  await expectNoFaults(page)
  await button(page, 'Send Invitation').click()
  await expectToast(page, 'Invitation sent')
  await page.getByText('Open invitations (1)', { exact: true }).click()
  const table = page.getByRole('table', { name: 'Open invitations' })
  await table.getByRole('row').filter({ hasText: guest.email }).waitFor()
  await expectNoFaults(page)

  const link = await readMailedLink(office, guest.email)
  const { page: theirs, problems } = await openPage(office.browser, { width: 390, height: 844 })
  await theirs.goto(link)
  await theirs.getByRole('heading', { name: /^Join / }).waitFor()
  await theirs.getByLabel('Name').fill('Guest')
  await theirs.getByLabel('Password', { exact: true }).fill(guest.password)
  await expectNoFaults(theirs)
  await button(theirs, 'Create Account').click()
  await expectToast(theirs, 'Welcome to Velour')
  await theirs.waitForURL((url) => url.pathname !== '/auth')
  const { data } = (await (await theirs.request.get(`${office.url}/api/profile`)).json()) as {
    data: object
  }
  expect(data).toMatchObject({ email: guest.email, display_name: 'Guest', is_premium: true })

  // The admin's screen shows the new user, and the link doesn't work again.
  await page.getByText('No open invitations.', { exact: true }).waitFor()
  await page.getByRole('row').filter({ hasText: guest.email }).waitFor()
  await theirs.context().clearCookies()
  await theirs.goto('about:blank')
  await theirs.goto(link)
  await theirs.getByRole('heading', { name: 'This invitation does not work' }).waitFor()
  await expectNoFaults(theirs)
  expect(problems).toEqual([])
  await theirs.context().close()
})

test('checks a pasted list of people, and emails the invitations', async () => {
  const dialog = await openTab('Invite Many')
  await dialog
    .getByLabel('People', { exact: true })
    .fill(`email,name\nada@example.com,Ada\n${guest.email},Guest\noops,Ben`)
  await expectNoFaults(page)
  await button(page, 'Check List').click()
  await dialog.getByText(`Line 3: ${guest.email} already has an account`, { exact: true }).waitFor()
  await dialog.getByText('Line 4: oops is not an email address', { exact: true }).waitFor()
  await expectNoFaults(page)
  await button(page, 'Invite 1 Person').click()
  await expectToast(page, '1 person invited')
  const link = await readMailedLink(office, 'ada@example.com')
  expect(link).toContain('/auth#invitation=')
  const row = page.getByRole('row').filter({ hasText: 'ada@example.com' })
  await row.getByRole('button', { name: /^Revoke/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await expectToast(page, 'Invitation revoked')
  expect(office.problems).toEqual([])
})
