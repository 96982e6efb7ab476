// Tests the way from an empty service to its first paid member, in the browser only. The owner opens the setup link
// that the server printed, uploads a song, connects Stripe and sets prices. A visitor plays the preview, pays on a
// simulated page of Stripe, and hears the full song.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  startFakeStripeWithPages,
  type FakeStripeWithPages,
} from '../server/testing/stripe/fake-stripe-with-pages.ts'
import { launchBrowser, readPlayingSound, openPage } from './harness/browser.ts'
import { makeWav } from './harness/make-wav.ts'
import { expectToast, fillSignIn, signIn } from './harness/members.ts'
import { startService, type Service } from './harness/service.ts'
import { measurePitch, recordTab } from './harness/sound-probe.ts'

const webhookSecret = 'whsec_of_the_first_member'
const owner = { email: 'owner@example.com', password: 'a quiet blue morning' }
const visitor = { email: 'first-member@example.com', password: 'a-members-password' }
const song = { title: 'Harbour at Dawn', seconds: 60, hertz: 440 }
const previewSeconds = 45

let stripe: FakeStripeWithPages
let service: Service
let browser: Browser

beforeAll(async () => {
  stripe = await startFakeStripeWithPages()
  service = await startEmptyService(stripe)
  browser = await launchBrowser({ audible: true })
})

afterAll(async () => {
  await browser.close()
  await service.remove()
  await stripe.close()
})

/** Starts a service that has neither an admin nor a Stripe key. */
function startEmptyService({ url }: FakeStripeWithPages): Promise<Service> {
  return startService({ env: { ADMIN_EMAIL: '', ADMIN_PASSWORD: '', STRIPE_API_URL: url } })
}

test('leads an empty service to its first paid member, who hears the full song', async () => {
  const office = await openPage(browser)
  await becomeOwner(office.page)
  await uploadSong(office.page)
  await connectStripe(office.page)
  await setPrices(office.page)

  const member = await openPage(browser)
  await signUp(member.page)
  await hearPreview(member.page)
  await subscribe(member.page)
  await hearFullSong(member.page)

  await checkPayment(office.page)
  expect(office.problems).toEqual([])
  const own = member.problems.filter((one) => !one.startsWith('Permissions policy violation'))
  expect(own).toEqual([])
}, 120_000)

