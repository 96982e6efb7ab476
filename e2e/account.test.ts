// Tests a member's account: tiers, profile picture, password, data export, sessions and deletion. Also tests how open
// pages react to maintenance, a ban and a server restart, and checks every account screen with axe and by keyboard.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeSettings, publishTrack } from './harness/api-client.ts'
import { findViolations, readPlayingSound, openPage, showIn } from './harness/browser.ts'
import { makeWav } from './harness/make-wav.ts'
import {
  createAccount,
  createConfirmedAccount,
  expectToast,
  fillSignIn,
  createMember,
  readMailedLink,
  signIn,
  type Member,
} from './harness/members.ts'
import { admin } from './harness/service.ts'
import { setStage, type Stage } from './harness/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage()
  await publishTrack(stage.owner, makeWav(8, 330), { title: 'First Harbour' })
})
afterAll(() => stage.close())

async function idOf({ email }: Member): Promise<string> {
  const { body } = await stage.owner.send('GET', `/api/admin-users?q=${email}`)
  return (body['data'] as { id: string }[])[0]!.id
}

async function openProfile(
  width: number,
): Promise<{ page: Page; problems: string[]; mia: Member }> {
  const mia = await createAccount(stage)
  const { page, problems } = await openPage(stage.browser, { width })
  await signIn(page, stage, mia)
  await page.goto(`${stage.url}/profile`)
  await page.getByText('This device').waitFor()
  return { page, problems, mia }
}

const locateFact = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd')

test('shows the badge, status and date of each tier on the open page', async () => {
  const { page, problems, mia } = await openProfile(390)
  const id = await idOf(mia)
  expect(await locateFact(page, 'Tier').innerText()).toBe('Free')
  expect(await locateFact(page, 'Renewal Date').innerText()).toBe('N/A')
  const looks = new Set<string | null>()
  for (const tier of ['monthly', 'yearly', 'premium', 'comped', 'lifetime', 'free']) {
    await stage.owner.send('PATCH', `/api/admin-users/${id}/subscription`, {
      subscription_tier: tier,
    })
    const name = tier[0]!.toUpperCase() + tier.slice(1)
    await locateFact(page, 'Tier').getByText(name, { exact: true }).waitFor()
    await expect
      .poll(() => locateFact(page, 'Status').innerText())
      .toBe(tier === 'free' ? 'Inactive' : 'Active')
    const label = tier === 'lifetime' ? 'Valid Until' : 'Renewal Date'
    expect(await locateFact(page, label).count(), tier).toBe(1)
    if (['premium', 'lifetime', 'comped'].includes(tier)) {
      looks.add(await locateFact(page, 'Tier').locator('span').first().getAttribute('class'))
    }
  }
  expect(looks.size).toBe(3)
  expect(problems).toEqual([])
  await page.context().close()
})

