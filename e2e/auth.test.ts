// Tests authentication at 390 and 1440 px, with a new account each: navigation, sign-up, sign-in, password reset by
// email, and two-factor authentication. Checks the exact text of every toast.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser, openPage } from './harness/browser.ts'
import {
  computeAuthenticatorCode,
  createAccount,
  expectToast,
  fillSignIn,
  createMember,
  readMailedLink,
  signIn,
} from './harness/members.ts'
import { startService, type Service } from './harness/service.ts'

let service: Service
let browser: Browser

beforeAll(async () => {
  service = await startService()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await service.remove()
})

const widths = [390, 1440]
const isPhone = (page: Page) => page.viewportSize()!.width < 768

/** Returns the navigation at this width. On a phone it is in a drawer, which this opens. */
async function navigation(page: Page) {
  const drawer = page.getByRole('dialog', { name: 'Velour' })
  if (isPhone(page)) await page.getByRole('button', { name: 'Menu' }).click()
  const place = isPhone(page) ? drawer : page.getByRole('banner')
  await place.getByRole('navigation', { name: 'Main' }).waitFor()
  const names = await place.getByRole('navigation', { name: 'Main' }).locator('a, button').all()
  return Promise.all(
    names.map(async (item) => (await item.getAttribute('aria-label')) ?? (await item.innerText())),
  )
}

