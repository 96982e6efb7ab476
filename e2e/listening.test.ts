// Tests listening as a new member: sign-up, Browse, a preview to its end, and then the full track with Premium.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishTrack } from './harness/api-client.ts'
import { findViolations, readPlayingSound, openPage } from './harness/browser.ts'
import { makeWav } from './harness/make-wav.ts'
import { signIn } from './harness/members.ts'
import { setStage, type Stage } from './harness/stage.ts'

let stage: Stage

const newcomer = { email: 'newcomer@example.com', password: 'a-newcomers-password' }

beforeAll(async () => {
  stage = await setStage()
  await stage.owner.send('POST', '/api/admin-categories', {
    category: 'Focus',
    display_name: 'Focus',
  })
  await stage.owner.send('POST', '/api/admin-genres', { name: 'Ambient' })
  // Publish the last one in the list first, because Browse lists the newest first.
  for (const [title, frequency, seconds] of [
    ['Third Light', 392, 20],
    ['Second Wave', 330, 20],
    ['First Harbour', 262, 60],
  ] as const) {
    await publishTrack(stage.owner, makeWav(seconds, frequency), {
      title,
      category: 'focus',
      genre: 'Ambient',
    })
  }
})

afterAll(() => stage.close())

const toasts = (page: Page) => page.getByRole('region', { name: 'Notifications' })

const inPlayer = (page: Page, name: string | RegExp) =>
  page.getByRole('group', { name: 'Playback' }).getByRole('button', { name, exact: true })

