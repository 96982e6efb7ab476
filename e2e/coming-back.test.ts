// Tests that sign-in returns to the page that required it: after a shared link, and after the session ended during a
// song or in a form. Also tests what is left on the device after a sign-out.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiClient, publishTrack } from './harness/api-client.ts'
import { findViolations, readPlayingSound, openPage } from './harness/browser.ts'
import { makeWav } from './harness/make-wav.ts'
import { createAccount, expectToast, fillSignIn, signIn, type Member } from './harness/members.ts'
import { makePerson, openAs } from './harness/people.ts'
import { admin } from './harness/service.ts'
import { setStage, type Stage } from './harness/stage.ts'

let stage: Stage
let trackId: string

beforeAll(async () => {
  stage = await setStage()
  const { owner } = stage
  await owner.send('POST', '/api/admin-categories', { category: 'focus', display_name: 'Focus' })
  const track = { title: 'First Harbour', category: 'focus' }
  trackId = (await publishTrack(owner, makeWav(60, 262), track)).id
})

afterAll(() => stage.close())

/** Ends the session by removing its cookie. The page notices it with its next request. */
async function endSession(page: Page): Promise<void> {
  await page.context().clearCookies()
}

/** Ends all sessions of the member from another device. Their open pages get an event. */
async function endAllSessions(who: Member): Promise<void> {
  const client = createApiClient(stage.url)
  await client.signIn(who)
  await client.send('DELETE', '/api/sessions')
}

async function ownPlaylist(who: Member, title: string): Promise<string> {
  const client = createApiClient(stage.url)
  await client.signIn(who)
  const { body } = await client.send('POST', '/api/playlists', { title })
  return String(body['id'])
}

const address = (page: Page) => page.url().slice(stage.url.length)
const bar = (page: Page) => page.getByRole('region', { name: 'Player' })
const again = (page: Page) => page.getByRole('dialog', { name: 'You have been signed out' })

/** Number of accounts whose queue is saved in this browser. */
const savedQueues = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve, reject) => {
        const opening = indexedDB.open('velour-player', 1)
        opening.addEventListener('error', () => reject(opening.error))
        opening.addEventListener('success', () => {
          const read = opening.result.transaction('queues').objectStore('queues').getAllKeys()
          read.addEventListener('success', () => {
            opening.result.close()
            // An account's queue has a string as its key. The blocks with its tracks have array keys.
            resolve(read.result.filter((key) => typeof key === 'string').length)
          })
        })
      }),
  )

async function playUntil(page: Page, seconds: number): Promise<void> {
  await expect
    .poll(async () => (await readPlayingSound(page))?.seconds ?? 0, { timeout: 30_000 })
    .toBeGreaterThan(seconds)
}

test('reloads the page once when the modules of the app fail to load', async () => {
  const context = await stage.browser.newContext({ serviceWorkers: 'block' })
  const page = await context.newPage()
  let isFirst = true
  await page.route(/\/assets\/foundation-[^/]*\.js$/, (route) => {
    if (!isFirst) return route.continue()
    isFirst = false
    return route.abort('aborted')
  })
  await page.goto(`${stage.url}/auth`)
  await page.locator('h1').first().waitFor()
  expect(isFirst).toBe(false)
  await context.close()
})

test('opens a shared track and a playlist after sign-in, also for a new account', async () => {
  const { page, problems } = await openPage(stage.browser, { width: 390 })
  const mia = await createAccount(stage)
  const shared = `/browse?track=${trackId}`
  await page.goto(stage.url + shared)
  await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  expect(address(page)).toBe(`/auth?${new URLSearchParams({ next: shared })}`)
  await fillSignIn(page, mia)
  await page.waitForURL(stage.url + shared)
  await page.getByText('First Harbour').first().waitFor()

  const playlist = `/my-playlists/${await ownPlaylist(mia, 'Evening')}`
  await endSession(page)
  await page.goto(stage.url + playlist)
  await fillSignIn(page, mia)
  await page.waitForURL(stage.url + playlist)
  await page.getByRole('heading', { name: 'Evening' }).waitFor()
  await page.goto(`${stage.url}/auth?${new URLSearchParams({ next: shared })}`)
  await page.waitForURL(stage.url + shared)

  await endSession(page)
  await page.goto(stage.url + shared)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByLabel('Email').fill('newcomer@example.com')
  await page.getByLabel('Password', { exact: true }).fill('a-members-password')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  await page.getByLabel('Password', { exact: true }).fill('a-members-password')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL(stage.url + shared)
  expect(problems).toEqual([])
  await page.context().close()
})

test('opens the back-office screen of a link for admins, and redirects others to the home page', async () => {
  const { page, problems } = await openPage(stage.browser)
  const target = `/admin/library?edit=${trackId}`
  await page.goto(stage.url + target)
  await fillSignIn(page, admin)
  await page.waitForURL(stage.url + target)
  await page.getByRole('dialog', { name: 'Edit Track' }).waitFor()
  await endSession(page)
  const mia = await createAccount(stage)
  await page.goto(stage.url + target)
  await fillSignIn(page, mia)
  await expectToast(page, 'Access Denied', 'You must be an admin to access this page.')
  await page.waitForURL(`${stage.url}/`)
  expect(problems).toEqual([])
  await page.context().close()
})

