// Tests the player and the rest of the window: room for panels, the window title, the Space key, tooltips.
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { publishTrack } from './harness/api-client.ts'
import { openPage } from './harness/browser.ts'
import { makeWav } from './harness/make-wav.ts'
import { signIn } from './harness/members.ts'
import { admin } from './harness/service.ts'
import { readSoundState } from './harness/sound-probe.ts'
import { setStage, type Stage } from './harness/stage.ts'

let stage: Stage
let page: Page
let problems: string[]

// In the order of Browse, which lists the newest first.
const titles = ['Tone One', 'Tone Two', 'Tone Three']

beforeAll(async () => {
  stage = await setStage()
  const { owner } = stage
  await owner.send('POST', '/api/admin-categories', { category: 'Focus', display_name: 'Focus' })
  for (const title of titles.toReversed()) {
    const wav = makeWav(60, 262 + 60 * titles.indexOf(title))
    await publishTrack(owner, wav, { title, category: 'focus' })
  }
})
afterEach(async () => {
  await page.context().close()
})
afterAll(() => stage.close())

async function playAll(width = 1440): Promise<void> {
  ;({ page, problems } = await openPage(stage.browser, { width }))
  await signIn(page, stage, admin)
  await page.goto(`${stage.url}/browse`)
  await page.getByRole('button', { name: 'Play All' }).click()
  await plays(true)
}

const bar = () => page.getByRole('region', { name: 'Player', exact: true })
const tool = (name: string) => bar().getByRole('button', { name, exact: true })
const queue = () => page.getByRole('complementary', { name: 'Queue' })
async function plays(expected: boolean): Promise<void> {
  await expect.poll(async () => (await readSoundState(page)).isPlaying).toBe(expected)
}
const box = async (selector: string) => (await page.locator(selector).boundingBox())!

/** Returns true if no other element covers the center of the element. */
const isUncovered = (selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      const seen = document.elementFromPoint(left + width / 2, top + height / 2)
      return element.contains(seen)
    })

test('moves the page aside for a panel in a wide window, also in the back office', async () => {
  await playAll(1280)
  for (const path of ['/browse', '/my-playlists', '/admin/library']) {
    if (path !== '/browse') await page.goto(stage.url + path)
    await tool('Queue').click()
    await queue().waitFor()
    const panel = (await queue().boundingBox())!
    const player = (await bar().boundingBox())!
    const mainEnd = async () => {
      const { x, width } = await box('main')
      return x + width
    }
    await expect.poll(mainEnd, { message: path }).toBeLessThanOrEqual(panel.x)
    const gap = async () => {
      const { y, height } = (await queue().boundingBox())!
      return (await bar().boundingBox())!.y - y - height
    }
    await expect.poll(gap, { message: path }).toBeGreaterThanOrEqual(0)
    expect(player.width, path).toBe(1280)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBe(1280)
  }
  await page.goto(`${stage.url}/browse`)
  await tool('Queue').click()
  await queue().waitFor()
  expect(await isUncovered('main [aria-label="More for Tone One"]')).toBe(true)
  await page.keyboard.press('Escape')
  await queue().waitFor({ state: 'hidden' })
  await expect.poll(async () => (await box('main')).width).toBe(1280)
  expect(problems).toEqual([])
})

test('causes no unexpected layout shift when a panel opens', async () => {
  await playAll()
  await page.evaluate(() => {
    const unasked: number[] = []
    Object.assign(window, { unasked })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
        if (!shift.hadRecentInput) unasked.push(shift.value)
      }
    }).observe({ type: 'layout-shift' })
  })
  const row = page.getByText('Tone Two').first()
  const before = (await row.boundingBox())!
  await tool('Queue').click()
  await queue().waitFor()
  expect((await row.boundingBox())!.y).toBe(before.y)
  const sum = await page.evaluate(() =>
    (window as unknown as { unasked: number[] }).unasked.reduce((a, b) => a + b, 0),
  )
  expect(sum).toBeLessThanOrEqual(0.05)
})

test('opens a panel above the page in a narrower window', async () => {
  await playAll(1279)
  await tool('Queue').click()
  await queue().waitFor()
  expect((await box('main')).width).toBe(1279)
  expect(problems).toEqual([])
})

test('shows the song in the window title during playback, and the title of a newly opened screen to screen readers', async () => {
  await playAll()
  await expect.poll(() => page.title()).toBe('Tone One · Test Artist – Velour')
  await page.getByRole('link', { name: 'My Playlists' }).click()
  await page.getByRole('status').filter({ hasText: 'My Playlists · Velour' }).waitFor()
  expect(await page.title()).toBe('Tone One · Test Artist – Velour')
  await tool('Next').click()
  await expect.poll(() => page.title()).toBe('Tone Two · Test Artist – Velour')
  await tool('Pause').click()
  await expect.poll(() => page.title()).toBe('My Playlists · Velour')
})

test('plays and pauses on Space after a click, but uses Space for a control that is focused by keyboard', async () => {
  await playAll()
  await tool('Next').click()
  await bar().getByText('Tone Two').waitFor()
  await page.keyboard.press('Space')
  await plays(false)
  await page.keyboard.press('Space')
  await plays(true)
  await bar().getByText('Tone Two').waitFor()

  await tool('Shuffle').click()
  await expect.poll(() => tool('Shuffle').getAttribute('aria-pressed')).toBe('true')
  await page.keyboard.press('Space')
  await plays(false)
  expect(await tool('Shuffle').getAttribute('aria-pressed')).toBe('true')

  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Space')
  await expect.poll(() => tool('Shuffle').getAttribute('aria-pressed')).toBe('false')
  await plays(false)

  const search = page.getByRole('main').getByPlaceholder('Search tracks...')
  await search.click()
  await page.keyboard.type('a b')
  expect(await search.inputValue()).toBe('a b')
  await plays(false)
  expect(problems).toEqual([])
})

test('passes a click on a tooltip to the control below it', async () => {
  await playAll()
  await tool('Queue').click()
  const remove = queue().getByRole('button', { name: 'Remove Tone Two', exact: true })
  await remove.hover()
  await page.getByRole('tooltip').filter({ hasText: 'Remove Tone Two' }).waitFor()
  const clear = queue().getByRole('button', { name: 'Clear', exact: true })
  const { x, y, width, height } = (await clear.boundingBox())!
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 8 })
  await page.getByRole('tooltip').filter({ hasText: 'Remove' }).waitFor({ state: 'hidden' })
  await page.mouse.down()
  await page.mouse.up()
  await expect.poll(() => queue().getByRole('listitem').count()).toBe(1)
  expect(problems).toEqual([])
})
