// Starts a service with Stripe keys and prices, a fake of Stripe's API, and a function that sends signed webhook
// events.
import type { Browser, Page } from 'playwright-core'
import { startFakeStripe, type FakeStripe } from '../server/testing/stripe/fake-stripe.ts'
import { sendEvent } from '../server/testing/stripe/send-event.ts'
import { sellingSettings } from '../server/testing/stripe/stripe-payloads.ts'
import { signInOwner, type ApiClient } from './harness/api-client.ts'
import { openPage } from './harness/browser.ts'
import { admin, startService } from './harness/service.ts'

const secret = 'whsec_of_the_journeys'

export interface BillingService {
  stripe: FakeStripe
  owner: ApiClient
  /** Creates an account and returns its id. */
  addPerson: (email: string) => Promise<string>
  deliver: (event: object) => Promise<void>
  openAdmin: (
    browser: Browser,
    path: string,
    width: number,
  ) => Promise<{ page: Page; problems: string[] }>
  /** Restarts the service. All statistics are aggregated at startup. */
  restart: () => Promise<void>
  close: () => Promise<void>
}

export async function startBillingService(): Promise<BillingService> {
  const stripe = await startFakeStripe()
  const env = { STRIPE_SECRET_KEY: 'sk_test_123', STRIPE_API_URL: stripe.url }
  const service = await startService({ env })
  const { url } = service
  const owner = await signInOwner(url)
  await owner.send('POST', '/api/admin-settings', {
    action: 'update',
    settings: sellingSettings(secret),
  })
  return {
    stripe,
    owner,
    async addPerson(email) {
      const { body } = await owner.send('POST', '/api/admin-users', {
        email,
        password: 'a-long-password',
        role: 'member',
      })
      return String(body['id'])
    },
    deliver: (event) => sendEvent({ url, secret }, event),
    async openAdmin(browser, path, width) {
      const opened = await openPage(browser, { width, height: 900 })
      const response = await opened.page.request.post(`${url}/api/auth/sign-in/email`, {
        data: admin,
      })
      if (!response.ok()) throw new Error(`Sign-in returned ${response.status()}`)
      await opened.page.goto(`${url}${path}`)
      return opened
    },
    async restart() {
      await service.stop()
      await service.start()
    },
    async close() {
      await service.remove()
      await stripe.close()
    },
  }
}

/** Returns how far the page scrolls horizontally, in pixels. Tests expect 0. */
export function measureSidewaysScroll(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
}
