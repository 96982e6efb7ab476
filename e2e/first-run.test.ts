// Tests the first start of a demo service: the demo accounts work at once, the first song plays soon after, and a
// restart goes on with the catalogue without duplicates.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoAccounts, demoPassword } from '../contract/demo.ts'
import type { Site } from '../contract/site.ts'
import { createApiClient } from './harness/api-client.ts'
import { launchBrowser, openPage } from './harness/browser.ts'
import { startService, waitUntil, type Service } from './harness/service.ts'

let service: Service
let browser: Browser

beforeAll(async () => {
  service = await startService({
    env: { DEMO: 'on', ADMIN_EMAIL: '', ADMIN_PASSWORD: '', FFMPEG_PATH: 'wasm' },
  })
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser.close()
  await service.remove()
})

async function readSite(): Promise<Site> {
  return (await (await fetch(`${service.url}/api/site`)).json()) as Site
}

test('prints the URL of the service and the demo accounts', () => {
  expect(service.output()).toContain(`ready at ${service.url}`)
  for (const { email } of demoAccounts) expect(service.output()).toContain(email)
})

test('plays the first song to a visitor on the landing page', async () => {
  await waitUntil(async () => (await readSite()).demo!.tracks_ready > 0, 90_000, 'the first song')
  const { page, problems } = await openPage(browser)
  // The audio element of the landing page is not in the document, so watch the requests.
  const previews: string[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('/preview') && response.ok()) previews.push(response.url())
  })
  await page.goto(service.url)
  await page.getByRole('button', { name: /^Play/ }).first().click()
  await expect.poll(() => previews.length).toBeGreaterThan(0)
  expect(problems).toEqual([])
  await page.context().close()
})

test('signs in as the demo admin with one click, and opens the library with the Admin link', async () => {
  const { page, problems } = await openPage(browser)
  await page.goto(`${service.url}/auth`)
  await page.getByRole('button', { name: 'Admin', exact: true }).click()
  await page.waitForURL(`${service.url}/`)
  await page.getByRole('link', { name: 'Admin', exact: true }).first().click()
  await page.waitForURL(`${service.url}/admin/library`)
  await page.getByRole('heading', { name: 'Track Library' }).waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('goes on creating the demo catalogue after the server was killed and restarted', async () => {
  const before = (await readSite()).demo!.tracks_ready
  await service.kill()
  await service.start()
  const free = createApiClient(service.url)
  await free.signIn({ email: 'free@velour.test', password: demoPassword })
  await waitUntil(
    async () => (await readSite()).demo!.tracks_ready > before,
    90_000,
    'the next song',
  )
  const { body } = await free.send('GET', '/api/tracks?limit=200')
  const titles = (body['data'] as { title: string }[]).map(({ title }) => title)
  expect(new Set(titles).size).toBe(titles.length)
})