test.each([390, 1440])('sets picture, exports data, requests deletion at %i px', async (width) => {
  const { page, problems, mia } = await openProfile(width)
  const choose = (name: string, mimeType: string, buffer: Buffer) =>
    page.getByLabel('Profile picture').setInputFiles({ name, mimeType, buffer })
  const white = { width: 600, height: 400, channels: 3, background: '#c25' } as const
  await choose('me.png', 'image/png', await sharp({ create: white }).png().toBuffer())
  await expectToast(page, 'Avatar updated', 'Your profile picture has been updated successfully.')
  const picture = page.locator('img[src^="/media/avatars/"]')
  await picture.waitFor()
  const before = await picture.getAttribute('src')
  const script = '<script>alert(1)</script>'
  const refused: [string, string, Buffer][] = [
    ['notes.txt', 'text/plain', Buffer.from('words')],
    [
      'me.svg',
      'image/svg+xml',
      Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${script}</svg>`),
    ],
    ['me.gif', 'image/gif', Buffer.from(`GIF89a/*${script}*/=1`)],
  ]
  for (const file of refused) {
    await choose(...file)
    await expectToast(page, 'Upload failed', 'This file is not a picture that can be shown.')
  }
  const tooLarge = join(stage.dataDir, 'too-large.jpg')
  await writeFile(tooLarge, Buffer.alloc(20 * 1024 ** 2 + 1, 0xff))
  await page.getByLabel('Profile picture').setInputFiles(tooLarge)
  await expectToast(page, 'Upload failed', 'The file is too large.')
  expect(await picture.getAttribute('src')).toBe(before)

  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expectToast(
    page,
    'Password reset email sent',
    'Check your email for the password reset link.',
  )
  // The specification requires that a password reset started on the profile ends on the home page.
  expect(new URL(await readMailedLink(stage, mia.email)).searchParams.get('next')).toBe('/')

  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const file = await downloading
  expect(file.suggestedFilename()).toMatch(/^velour-data-\d{13}\.json$/)
  const data = JSON.parse(await readFile(await file.path(), 'utf8')) as { profile: unknown }
  expect(data.profile).toMatchObject({ email: mia.email })

  await page.getByRole('button', { name: 'Delete Account' }).click()
  const question = page.getByRole('alertdialog')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Cancel')
  await question.getByRole('button', { name: 'Delete Account' }).click()
  await expectToast(
    page,
    'Account deletion requested',
    'Please contact support to complete account deletion.',
  )
  expect(problems).toEqual([])
  await page.context().close()
})

test('redirects to sign-in with a message when another device ends the session', async () => {
  const { page, mia } = await openProfile(1440)
  const { page: phone } = await openPage(stage.browser, { width: 390 })
  await signIn(phone, stage, mia)
  await phone.goto(`${stage.url}/browse`)
  await phone.getByText('First Harbour').waitFor()
  await page.reload()
  const others = page
    .getByRole('listitem')
    .filter({ hasText: 'Signed in' })
    .filter({ hasNotText: 'This device' })
  await others.getByRole('button').click()
  await expectToast(page, 'Signed out on that device')
  await phone.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  await expectToast(phone, 'You have been signed out', 'Please sign in to continue listening.')

  await fillSignIn(phone, mia)
  await phone.waitForURL(`${stage.url}/browse`)
  await phone.getByText('First Harbour').waitFor()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign Out' }).click()
  await expectToast(page, 'Signed out everywhere', 'Sign in again to continue listening here.')
  await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  expect(await page.getByText('You have been signed out').count()).toBe(0)
  await phone.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  await Promise.all([page.context().close(), phone.context().close()])
})

test('applies maintenance mode and a ban to open pages without a reload; admins are exempt from maintenance', async () => {
  const { page, mia } = await openProfile(390)
  const { page: boss } = await openPage(stage.browser)
  await signIn(boss, stage, admin)
  await page.goto(`${stage.url}/browse`)
  await page.getByText('First Harbour').waitFor()
  await changeSettings(stage.owner, { maintenance_mode: true })
  await page.getByText('We are making things better').waitFor()
  expect(await page.getByText('First Harbour').count()).toBe(0)
  await boss.goto(`${stage.url}/browse`)
  await boss.getByText('First Harbour').waitFor()
  await changeSettings(stage.owner, { maintenance_mode: false })
  await page.getByText('First Harbour').waitFor()

  // Ban the user while the page is open.
  await stage.owner.send('POST', `/api/admin-users/${await idOf(mia)}/ban`)
  await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  await expectToast(page, 'You have been signed out', 'Please sign in to continue listening.')
  await fillSignIn(page, mia)
  await expectToast(page, 'Error', 'This account has been banned.')
  await Promise.all([page.context().close(), boss.context().close()])
})

test('reports an unreachable server on an open page, and recovers when it is back', async () => {
  const { page, mia } = await openProfile(390)
  await stage.stop()
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expectToast(page, 'Error', 'Failed to send password reset email.')
  await page.getByRole('button', { name: 'Download my data' }).click()
  await expectToast(page, 'Error', 'The server cannot be reached. Please check your connection.')
  await stage.start()
  await page.getByRole('button', { name: 'Reset Password' }).click()
  await expectToast(page, 'Password reset email sent')
  const path = `/api/admin-users/${await idOf(mia)}/subscription`
  await stage.owner.send('PATCH', path, { subscription_tier: 'lifetime' })
  await locateFact(page, 'Valid Until').getByText('Forever').waitFor()
  await expect.poll(() => locateFact(page, 'Status').innerText()).toBe('Active')
  await page.context().close()
})

test('shows placeholders until a slow server responds', async () => {
  const { page } = await openProfile(390)
  await page.route('**/api/sessions', async (route) => {
    await page.locator('[aria-busy=true]').first().waitFor()
    await route.continue()
  })
  await page.reload()
  await page.getByText('This device').waitFor()
  expect(await page.locator('[aria-busy=true]').count()).toBe(0)
  await page.context().close()
})

/** Checks the current page in both themes and at both widths. */
async function expectNoViolations(page: Page, what: string): Promise<void> {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const colorScheme of ['dark', 'light'] as const) {
      await showIn(page, colorScheme)
      expect(await findViolations(page), `${what}, ${width}, ${colorScheme}`).toEqual([])
    }
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overhang, `${what}, ${width}`).toBeLessThanOrEqual(0)
  }
}

test('finds no axe violation on any account screen, and sends no request to another host', async () => {
  const { page, problems } = await openPage(stage.browser)
  const strangers: string[] = []
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(stage.url))
      strangers.push(request.url())
  })
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor()
  await page.goto(stage.url)
  await page.getByRole('link', { name: 'Start Listening' }).waitFor()
  await expectNoViolations(page, 'landing')
  await page.goto(`${stage.url}/auth`)
  await heading('Welcome Back')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expectNoViolations(page, 'sign in, with problems')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await heading('Create Account')
  await expectNoViolations(page, 'create account')
  await page.goto(`${stage.url}/auth?token=gone`)
  await heading('Reset Password')
  await expectNoViolations(page, 'reset password')
  await page.goto(`${stage.url}/no/such/page`)
  await heading('Oops! Page not found')
  await expectNoViolations(page, 'not found')

  const mia = await createConfirmedAccount(stage)
  await signIn(page, stage, mia)
  await page.getByRole('region', { name: 'Notifications' }).getByRole('button').click()
  await page.goto(`${stage.url}/subscribe`)
  await page.getByRole('button', { name: 'Subscribe Now' }).first().waitFor()
  await expectNoViolations(page, 'subscribe')
  await page.goto(`${stage.url}/profile`)
  await page.getByText('This device').waitFor()
  await expectNoViolations(page, 'profile')
  const shut = async () => {
    await page.keyboard.press('Escape')
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
  }
  await page.getByRole('switch', { name: 'Two-factor authentication' }).click()
  await page.getByLabel('Password', { exact: true }).fill(mia.password)
  await expectNoViolations(page, 'two-factor, password')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Authentication code').waitFor()
  await expectNoViolations(page, 'two-factor, code')
  await shut()
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expectNoViolations(page, 'sign out everywhere')
  await shut()
  await page.getByRole('button', { name: 'Delete Account' }).click()
  await expectNoViolations(page, 'delete account')
  await shut()
  await page.setViewportSize({ width: 390, height: 900 })
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Profile' }).waitFor()
  for (const colorScheme of ['dark', 'light'] as const) {
    await showIn(page, colorScheme)
    expect(await findViolations(page), `drawer, ${colorScheme}`).toEqual([])
  }
  await shut()
  await changeSettings(stage.owner, { maintenance_mode: true })
  await page.getByText('We are making things better').waitFor()
  await expectNoViolations(page, 'maintenance')
  await changeSettings(stage.owner, { maintenance_mode: false })
  await page.getByText('This device').waitFor()
  expect(strangers).toEqual([])
  expect(problems).toEqual([])
  await page.context().close()
})

/** Presses Tab until the control with this name has the focus. Throws if it can't be reached. */
async function pressTabUntil(page: Page, name: string | RegExp): Promise<void> {
  const control = page
    .getByRole('button', { name, exact: true })
    .or(page.getByRole('link', { name, exact: true }))
    .or(page.getByRole('textbox', { name, exact: true }))
    .and(page.locator(':focus'))
  for (let i = 0; i < 80; i++) {
    if ((await control.count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`The keyboard does not reach ${String(name)}`)
}

test('goes from sign-up to sign-out without a mouse', async () => {
  const { page, problems } = await openPage(stage.browser)
  const mia = createMember()
  const press = async (name: string | RegExp, key = 'Enter') => {
    await pressTabUntil(page, name)
    await page.keyboard.press(key)
  }
  const type = async (name: string, text: string) => {
    await pressTabUntil(page, name)
    await page.keyboard.type(text)
  }
  await page.goto(stage.url)
  await press('Start Listening')
  await press('Create Account')
  await page.getByRole('heading', { name: 'Create Account' }).waitFor()
  await type('Email', mia.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(mia.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  await type('Email', '')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type(mia.password)
  await page.keyboard.press('Enter')
  await page.waitForURL(`${stage.url}/`)
  await press('Browse')
  // The home page lists the same tracks, so wait for the URL of Browse.
  await page.waitForURL(`${stage.url}/browse`)
  await page.getByRole('button', { name: 'Play All', disabled: false }).waitFor()
  await press('Play All')
  await expect.poll(async () => (await readPlayingSound(page))?.isPlaying).toBe(true)
  await page.reload()
  await press('My Playlists')
  await page.waitForURL(/my-playlists/)
  await press(/New Playlist/)
  await page.getByRole('dialog').waitFor()
  await type('Title', 'Made by keys')
  await page.keyboard.press('Enter')
  await page.getByText('Playlist created successfully').first().waitFor()
  await page.goto(stage.url)
  await press('Profile')
  await page.getByRole('heading', { name: 'Account Settings' }).waitFor()
  await press('Logout')
  await page.getByRole('link', { name: 'Get Started' }).waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})