test('lets the member cancel in the Stripe portal, and resume and find the invoice on the profile', async () => {
  const { page, problems } = await openPage(browser, { width: 390 })
  await signIn(page, service, visitor)
  await page.goto(`${service.url}/profile`)
  await page.getByText('€12.00', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Manage Billing' }).click()
  await page.waitForURL(`${stripe.url}/portal/**`)
  await page.getByRole('button', { name: 'Cancel at Period End' }).click()
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  await page.getByRole('link', { name: 'Return' }).click()
  await page.getByText('Premium is canceled and does not renew.').waitFor()
  await page.getByRole('button', { name: 'Resume Premium' }).click()
  await page.getByRole('button', { name: 'Cancel Premium' }).waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

async function becomeOwner(page: Page): Promise<void> {
  const [, link] = /create the first admin: (\S+)/.exec(service.output()) ?? []
  await page.goto(link!)
  await page.getByLabel('Name of the service').fill('Night Records')
  await page.getByLabel('Email').fill(owner.email)
  await page.getByLabel('Password', { exact: true }).fill(owner.password)
  await page.getByRole('button', { name: 'Create Owner Account' }).click()
  await page.waitForURL(`${service.url}/admin`)
  await page.getByRole('heading', { name: 'Set up your service' }).waitFor()
}

async function uploadSong(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Upload', exact: true }).click()
  await page.getByLabel('Files to upload').setInputFiles({
    name: `${song.title}.wav`,
    mimeType: 'audio/wav',
    buffer: makeWav(song.seconds, song.hertz),
  })
  await page.getByText('1 of 1 file uploaded').waitFor()
  await page.getByRole('tab', { name: 'Details of 1 track' }).click()
  await page.getByText('Select tracks to publish them').waitFor()
  await page.getByRole('checkbox', { name: `Select ${song.title}` }).check()
  await page.getByLabel('Set published').selectOption('yes')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, '1 track updated successfully')
}

/** Enters the Stripe key. Stripe can't reach a local URL, so the owner also copies the webhook secret from Stripe. */
async function connectStripe(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  await page.getByRole('link', { name: 'Stripe', exact: true }).click()
  await page.getByLabel('Secret or restricted key').fill('sk_test_first_member')
  await page.getByRole('button', { name: 'Check Key' }).click()
  await page.getByRole('button', { name: 'Save Key' }).click()
  await expectToast(page, 'Stripe is connected')
  stripe.addEndpoint({ url: service.url, secret: webhookSecret })
  await page.getByLabel('Stripe Webhook Secret').fill(webhookSecret)
  await page.getByRole('button', { name: 'Save Settings' }).click()
  await expectToast(page, 'Settings saved successfully')
}

/** Sets the prices, which the service then creates in Stripe. */
async function setPrices(page: Page): Promise<void> {
  const prices = page.getByRole('region', { name: 'Prices in Stripe' })
  await prices.getByLabel('Currency').selectOption('eur')
  await prices.getByLabel('Monthly Price').fill('12.00')
  await prices.getByLabel('Yearly Price').fill('120.00')
  await prices.getByRole('button', { name: 'Save Prices' }).click()
  await expectToast(page, 'Prices saved and created in Stripe')
  expect(stripe.prices.made).toMatchObject([
    { unit_amount: 1200, currency: 'eur', recurring: { interval: 'month' } },
    { unit_amount: 12_000, currency: 'eur', recurring: { interval: 'year' } },
  ])
  await page.getByRole('link', { name: 'Overview', exact: true }).click()
  for (const step of ['Set your prices', 'Accept card payments', 'Publish your music']) {
    await page.getByRole('listitem').filter({ hasText: step }).getByLabel('Done').waitFor()
  }
}

/** Plays the preview on the landing page, then chooses Premium and signs up there. */
async function signUp(page: Page): Promise<void> {
  await page.goto(service.url)
  await page.getByRole('button', { name: 'Play preview' }).click()
  await expect.poll(async () => (await readPlayingSound(page))?.seconds ?? 0).toBeGreaterThan(0.5)
  await page.getByText('€12.00').waitFor()
  await page.getByRole('link', { name: 'Start Listening' }).click()
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByLabel('Email').fill(visitor.email)
  await page.getByLabel('Password', { exact: true }).fill(visitor.password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  await fillSignIn(page, visitor)
  await page.waitForURL(`${service.url}/`)
}

async function hearPreview(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Browse', exact: true }).first().click()
  await page.getByRole('button', { name: 'Play All' }).click()
  await expect.poll(async () => (await readPlayingSound(page))?.seconds ?? 0).toBeGreaterThan(0.5)
  expect((await readPlayingSound(page))?.durationSeconds).toBeCloseTo(previewSeconds, 0)
  await page.getByRole('slider', { name: 'Seek' }).fill(String(previewSeconds - 1))
  const alert = page.getByRole('alert').filter({ hasText: 'Full playback available with Premium' })
  await alert.getByRole('button', { name: 'Upgrade Now' }).click()
}

async function subscribe(page: Page): Promise<void> {
  await page.waitForURL(`${service.url}/subscribe`)
  const monthly = page.getByRole('region', { name: 'Monthly', exact: true })
  await monthly.getByRole('button', { name: 'Subscribe Now' }).click()
  await page.waitForURL(`${stripe.url}/**`)
  await page.getByRole('link', { name: 'Back' }).click()
  await expectToast(page, 'Checkout canceled', 'Nothing was charged.')
  await monthly.getByRole('button', { name: 'Subscribe Now' }).click()
  await page.getByLabel('Discount code').fill('NOSUCHCODE')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('alert').filter({ hasText: 'invalid' }).waitFor()
  await page.getByRole('button', { name: 'Pay With a Card That Is Declined' }).click()
  await page.getByRole('alert').filter({ hasText: 'declined' }).waitFor()
  await page.getByRole('button', { name: 'Pay €12.00' }).click()
  await page.waitForURL(`${service.url}/subscribe*`)
  await expectToast(page, 'Welcome to Premium', 'You can now hear everything in full.')
  await page.getByText('You have Premium.').waitFor()
}

/** Plays the song to a point that the preview doesn't contain, and checks that there is sound. */
async function hearFullSong(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Start listening' }).click()
  await page.getByRole('button', { name: 'Play All' }).click()
  await recordTab(page)
  await expect
    .poll(async () => (await readPlayingSound(page))?.durationSeconds)
    .toBeCloseTo(song.seconds, 0)
  const later = previewSeconds + 5
  await page.getByRole('slider', { name: 'Seek' }).fill(String(later))
  await expect
    .poll(async () => (await readPlayingSound(page))?.seconds ?? 0)
    .toBeGreaterThan(later + 2)
  const sound = await readPlayingSound(page)
  expect(sound).toMatchObject({ isPlaying: true, source: expect.not.stringContaining('preview') })
  await expect.poll(() => measurePitch(page)).toBeCloseTo(song.hertz, -1.5)
}

async function checkPayment(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Billing', exact: true }).click()
  const row = page.getByRole('row').filter({ hasText: visitor.email })
  await row.getByText('Stripe', { exact: true }).waitFor()
  await row.getByText('Active', { exact: true }).waitFor()
  await row.getByRole('button', { name: `Payments of ${visitor.email}` }).click()
  await page.getByRole('dialog').getByText('€12.00', { exact: true }).first().waitFor()
}