test('signs up a new member, plays a preview, and shows a notice at its end', async () => {
  const { page, problems } = await openPage(stage.browser)
  await page.goto(stage.url)
  await page.getByRole('link', { name: 'Start Listening' }).click()
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page.getByLabel('Email').fill(newcomer.email)
  await page.getByLabel('Password', { exact: true }).fill(newcomer.password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await page
    .getByText('Account created successfully. You can now sign in.', { exact: true })
    .waitFor()
  await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  await expect.poll(() => page.getByLabel('Email').inputValue()).toBe(newcomer.email)
  await page.getByLabel('Password', { exact: true }).fill(newcomer.password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await page.waitForURL(`${stage.url}/`)
  await page.getByText("You've successfully signed in.", { exact: true }).waitFor()

  await page.getByRole('link', { name: 'Browse', exact: true }).first().click()
  await page.getByText('First Harbour').waitFor()
  await page.getByRole('button', { name: 'Play All' }).click()
  await expect.poll(async () => (await readPlayingSound(page))?.seconds ?? 0).toBeGreaterThan(0.5)
  const sound = await readPlayingSound(page)
  expect(sound).toMatchObject({ isPlaying: true })
  expect(sound!.source).toMatch(/\/preview\?player=[-0-9a-f]{36}$/)
  expect(sound!.decodedBytes).toBeGreaterThan(0)
  expect(sound!.durationSeconds).toBeCloseTo(45, 0)
  await page.getByText('Preview Mode (45s)').waitFor()
  await page.getByRole('link', { name: 'Upgrade to Premium' }).waitFor()

  // Move to the last seconds of the preview, and let it end.
  await page.getByRole('slider', { name: 'Seek' }).fill('43.5')
  const alert = page.getByRole('alert').filter({ hasText: 'Full playback available with Premium' })
  await alert.waitFor()
  expect(await readPlayingSound(page)).toMatchObject({ isPlaying: false })
  await alert.getByRole('button', { name: 'Dismiss' }).waitFor()
  await alert.getByRole('button', { name: 'Upgrade Now' }).click()
  await page.waitForURL(`${stage.url}/subscribe`)
  await expect.poll(() => alert.count()).toBe(0)
  expect(problems).toEqual([])
  await page.context().close()
})

test('plays the same track in full with Premium, and obeys the buttons of the player', async () => {
  const { body } = await stage.owner.send('GET', `/api/admin-users?q=${newcomer.email}`)
  const [person] = body['data'] as { id: string }[]
  await stage.owner.send('PATCH', `/api/admin-users/${person!.id}/subscription`, {
    subscription_tier: 'premium',
  })
  const { page, problems } = await openPage(stage.browser)
  await signIn(page, stage, newcomer)
  await page.goto(`${stage.url}/browse`)
  await page.getByRole('button', { name: 'Play All' }).click()
  await expect.poll(async () => (await readPlayingSound(page))?.seconds ?? 0).toBeGreaterThan(0.5)
  const sound = await readPlayingSound(page)
  expect(sound!.source).toMatch(/\/stream\?player=[-0-9a-f]{36}$/)
  expect(sound!.durationSeconds).toBeCloseTo(60, 0)
  expect(await page.getByText('Preview Mode').count()).toBe(0)

  await page.getByRole('slider', { name: 'Seek' }).fill('50')
  await expect.poll(async () => (await readPlayingSound(page))!.seconds).toBeGreaterThan(50)

  // Play All turns Repeat on for all tracks. The button then goes to one track, off, and back to all.
  await inPlayer(page, 'Repeat: all').click()
  await inPlayer(page, 'Repeat: one').click()
  await inPlayer(page, 'Repeat').click()
  await inPlayer(page, 'Repeat: all').waitFor()

  const nowPlaying = page.getByRole('region', { name: 'Player' })
  await inPlayer(page, 'Next').click()
  await nowPlaying.getByText('Second Wave').first().waitFor()
  await inPlayer(page, 'Previous').click()
  await nowPlaying.getByText('First Harbour').first().waitFor()
  // Previous goes from the first track to the last.
  await inPlayer(page, 'Previous').click()
  await nowPlaying.getByText('Third Light').first().waitFor()
  await inPlayer(page, 'Pause').click()
  await page.getByRole('slider', { name: 'Volume' }).fill('30')

  // After a reload, queue, volume and position are as before, and nothing plays.
  await page.reload()
  await nowPlaying.getByText('Third Light').first().waitFor()
  await expect.poll(() => page.getByRole('slider', { name: 'Volume' }).inputValue()).toBe('30')
  await inPlayer(page, 'Play').click()
  await expect.poll(async () => (await readPlayingSound(page))?.isPlaying).toBe(true)
  expect(problems).toEqual([])
  await page.context().close()
})

test('applies search, category and likes together', async () => {
  const { page, problems } = await openPage(stage.browser)
  await signIn(page, stage, newcomer)
  await page.goto(`${stage.url}/browse`)
  await page.getByPlaceholder('Search tracks...').fill('WAVE')
  await page.getByText('First Harbour').waitFor({ state: 'detached' })
  await page.getByText('Second Wave').waitFor()
  await page.getByRole('button', { name: 'Like Second Wave' }).click()
  await toasts(page).getByText('Added to liked tracks').waitFor()
  await page.getByPlaceholder('Search tracks...').fill('nothing like it')
  await page.getByText('No tracks found').waitFor()
  await page.getByPlaceholder('Search tracks...').fill('')
  await page.goto(`${stage.url}/browse`)
  await page
    .getByRole('link', { name: 'Liked' })
    .or(page.getByRole('button', { name: 'Liked' }))
    .first()
    .click()
  await page.getByText('Second Wave').waitFor()
  await page.getByText('First Harbour').waitFor({ state: 'detached' })
  expect(problems).toEqual([])
  await page.context().close()
})

test('redirects to sign-in without a session, and shows an error page for an unknown URL', async () => {
  const { page } = await openPage(stage.browser)
  for (const path of ['/browse', '/my-playlists', '/subscribe', '/profile', '/admin/library']) {
    await page.goto(`${stage.url}${path}`)
    await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  }
  await page.goto(`${stage.url}/no/such/page`)
  await page.getByText('Oops! Page not found').waitFor()
  await expect.poll(() => stage.output()).toContain('/no/such/page')
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await page.waitForURL(`${stage.url}/`)
  await page.context().close()
})

test('finds no axe violation in either theme, on phone and desktop', async () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    for (const width of [390, 1440]) {
      const { page } = await openPage(stage.browser, { width, colorScheme })
      for (const path of ['/', '/auth', '/no/such/page']) {
        await page.goto(`${stage.url}${path}`)
        await page.getByRole('heading').first().waitFor()
        expect(await findViolations(page), `${path} ${width} ${colorScheme}`).toEqual([])
      }
      await signIn(page, stage, newcomer)
      await page.goto(`${stage.url}/browse`)
      await page.getByText('First Harbour').first().waitFor()
      await page.getByRole('button', { name: 'Play All' }).click()
      await expect.poll(async () => (await readPlayingSound(page))?.isPlaying).toBe(true)
      expect(await findViolations(page), `/browse ${width} ${colorScheme}`).toEqual([])
      await page.context().close()
    }
  }
})
