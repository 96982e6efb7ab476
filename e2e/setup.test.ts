// Tests the way from an empty service to an owner in the back office, through the setup link that the server prints at
// startup.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, openPage } from './harness/browser.ts'
import { startService, type Service } from './harness/service.ts'

let service: Service
let browser: Browser

beforeAll(async () => {
  service = await startService({ env: { ADMIN_EMAIL: '', ADMIN_PASSWORD: '' } })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await service.remove()
})

const findPrintedLinks = () =>
  [...service.output().matchAll(/create the first admin: (\S+)/g)].map(([, link]) => link)

test('tells a visitor of an empty service where to find the setup link', async () => {
  const { page, problems } = await openPage(browser)
  await page.goto(service.url)
  await page.getByText('This service has no owner yet.').waitFor()
  await page.getByRole('link', { name: 'Where is it?' }).click()
  await page.waitForURL(`${service.url}/setup`)
  await page.getByText('It prints the link at every start.').waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('prints the same link after a restart', async () => {
  await service.stop()
  await service.start()
  const [first, second] = findPrintedLinks()
  expect(first).toMatch(new RegExp(`^${service.url}/setup#[\\w-]{32}$`))
  expect(second).toBe(first)
})

test('creates the owner from the link, and shows the next steps on the overview', async () => {
  const { page, problems } = await openPage(browser)
  await page.goto(findPrintedLinks()[0]!)
  await page.getByLabel('Name of the service').fill('Late Desk')
  await page.getByLabel('Email').fill('owner@example.com')
  await page.getByLabel('Password', { exact: true }).fill('a quiet blue morning')
  await page.getByRole('button', { name: 'Create Owner Account' }).click()
  await page.waitForURL(`${service.url}/admin`)
  await page.getByText('Your service is called Late Desk.').waitFor()
  await page.getByText('Publish your legal pages').waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('says at the used link that the service has an owner, and prints no link at startup any more', async () => {
  const { page } = await openPage(browser)
  await page.goto(findPrintedLinks()[0]!)
  await page.getByRole('heading', { name: 'This service has an owner' }).waitFor()
  await page.getByRole('link', { name: 'Go to Sign In' }).click()
  await page.getByLabel('Email').waitFor()
  expect(await page.getByText('This service has no owner yet.').count()).toBe(0)
  await page.context().close()
  await service.stop()
  await service.start()
  expect(findPrintedLinks()).toHaveLength(2)
})