test('keeps queue, position and volume when the session is lost, but only for the same member', async () => {
  const { page, problems } = await openPage(stage.browser)
  const mia = await createAccount(stage)
  await signIn(page, stage, mia)
  const here = '/browse?category=focus'
  await page.goto(stage.url + here)
  await page.getByRole('button', { name: 'Play All' }).click()
  await playUntil(page, 1)
  await bar(page).getByRole('slider', { name: 'Volume' }).fill('35')
  await bar(page).getByRole('slider', { name: 'Seek' }).fill('30')
  await playUntil(page, 30)
  await expect.poll(() => savedQueues(page)).toBe(1)

  await endAllSessions(mia)
  await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  await expectToast(page, 'You have been signed out', 'Please sign in to continue listening.')
  expect(await readPlayingSound(page)).toBeNull()
  await fillSignIn(page, mia)
  await page.waitForURL(stage.url + here)
  await bar(page).getByText('First Harbour').waitFor()
  await expect
    .poll(async () => Number(await bar(page).getByRole('slider', { name: 'Seek' }).inputValue()))
    .toBeGreaterThanOrEqual(30)
  expect(await bar(page).getByRole('slider', { name: 'Volume' }).inputValue()).toBe('35')
  await bar(page).getByRole('button', { name: 'Play', exact: true }).click()
  await playUntil(page, 30)

  await endAllSessions(mia)
  await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  const ben = await createAccount(stage)
  await fillSignIn(page, ben)
  await page.waitForURL(stage.url + here)
  await page.getByText('First Harbour').first().waitFor()
  expect(await bar(page).count()).toBe(0)
  await expect.poll(() => savedQueues(page)).toBe(0)
  expect(problems).toEqual([])
  await page.context().close()
})

test('counts the play, shows no errors and clears the queue when a member signs out during a song', async () => {
  const { page, problems } = await openPage(stage.browser)
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 401) refused.push(response.url())
  })
  const consoleErrors: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') consoleErrors.push(message.text())
  })
  const mia = await createAccount(stage)
  await signIn(page, stage, mia)
  await page.goto(`${stage.url}/browse`)
  await page.getByRole('button', { name: 'Play All' }).click()
  await playUntil(page, 6)
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('link', { name: 'Get Started' }).waitFor()
  expect(await readPlayingSound(page)).toBeNull()

  const client = createApiClient(stage.url)
  await client.signIn(mia)
  const { body } = await client.send('GET', '/api/plays/recent')
  expect(JSON.stringify(body)).toContain('First Harbour')
  await signIn(page, stage, mia)
  await page.goto(`${stage.url}/browse`)
  await page.getByText('First Harbour').first().waitFor()
  expect(await bar(page).count()).toBe(0)
  expect({ refused, consoleErrors, problems }).toEqual({
    refused: [],
    consoleErrors: [],
    problems: [],
  })
  await page.context().close()
})

test.each([390, 1440])('keeps form input when the session ends, at %i px', async (width) => {
  const { page, problems } = await openPage(stage.browser, { width })
  const mia = await createAccount(stage)
  const here = `/playlist/${await ownPlaylist(mia, 'Evening')}`
  await signIn(page, stage, mia)
  await page.goto(stage.url + here)
  const title = page.getByLabel('Title')
  await title.fill('Late evening')
  await endSession(page)
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await again(page)
    .getByText('Your changes to this playlist are still here.', { exact: false })
    .waitFor()
  expect(
    await page.getByRole('region', { name: 'Notifications' }).getByRole('listitem').count(),
  ).toBe(0)
  expect(await findViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  expect(address(page)).toBe(here)
  const email = again(page).getByLabel('Email')
  expect(await email.inputValue()).toBe(mia.email)
  expect(await email.isEditable()).toBe(false)
  await again(page).getByLabel('Password', { exact: true }).fill('not my password')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Error', 'Invalid email or password')
  await again(page).getByLabel('Password', { exact: true }).fill(mia.password)
  await page.keyboard.press('Enter')
  await again(page).waitFor({ state: 'hidden' })
  expect(await title.inputValue()).toBe('Late evening')
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(page, 'Changes saved successfully')
  expect(address(page)).toBe(here)

  await title.fill('Later still')
  await endSession(page)
  await page.getByRole('button', { name: 'Save Changes' }).click()
  await again(page).getByRole('button', { name: 'Sign in as someone else' }).click()
  await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  expect(address(page)).toBe(`/auth?${new URLSearchParams({ next: here })}`)
  expect(problems).toEqual([])
  await page.context().close()
})

test('plays the full track from the landing page, and controls it there and in the player bar', async () => {
  const pia = await makePerson(stage.owner, 'pia', 'premium')
  const { page, problems } = await openAs(stage.browser, stage, pia, '/')
  await page.getByRole('button', { name: 'Play track' }).click()
  await playUntil(page, 0.2)
  const sound = (await readPlayingSound(page))!
  expect(sound.source).toContain('/stream')
  expect(Math.round(sound.durationSeconds)).toBe(60)
  await page.locator('[data-clock]').filter({ hasText: '/ 1:00' }).waitFor()
  await bar(page).getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Play track' }).click()
  await bar(page).getByRole('button', { name: 'Pause' }).waitFor()
  await page.getByRole('slider', { name: 'Seek in the track' }).fill('40')
  await playUntil(page, 40)
  await page.getByRole('button', { name: 'Pause First Harbour by' }).click()
  await bar(page).getByRole('button', { name: 'Play', exact: true }).waitFor()
  expect(
    await page.evaluate(
      () => [...document.querySelectorAll('audio')].filter((audio) => !audio.paused).length,
    ),
  ).toBe(0)
  expect(await findViolations(page)).toEqual([])
  expect(problems).toEqual([])
  await page.context().close()
})
