// Tests the System screen of a running service.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectNoFaults, openBackOffice, type BackOffice } from './back-office.ts'

let office: BackOffice

beforeAll(async () => {
  office = await openBackOffice([])
})
afterAll(() => office.close())

test('shows the state of the service, and refreshes it automatically', async () => {
  const page = await office.open('library')
  await page.getByRole('link', { name: 'System', exact: true }).click()
  await page.getByText('No backup yet').waitFor()
  await page.getByText(/^PostgreSQL \d+/).waitFor()
  await page.getByText('No failed jobs').waitFor()
  const instances = page.getByRole('table', { name: 'Instances' })
  await expect.poll(() => instances.getByRole('row').count()).toBe(2)
  await instances.getByText('This instance').waitFor()
  // The screen polls without any input.
  await page.waitForResponse((response) => response.url().endsWith('/api/admin-system'))
  await expectNoFaults(page)
  expect(office.problems).toEqual([])
})
