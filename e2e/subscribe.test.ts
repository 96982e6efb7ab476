// Tests buying Premium at 390 and 1440 px, with a new account each. Without Stripe keys the page says 'Coming Soon'.
// With keys it redirects to Stripe and back, and Premium starts with Stripe's webhook event. The service without keys
// also requires a confirmed email address. A fake replaces Stripe's API.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startFakeStripe, type FakeStripe } from '../server/testing/stripe/fake-stripe.ts'
import { sendEvent } from '../server/testing/stripe/send-event.ts'
import { subscriptionEvent, testPrices } from '../server/testing/stripe/stripe-payloads.ts'
import { changeSettings, signInOwner } from './harness/api-client.ts'
import { launchBrowser, openPage } from './harness/browser.ts'
import {
  createAccount,
  expectToast,
  fillSignIn,
  createMember,
  readMailedLink,
  signIn,
} from './harness/members.ts'
import { startService, type Service } from './harness/service.ts'

let withoutKeys: Service
let withKeys: Service
let stripe: FakeStripe
let browser: Browser
const webhookSecret = 'whsec_of_this_test'

beforeAll(async () => {
  stripe = await startFakeStripe()
  const keys = { STRIPE_SECRET_KEY: 'sk_test_of_this_test', STRIPE_API_URL: stripe.url }
  withoutKeys = await startService({ env: { REQUIRE_EMAIL_VERIFICATION: 'on' } })
  withKeys = await startService({ env: keys })
  const owner = await signInOwner(withKeys.url)
  await changeSettings(owner, {
    stripe_price_monthly: testPrices.monthly,
    stripe_price_yearly: testPrices.yearly,
    stripe_webhook_secret: webhookSecret,
  })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  for (const service of [withoutKeys, withKeys]) await service.remove()
  await stripe.close()
})

const soon = ['Coming Soon', 'Stripe integration will be enabled soon. Stay tuned!'] as const
const widths = [390, 1440]

test.each(widths)('confirms the email address, then shows Coming Soon, at %i px', async (width) => {
  const { page, problems } = await openPage(browser, { width })
  const mia = createMember()
  await page.goto(`${withoutKeys.url}/auth`)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByLabel('Email').fill(mia.email)
  await page.getByLabel('Password', { exact: true }).fill(mia.password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectToast(
    page,
    'Success!',
    'Please open the link in the email that we sent you. Then you can sign in.',
  )
  await fillSignIn(page, mia)
  await expectToast(
    page,
    'Error',
    'Please confirm your email address first. We have sent you a link.',
  )
  await page.goto(await readMailedLink(withoutKeys, mia.email))
  await expectToast(page, 'Email confirmed', 'You can now sign in.')
  await fillSignIn(page, mia)
  await page.getByRole('link', { name: 'Upgrade to Premium' }).click()
  await page.waitForURL(`${withoutKeys.url}/subscribe`)

  await page.getByText('Save 17%', { exact: true }).waitFor()
  expect(await readText(page, 'Monthly')).toEqual(monthlyTexts)
  expect(await readText(page, 'Yearly')).toEqual(yearlyTexts)
  const buttons = page.getByRole('button', { name: 'Subscribe Now' })
  await expect.poll(() => buttons.count()).toBe(2)
  for (const button of await buttons.all()) {
    await button.click()
    await expectToast(page, ...soon)
  }
  expect(problems).toEqual([])
  await page.context().close()
})

/** Returns the text of a plan's card as lines. */
async function readText(page: Page, plan: string): Promise<string[]> {
  const text = await page.getByRole('region', { name: plan, exact: true }).innerText()
  return text.split('\n').filter((line) => line.trim() !== '')
}

const monthlyTexts = [
  'Monthly',
  '$9.99 per month',
  'Unlimited streaming',
  'High quality audio',
  'Download for offline listening',
  'Ad-free experience',
  'Access to all playlists',
  'Subscribe Now',
]
const yearlyTexts = [
  'Yearly',
  'Save 17%',
  '$99.99 per year',
  'Everything in Monthly',
  '2 months free',
  'Priority support',
  'Early access to new features',
  'Exclusive content',
  'Subscribe Now',
]

/** Serves an empty page for every page of Stripe. The test only checks that the browser goes there. */
async function replaceStripePages(page: Page): Promise<void> {
  await page.route('https://*.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<h1>Stripe</h1>' }),
  )
}

test.each(widths)('cancels and completes checkout, opens the portal, at %i px', async (width) => {
  const { page, problems } = await openPage(browser, { width })
  await replaceStripePages(page)
  const mia = await createAccount(withKeys)
  await signIn(page, withKeys, mia)
  const subscribe = `${withKeys.url}/subscribe`
  await page.goto(subscribe)
  await page.getByRole('button', { name: 'Subscribe Now' }).last().click()
  await page.waitForURL('https://checkout.stripe.com/**')
  const { form } = stripe.calls.findLast(({ path }) => path === '/v1/checkout/sessions')!
  expect(form['line_items[0][price]']).toBe(testPrices.yearly)
  const userId = form['client_reference_id'] ?? form['subscription_data[metadata][user_id]']!

  // Open the URLs to which Stripe's page returns after a cancellation and a payment.
  await page.goto(form['cancel_url']!)
  await expectToast(page, 'Checkout canceled', 'Nothing was charged.')
  await page.goto(form['success_url']!.replace('{CHECKOUT_SESSION_ID}', 'cs_test'))
  await page.getByText('Thank you. Your payment is being confirmed.').waitFor()
  await page.getByText('You are on the Free plan.').waitFor()
  const customer = `cus_${width}`
  await reportPurchase(userId, customer)
  await expectToast(page, 'Welcome to Premium', 'You can now hear everything in full.')
  await page.getByText('You have Premium.').waitFor()
  await expect.poll(() => page.getByText('Your payment is being confirmed.').count()).toBe(0)

  await page.goto(`${withKeys.url}/profile`)
  await page.getByText('Yearly', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Manage Billing' }).click()
  await page.waitForURL(`https://billing.stripe.com/p/session/${customer}`)
  expect(problems).toEqual([])
  await page.context().close()
})

/** Sends the signed webhook event of a new subscription, like Stripe. */
async function reportPurchase(userId: string, customer: string): Promise<void> {
  const created = Math.floor(Date.now() / 1000)
  const event = subscriptionEvent('created', {
    created,
    subscription: `sub_${customer}`,
    customer,
    userId,
    price: testPrices.yearly,
    interval: 'year',
    periodEnd: created + 365 * 86_400,
  })
  await sendEvent({ url: withKeys.url, secret: webhookSecret }, event)
}
