// Creates accounts, and opens windows that are signed in already, for tests that aren't about the sign-in form.
import type { Browser, Page } from 'playwright-core'
import type { ApiClient } from './api-client.ts'
import { openPage } from './browser.ts'
import type { Service } from './service.ts'

export interface Person {
  id: string
  email: string
  password: string
}

/** Creates an account as an admin does, with the API of the back office. */
export async function makePerson(
  owner: ApiClient,
  name: string,
  tier: 'free' | 'premium',
): Promise<Person> {
  const who = { email: `${name}@example.com`, password: 'a-good-long-password' }
  const { status, body } = await owner.send('POST', '/api/admin-users', who)
  if (status >= 300) throw new Error(`Creating the account failed: ${JSON.stringify(body)}`)
  const person = { ...who, id: body['id'] as string }
  if (tier === 'premium') await setTier(owner, person, tier)
  return person
}

export async function setTier(
  owner: ApiClient,
  { id }: Person,
  subscription_tier: 'free' | 'premium',
): Promise<void> {
  const { status, body } = await owner.send('PATCH', `/api/admin-users/${id}/subscription`, {
    subscription_tier,
  })
  if (status >= 300) throw new Error(`Changing the account failed: ${JSON.stringify(body)}`)
}

/** Opens a page at a path, signed in as this person. */
export async function openAs(
  browser: Browser,
  service: Pick<Service, 'url'>,
  { email, password }: Person,
  path: string,
  options: Parameters<typeof openPage>[1] = {},
): Promise<{ page: Page; problems: string[] }> {
  const opened = await openPage(browser, options)
  const response = await opened.page.request.post(`${service.url}/api/auth/sign-in/email`, {
    data: { email, password },
    headers: { origin: service.url },
  })
  if (!response.ok()) throw new Error(`Sign-in returned ${response.status()}`)
  await opened.page.goto(`${service.url}${path}`)
  return opened
}

/** Waits for a toast with this text. */
export async function expectToast(page: Page, words: string): Promise<void> {
  await page
    .getByRole('region', { name: 'Notifications' })
    .getByText(words, { exact: true })
    .first()
    .waitFor()
}