test.each(widths)('signs up, in and out at %i px', async (width) => {
  const { page, problems } = await openPage(browser, { width })
  const mia = createMember()
  await page.goto(service.url)
  expect(await navigation(page)).toEqual(['Sign In'])
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Start Listening' }).click()
  await page.waitForURL(`${service.url}/auth`)
  await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  await page.getByText('Forgot password?').waitFor()

  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expectToast(page, 'Email required', 'Please enter your email address first.')
  await fillSignIn(page, { email: mia.email, password: 'not my password' })
  await expectToast(page, 'Error', 'Invalid email or password')

  await page.getByRole('button', { name: 'Create Account' }).click()
  expect(await page.getByText('Forgot password?').count()).toBe(0)
  const submit = page.getByRole('button', { name: 'Create Account' })
  await page.getByLabel('Password', { exact: true }).fill('short')
  await submit.click()
  await page.getByText('Please use at least 8 characters.').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(mia.password)
  await submit.click()
  await expectToast(page, 'Success!', 'Account created successfully. You can now sign in.')
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(mia.email)
  await fillSignIn(page, mia)
  await page.waitForURL(`${service.url}/`)
  await expectToast(page, 'Welcome back!', "You've successfully signed in.")

  const links = ['Browse', 'My Playlists', 'Subscribe', 'Profile', 'Logout']
  expect((await navigation(page)).filter((name) => name !== 'Find anything')).toEqual(links)
  await page.keyboard.press('Escape')
  await page.goto(`${service.url}/auth`)
  await page.waitForURL(`${service.url}/`)
  await page.getByRole('link', { name: 'Current Plan' }).waitFor()

  await navigation(page)
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('link', { name: 'Get Started' }).waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test.each(widths)('resets a forgotten password by email at %i px', async (width) => {
  const { page, problems } = await openPage(browser, { width })
  const mia = await createAccount(service)
  await page.goto(`${service.url}/auth`)
  await page.getByLabel('Email').fill(mia.email)
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expectToast(page, 'Check your email', "We've sent you a password reset link.")
  const link = await readMailedLink(service, mia.email)
  await expect.poll(() => service.output()).toContain(link)

  await page.goto(link)
  await page.getByLabel('New password').fill('another password')
  await page.getByRole('button', { name: 'Set New Password' }).click()
  await expectToast(page, 'Password changed', 'You can now sign in with your new password.')
  await page.waitForURL(`${service.url}/auth`)
  await fillSignIn(page, mia)
  await expectToast(page, 'Error', 'Invalid email or password')
  await fillSignIn(page, { ...mia, password: 'another password' })
  await page.waitForURL(`${service.url}/`)

  // Open the link again after it was used, this time while signed in.
  await page.goto(link)
  await page.getByLabel('New password').fill('one more password')
  await page.getByRole('button', { name: 'Set New Password' }).click()
  await expectToast(page, 'Error', 'This link is no longer valid. Please request a new one.')
  expect(problems).toEqual([])
  await page.context().close()
})

test('enables two-factor, rejects a wrong code, accepts a valid and a recovery code, and disables two-factor', async () => {
  const { page, problems } = await openPage(browser, { width: 390 })
  const mia = await createAccount(service)
  await signIn(page, service, mia)
  await page.goto(`${service.url}/profile`)
  const toggle = page.getByRole('switch', { name: 'Two-factor authentication' })
  expect(await toggle.isDisabled()).toBe(true)
  await page.getByText('Confirm your email address first. We can send you a link.').waitFor()
  await page.getByRole('button', { name: 'Send Confirmation Link' }).click()
  await expectToast(page, 'Confirmation email sent', 'Open the link in it, then come back here.')
  await page.goto(await readMailedLink(service, mia.email))
  await page.waitForURL(`${service.url}/profile`)
  await toggle.click()
  await page.getByLabel('Password', { exact: true }).fill('not my password')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The password is incorrect.').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(mia.password)
  await page.getByRole('button', { name: 'Continue' }).click()
  const secret = await page.getByRole('dialog').locator('code').innerText()
  const enter = async (code: string) => page.getByLabel('Authentication code').fill(code)
  await enter('000000')
  await page.getByRole('button', { name: 'Turn On' }).click()
  await page.getByText('The code is incorrect.', { exact: false }).waitFor()
  await enter(computeAuthenticatorCode(secret))
  await page.getByRole('button', { name: 'Turn On' }).click()
  await page.getByRole('button', { name: 'Copy Codes' }).waitFor()
  const codes = await page.getByRole('list', { name: 'Recovery codes' }).locator('code').all()
  const recoveryCode = await codes[0]!.innerText()
  expect(codes).toHaveLength(10)
  await page.getByRole('button', { name: 'I Have Saved Them' }).click()
  await expect.poll(() => toggle.isChecked()).toBe(true)

  const logOut = async () => {
    await page.goto(service.url)
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('link', { name: 'Get Started' }).waitFor()
  }
  await logOut()
  await page.goto(`${service.url}/auth`)
  await fillSignIn(page, mia)
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
  await enter('123456')
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('The code is incorrect.', { exact: false }).waitFor()
  await enter(computeAuthenticatorCode(secret))
  await page.getByRole('button', { name: 'Verify' }).click()
  await expectToast(page, 'Welcome back!', "You've successfully signed in.")

  await logOut()
  await page.goto(`${service.url}/auth`)
  await fillSignIn(page, mia)
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click()
  await page.getByLabel('Recovery code').fill(recoveryCode)
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.waitForURL(`${service.url}/`)

  await page.goto(`${service.url}/profile`)
  await toggle.click()
  await page.getByLabel('Password', { exact: true }).fill(mia.password)
  await page.getByRole('button', { name: 'Turn Off' }).click()
  await expectToast(page, 'Two-factor authentication is off')
  await expect.poll(() => toggle.isChecked()).toBe(false)
  expect(problems).toEqual([])
  await page.context().close()
})

test('computes the authenticator codes of the test vectors in RFC 6238', () => {
  // The test vectors have eight digits, of which an authenticator shows the last six. Appendix B of RFC 6238; the key
  // is 12345678901234567890.
  const key = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
  expect(computeAuthenticatorCode(key, 59_000)).toBe('287082')
  expect(computeAuthenticatorCode(key, 1_111_111_109_000)).toBe('081804')
  expect(computeAuthenticatorCode(key, 20_000_000_000_000)).toBe('353130')
})
