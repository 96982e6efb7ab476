// One account on two devices: the newer one plays, the older one is paused and says why.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishTrack } from './api-client.ts'
import { findBarriers, listen, openPage } from './browser.ts'
import { makeWav } from './make-wav.ts'
import { signIn } from './members.ts'
import { setStage, type Stage } from './stage.ts'

let stage: Stage

const member = { email: 'listener@example.com', password: 'a-listeners-password' }

beforeAll(async () => {
  stage = await setStage()
  const { owner } = stage
  await owner.send('POST', '/api/auth/sign-up/email', { ...member, name: '' })
  await owner.send('POST', '/api/admin-categories', { category: 'Focus', display_name: 'Focus' })
  await publishTrack(owner, makeWav(60, 262), { title: 'First Harbour', category: 'focus' })
})

afterAll(() => stage.close())

async function openBrowse(width: number): Promise<{ page: Page; problems: string[] }> {
  const { page, problems } = await openPage(stage.browser, { width })
  await signIn(page, stage, member)
  await page.goto(`${stage.url}/browse`)
  await page.getByText('First Harbour').first().waitFor()
  return { page, problems }
}

const isPlaying = async (page: Page) => (await listen(page))?.isPlaying ?? false
async function plays(page: Page, expected: boolean): Promise<void> {
  await expect.poll(() => isPlaying(page), { timeout: 5000 }).toBe(expected)
}
const notice = (page: Page) =>
  page.getByRole('alert').filter({ hasText: 'your account is playing on another device' }).first()

test('the newer device plays, the older is paused, says why and can take over', async () => {
  const desk = await openBrowse(1440)
  const phone = await openBrowse(390)
  await desk.page.getByRole('button', { name: 'Play All' }).click()
  await plays(desk.page, true)
  await phone.page.getByRole('button', { name: 'Play All' }).click()
  await plays(phone.page, true)

  await notice(desk.page).waitFor({ timeout: 2000 })
  await plays(desk.page, false)
  await expect
    .poll(() => notice(desk.page).innerText())
    .toContain('The free plan plays on 1 device at a time, Premium on 3.')
  expect(await findBarriers(desk.page)).toEqual([])
  await notice(desk.page).getByRole('link', { name: 'Upgrade' }).waitFor()
  const { seconds } = (await listen(desk.page))!
  await notice(desk.page).getByRole('button', { name: 'Play here' }).click()
  await plays(desk.page, true)
  await expect.poll(() => notice(desk.page).count()).toBe(0)
  await expect
    .poll(async () => (await listen(desk.page))!.seconds, { timeout: 5000 })
    .toBeGreaterThan(seconds)

  await notice(phone.page).waitFor({ timeout: 2000 })
  await plays(phone.page, false)
  expect(await findBarriers(phone.page)).toEqual([])
  expect(await isPlaying(desk.page)).toBe(true)
  expect([...desk.problems, ...phone.problems]).toEqual([])
  for (const { page } of [desk, phone]) await page.context().close()
})

test('a second tab counts as another device, even a duplicate; a closed tab does not', async () => {
  const { page: first, problems } = await openBrowse(1440)
  await first.getByRole('button', { name: 'Play All' }).click()
  await plays(first, true)
  const opened = first.waitForEvent('popup')
  // Opened by script, a tab inherits the storage of the session, as one that is duplicated does.
  await first.evaluate(() => void window.open('/browse'))
  const second = await opened
  await second.getByText('First Harbour').first().waitFor()
  await second.getByRole('button', { name: 'Play', exact: true }).last().click()
  await plays(second, true)
  await notice(first).waitFor({ timeout: 2000 })
  await second.close()
  // Its place is free: no newer player refuses this one.
  await first.reload()
  await first.getByRole('button', { name: 'Play All' }).click()
  await plays(first, true)
  expect(await notice(first).count()).toBe(0)
  expect(problems).toEqual([])
  await first.context().close()
})
