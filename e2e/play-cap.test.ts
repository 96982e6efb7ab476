// Tests the limit of players per account, on several devices and in several tabs. Only the newest player plays. An
// older one is paused and says why.
import type { Page, Response } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishTrack } from './harness/api-client.ts'
import { findViolations, readPlayingSound, openPage } from './harness/browser.ts'
import { makeWav } from './harness/make-wav.ts'
import { signIn } from './harness/members.ts'
import { setStage, type Stage } from './harness/stage.ts'

let stage: Stage

const member = { email: 'listener@example.com', password: 'a-listeners-password' }
const premium = { email: 'premium@example.com', password: 'a-listeners-password' }

beforeAll(async () => {
  stage = await setStage()
  const { owner } = stage
  await owner.send('POST', '/api/auth/sign-up/email', { ...member, name: '' })
  await owner.send('POST', '/api/auth/sign-up/email', { ...premium, name: '' })
  const { body } = await owner.send('GET', `/api/admin-users?q=${premium.email}`)
  const [person] = body['data'] as { id: string }[]
  await owner.send('PATCH', `/api/admin-users/${person!.id}/subscription`, {
    subscription_tier: 'premium',
  })
  await owner.send('POST', '/api/admin-categories', { category: 'Focus', display_name: 'Focus' })
  await publishTrack(owner, makeWav(60, 262), { title: 'First Harbour', category: 'focus' })
})

afterAll(() => stage.close())

async function openBrowse(
  width: number,
  who = member,
): Promise<{ page: Page; problems: string[] }> {
  const { page, problems } = await openPage(stage.browser, { width })
  await signIn(page, stage, who)
  await page.goto(`${stage.url}/browse`)
  await page.getByText('First Harbour').first().waitFor()
  return { page, problems }
}

const isPlaying = async (page: Page) => (await readPlayingSound(page))?.isPlaying ?? false
async function expectPlaying(page: Page, expected: boolean): Promise<void> {
  await expect.poll(() => isPlaying(page)).toBe(expected)
}
const notice = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'your account is playing on another device' }).first()

test('plays on the newer device, pauses the older one and says why, and lets the older one take over', async () => {
  const desk = await openBrowse(1440)
  const phone = await openBrowse(390)
  await desk.page.getByRole('button', { name: 'Play All' }).click()
  await expectPlaying(desk.page, true)
  await phone.page.getByRole('button', { name: 'Play All' }).click()
  await expectPlaying(phone.page, true)

  await notice(desk.page).waitFor()
  await expectPlaying(desk.page, false)
  await expect
    .poll(() => notice(desk.page).innerText())
    .toContain('The Free plan allows playback on 1 device at a time, Premium on 3.')
  expect(await findViolations(desk.page)).toEqual([])
  await notice(desk.page).getByRole('link', { name: 'Upgrade' }).waitFor()
  const { seconds } = (await readPlayingSound(desk.page))!
  await notice(desk.page).getByRole('button', { name: 'Play here' }).click()
  await expectPlaying(desk.page, true)
  await expect.poll(() => notice(desk.page).count()).toBe(0)
  await expect
    .poll(async () => (await readPlayingSound(desk.page))!.seconds)
    .toBeGreaterThan(seconds)

  await notice(phone.page).waitFor()
  await expectPlaying(phone.page, false)
  expect(await findViolations(phone.page)).toEqual([])
  expect(await isPlaying(desk.page)).toBe(true)
  expect([...desk.problems, ...phone.problems]).toEqual([])
  for (const { page } of [desk, phone]) await page.context().close()
})

test('shows no notice in a restored, paused player while another device plays, and plays when Play is pressed', async () => {
  const desk = await openBrowse(1440)
  await desk.page.getByRole('button', { name: 'Play All' }).click()
  await expectPlaying(desk.page, true)
  const phone = await openBrowse(390)
  await phone.page.getByRole('button', { name: 'Play All' }).click()
  await expectPlaying(phone.page, true)
  await notice(desk.page).waitFor()

  // A restored player preloads its track and gets 409. It then sends a second request to read the reason.
  const isRefusal = (response: Response) =>
    response.status() === 409 && response.url().includes('/preview')
  const refused = desk.page.waitForResponse(isRefusal)
  const explained = refused.then(() => desk.page.waitForResponse(isRefusal))
  await desk.page.reload()
  await explained
  expect(await notice(desk.page).count()).toBe(0)
  await desk.page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await expectPlaying(desk.page, true)
  await notice(phone.page).waitFor()
  expect(phone.problems).toEqual([])
  for (const { page } of [desk, phone]) await page.context().close()
})

const tabNotice = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'playing in another tab of this browser' }).first()

/** Opens a second tab by script. Like a duplicated tab, it gets a copy of sessionStorage. */
async function openTab(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.evaluate(() => void window.open('/browse'))
  const tab = await opened
  await tab.getByText('First Harbour').first().waitFor()
  return tab
}

test('plays only in the newer of two tabs of a browser, also with Premium, and lets the older one take over', async () => {
  const { page: first, problems } = await openBrowse(1440, premium)
  await first.getByRole('button', { name: 'Play All' }).click()
  await expectPlaying(first, true)
  const second = await openTab(first)
  await second.getByRole('button', { name: 'Play All' }).click()
  await expectPlaying(second, true)
  await expectPlaying(first, false)
  await tabNotice(first).waitFor()
  expect(await tabNotice(first).innerText()).not.toContain('plan')
  expect(await findViolations(first)).toEqual([])

  await tabNotice(first).getByRole('button', { name: 'Play here' }).click()
  await expectPlaying(first, true)
  await expectPlaying(second, false)
  await tabNotice(second).waitFor()

  // The closed tab has given up its place, so the other tab may play.
  await first.close()
  await second.reload()
  await second.getByRole('button', { name: 'Play All' }).click()
  await expectPlaying(second, true)
  expect(await tabNotice(second).count()).toBe(0)
  expect(problems).toEqual([])
  await second.context().close()
})

test('plays in several browsers at once with Premium, and counts the tabs of a browser as one device', async () => {
  const [desk, laptop, phone] = [
    await openBrowse(1440, premium),
    await openBrowse(1440, premium),
    await openBrowse(390, premium),
  ]
  for (const { page } of [desk, laptop, phone]) {
    await page.getByRole('button', { name: 'Play All' }).click()
    await expectPlaying(page, true)
  }
  const tab = await openTab(desk.page)
  await tab.getByRole('button', { name: 'Play All' }).click()
  await expectPlaying(tab, true)
  await tabNotice(desk.page).waitFor()
  for (const { page, problems } of [laptop, phone]) {
    expect(await isPlaying(page)).toBe(true)
    expect(problems).toEqual([])
  }
  for (const { page } of [desk, laptop, phone]) await page.context().close()
})

test('pauses the older tab through the server when the tabs cannot reach each other', async () => {
  const { page: first } = await openBrowse(1440, premium)
  await first.context().addInitScript(() => {
    // Drop only the messages about which tab plays. The tabs still get the events of the server from each other.
    const post = BroadcastChannel.prototype.postMessage
    BroadcastChannel.prototype.postMessage = function postMessage(message) {
      if (this.name !== 'velour-playing') post.call(this, message)
    }
  })
  await first.reload()
  await first.getByRole('button', { name: 'Play All' }).click()
  await expectPlaying(first, true)
  const second = await openTab(first)
  await second.getByRole('button', { name: 'Play All' }).click()
  await expectPlaying(second, true)
  await tabNotice(first).waitFor()
  expect(await isPlaying(first)).toBe(false)
  await first.context().close()
})
