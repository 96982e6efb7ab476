// Tests the parts of the player around playback: system media controls, queue, lyrics, sleep timer, sound settings,
// full and mini player, keyboard shortcuts, and the accessibility of all panels.
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { requestUpload, publishTrack, type ApiClient } from './harness/api-client.ts'
import { findViolations, readPlayingSound, openPage, showIn } from './harness/browser.ts'
import { makeWav } from './harness/make-wav.ts'
import { signIn } from './harness/members.ts'
import { readSoundState } from './harness/sound-probe.ts'
import { setStage, type Stage } from './harness/stage.ts'

let stage: Stage
let session: Awaited<ReturnType<ReturnType<Browser['contexts']>[number]['storageState']>>
let page: Page
let problems: string[]

const member = { email: 'listener@example.com', password: 'a-listeners-password' }
// In the order of Browse, which lists the newest first.
const titles = ['Tone One', 'Tone Two', 'Tone Three', 'Tone Four']
const lyrics = '[00:02.00]The first line\n[00:08.00]The second line\n[00:14.00]The third line'

beforeAll(async () => {
  stage = await setStage()
  const { owner } = stage
  await owner.send('POST', '/api/auth/sign-up/email', { ...member, name: '' })
  const { body } = await owner.send('GET', `/api/admin-users?q=${member.email}`)
  const [person] = body['data'] as { id: string }[]
  await owner.send('PATCH', `/api/admin-users/${person!.id}/subscription`, {
    subscription_tier: 'premium',
  })
  await owner.send('POST', '/api/admin-categories', { category: 'Focus', display_name: 'Focus' })
  for (const title of titles.toReversed()) {
    const wav = makeWav(20, 262 + 60 * titles.indexOf(title))
    const cover_path = await uploadCover(owner)
    await publishTrack(owner, wav, { title, category: 'focus', lyrics, cover_path })
  }
  const signedIn = await openPage(stage.browser)
  await signIn(signedIn.page, stage, member)
  session = await signedIn.page.context().storageState()
  await signedIn.page.context().close()
})

afterAll(() => stage.close())

async function uploadCover(owner: ApiClient): Promise<string> {
  const create = { width: 640, height: 640, channels: 3, background: '#8a4468' } as const
  const png = await sharp({ create }).png().toBuffer()
  const { path, uploadUrl, uploadToken } = await requestUpload(
    owner,
    'cover.png',
    'image/png',
    png.length,
  )
  await owner.fetch(uploadUrl, {
    method: 'PUT',
    headers: { 'upload-token': uploadToken, 'content-type': 'image/png' },
    body: new Uint8Array(png),
  })
  return path
}

async function openBrowse(width = 1440): Promise<void> {
  ;({ page, problems } = await openPage(stage.browser, { width }))
  await page.context().addCookies(session.cookies)
  await page.addInitScript(() => {
    const handlers: Record<string, unknown> = {}
    Object.assign(window, { handlers })
    const session = navigator.mediaSession
    const setHandler = session.setActionHandler.bind(session)
    session.setActionHandler = (action, handler) => {
      handlers[action] = handler
      setHandler(action, handler)
    }
  })
  await page.goto(`${stage.url}/browse`)
  await page.getByText('Tone One').first().waitFor()
}

async function playAll(): Promise<void> {
  await page.getByRole('button', { name: 'Play All' }).click()
  await until(({ isPlaying, seconds }) => isPlaying && seconds > 0)
}

async function until(
  isSo: (now: Awaited<ReturnType<typeof readSoundState>>) => boolean,
): Promise<void> {
  await expect.poll(async () => isSo(await readSoundState(page))).toBe(true)
}

const bar = () => page.getByRole('region', { name: 'Player', exact: true })
const tool = (name: string) => bar().getByRole('button', { name, exact: true })
const queueRows = () => page.getByRole('list', { name: 'Queue' }).getByRole('listitem')
const queued = async () =>
  (await queueRows().allInnerTexts()).map((text) => /Tone \w+/.exec(text)?.[0])
async function isQueued(...expected: string[]): Promise<void> {
  await expect.poll(queued).toEqual(expected)
}

afterEach(async () => {
  await page.context().close()
})

test('shows the track in the system media controls, obeys them, and keeps playing on a hidden page', async () => {
  await openBrowse()
  await playAll()
  const shown = () =>
    page.evaluate(() => {
      const { metadata, playbackState } = navigator.mediaSession
      return { title: metadata?.title, artist: metadata?.artist, playbackState }
    })
  const trigger = (action: string, details: object = {}) =>
    page.evaluate(
      ([name, details]) => {
        const { handlers } = window as unknown as {
          handlers: Record<string, (details: unknown) => void>
        }
        handlers[name as string]!(details)
      },
      [action, details] as const,
    )
  expect(await shown()).toEqual({
    title: 'Tone One',
    artist: 'Test Artist',
    playbackState: 'playing',
  })
  const artwork = await page.evaluate(async () => {
    const pictures = navigator.mediaSession.metadata?.artwork ?? []
    const responses = await Promise.all(pictures.map(({ src }) => fetch(src)))
    return responses.map(({ status, headers }) => `${status} ${headers.get('content-type')}`)
  })
  expect(artwork).toEqual(['200 image/webp', '200 image/webp', '200 image/webp'])

  await trigger('pause')
  await until(({ isPlaying }) => !isPlaying)
  expect((await shown()).playbackState).toBe('paused')
  await trigger('play')
  await until(({ isPlaying }) => isPlaying)
  await trigger('nexttrack')
  await expect.poll(async () => (await shown()).title).toBe('Tone Two')
  await trigger('previoustrack')
  await expect.poll(async () => (await shown()).title).toBe('Tone One')

  // A hidden page gets no animation frames.
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    Object.defineProperty(document, 'hidden', { get: () => true })
    window.requestAnimationFrame = () => 0
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await trigger('seekto', { seekTime: 18.5 })
  await until(({ seconds }) => seconds >= 18.5)
  await expect.poll(async () => (await shown()).title).toBe('Tone Two')
  await until(({ isPlaying, seconds }) => isPlaying && seconds > 0.3 && seconds < 10)
  expect(problems).toEqual([])
})

test('edits the queue by keyboard only, keeps it after a reload, and clears it', async () => {
  await openBrowse()
  await page.getByRole('button', { name: 'Play All' }).focus()
  await page.keyboard.press('Enter')
  await until(({ isPlaying }) => isPlaying)
  await page.keyboard.press('q')
  await isQueued(...titles)
  await page.getByText('1 of 4').waitFor()
  const press = async (name: string, ...keys: string[]) => {
    await page.getByRole('button', { name, exact: true }).focus()
    for (const key of keys) await page.keyboard.press(key)
  }
  await press('Move Tone Two', 'Space', 'ArrowDown', 'ArrowDown', 'Space')
  await isQueued('Tone One', 'Tone Three', 'Tone Four', 'Tone Two')
  await press('Move Tone Three', 'Space', 'ArrowDown', 'Escape')
  await press('Play Tone Four next', 'Enter')
  await isQueued('Tone One', 'Tone Four', 'Tone Three', 'Tone Two')
  await press('Remove Tone Three', 'Enter')
  await isQueued('Tone One', 'Tone Four', 'Tone Two')

  await page.keyboard.press('Escape')
  await expect.poll(() => queueRows().count()).toBe(0)
  const row = page.getByRole('row').filter({ hasText: 'Tone Three' })
  const add = (await row.count()) > 0 ? row : page.locator('li').filter({ hasText: 'Tone Three' })
  for (const choice of ['Add to queue', 'Play next']) {
    await add.first().getByRole('button', { name: 'More for Tone Three' }).press('Enter')
    await page.getByRole('menuitem', { name: choice }).press('Enter')
  }
  await page.reload()
  await tool('Queue').press('Enter')
  await isQueued('Tone One', 'Tone Three', 'Tone Four', 'Tone Two', 'Tone Three')
  const [from, to] = [queueRows().nth(4), queueRows().nth(1)]
  const start = (await from.getByRole('button', { name: /^Move/ }).boundingBox())!
  const end = (await to.boundingBox())!
  await page.mouse.move(start.x + 10, start.y + 10)
  await page.mouse.down()
  await page.mouse.move(start.x + 10, start.y - 30, { steps: 3 })
  await page.mouse.move(start.x + 10, end.y + 8, { steps: 5 })
  await page.mouse.up()
  await isQueued('Tone One', 'Tone Three', 'Tone Three', 'Tone Four', 'Tone Two')
  await queueRows().nth(3).click({ button: 'right' })
  const menu = page.getByRole('menu', { name: 'Tone Four' })
  await menu.waitFor()
  expect((await menu.getByRole('menuitem').allInnerTexts()).slice(0, 6)).toEqual([
    'Play next',
    'Add to queue',
    'Like',
    'Start radio',
    'Play a path to this track',
    'Share',
  ])
  await menu.getByRole('menuitem', { name: 'Add to queue' }).click()
  await isQueued('Tone One', 'Tone Three', 'Tone Three', 'Tone Four', 'Tone Two', 'Tone Four')
  await press('Clear', 'Enter')
  await isQueued('Tone One')
  expect(problems).toEqual([])
})

test('applies speed, crossfade and the sleep timer', async () => {
  await openBrowse()
  await page.clock.install()
  await page.reload()
  await page.getByText('Tone One').first().waitFor()
  await playAll()
  await tool('Sound and sleep timer').click()
  const panel = page.getByRole('complementary', { name: 'Sound and sleep timer' })
  await panel.getByRole('button', { name: '1.5×' }).click()
  const elements = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('audio')]
        .filter((audio) => !audio.paused)
        .map(({ playbackRate, volume }) => ({ playbackRate, volume })),
    )
  await expect.poll(elements).toMatchObject([{ playbackRate: 1.5 }])
  await panel.getByRole('button', { name: '1×', exact: true }).click()

  await panel.getByRole('slider', { name: 'Crossfade' }).fill('3')
  const full = (await elements())[0]!.volume
  await page.getByRole('slider', { name: 'Seek' }).fill('15.5')
  await expect
    .poll(async () => {
      const both = (await elements()).map(({ volume }) => volume)
      return both.length === 2 && both.every((volume) => volume > 0.05 * full && volume < full)
    })
    .toBe(true)
  await expect.poll(async () => (await elements()).length).toBe(1)

  await panel.getByRole('button', { name: '5 min', exact: true }).click()
  await panel.getByText(/(5:00|4:\d\d) left/).waitFor()
  expect(
    await panel.getByRole('button', { name: '5 min', exact: true }).getAttribute('aria-pressed'),
  ).toBe('true')
  await page.clock.fastForward((5 * 60 - 10) * 1000)
  await expect.poll(async () => (await elements())[0]?.volume ?? 1).toBeLessThan(0.8 * full)
  expect((await readPlayingSound(page))?.isPlaying).toBe(true)
  await page.clock.fastForward(12_000)
  await until(({ isPlaying }) => !isPlaying)
  await tool('Play').waitFor()
  expect(problems).toEqual([])
})

test('scrolls timed lyrics with the sound, and seeks to a line that is clicked', async () => {
  await openBrowse()
  await playAll()
  await page.keyboard.press('y')
  const sung = page.locator('[aria-current]').filter({ hasText: /The \w+ line/ })
  await page.getByRole('slider', { name: 'Seek' }).fill('9')
  await expect.poll(() => sung.allInnerTexts()).toEqual(['The second line'])
  await page.getByRole('button', { name: 'The third line' }).press('Enter')
  await expect.poll(() => sung.allInnerTexts()).toEqual(['The third line'])
  await until(({ seconds }) => seconds >= 14)
  expect(problems).toEqual([])
})

test('runs the keyboard shortcuts, lists them in the help sheet, and has no axe violation in any panel', async () => {
  await openBrowse()
  await playAll()
  const barriers: Record<string, string[]> = {}
  const look = async (name: string) => {
    for (const colorScheme of ['dark', 'light'] as const) {
      await showIn(page, colorScheme)
      const found = await findViolations(page)
      if (found.length > 0) barriers[`${name}, ${colorScheme}`] = found
    }
  }
  const key = (name: string) => page.keyboard.press(name)
  await key('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const name of ['Play or pause', 'Next track', 'Mute', 'Full player', 'Search']) {
    await sheet.getByText(name, { exact: true }).waitFor()
  }
  await look('help sheet')
  await key('Escape')
  await sheet.waitFor({ state: 'hidden' })

  await key('n')
  await bar().getByText('Tone Two').waitFor()
  await key('p')
  await bar().getByText('Tone One').waitFor()
  const { seconds } = await readSoundState(page)
  await key('ArrowRight')
  await until((now) => now.seconds > seconds + 4)
  await key('m')
  await expect.poll(() => page.evaluate(() => document.querySelector('audio')?.muted)).toBe(true)
  await key('m')
  await key('s')
  await expect.poll(() => tool('Shuffle').getAttribute('aria-pressed')).toBe('true')
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await key('Space')
  await until(({ isPlaying }) => !isPlaying)

  await key('q')
  await queueRows().first().waitFor()
  await look('queue')
  await key('y')
  await page.getByRole('button', { name: 'The third line' }).waitFor()
  await look('lyrics')
  await key('Escape')
  await tool('Sound and sleep timer').press('Enter')
  await page.getByRole('slider', { name: 'Crossfade' }).waitFor()
  await look('sound')
  await key('Escape')
  await key('i')
  await tool('Exit mini player').waitFor()
  await look('mini player')
  await key('i')
  await tool('Queue').waitFor()
  await key('f')
  await page.getByRole('dialog', { name: 'Full player' }).waitFor()
  await look('full player')
  await key('Escape')
  await page.getByRole('dialog', { name: 'Full player' }).waitFor({ state: 'hidden' })
  expect(barriers).toEqual({})
  expect(problems).toEqual([])
})

test('opens the full player on a phone, and closes it by button and by swipe', async () => {
  await openBrowse(390)
  await playAll()
  const full = page.getByRole('dialog', { name: 'Full player' })
  const open = page.getByRole('button', { name: /^Open full player/ })
  await open.click()
  await full.waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await findViolations(page)).toEqual([])
  await full.getByRole('button', { name: 'Close full player' }).click()
  await full.waitFor({ state: 'hidden' })

  await open.click()
  await full.waitFor()
  const touch = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', y?: number) =>
    touch.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: y === undefined ? [] : [{ x: 195, y }],
    })
  await send('touchStart', 260)
  for (let y = 280; y <= 520; y += 40) await send('touchMove', y)
  await send('touchEnd')
  await full.waitFor({ state: 'hidden' })
  await open.click()
  await full.getByRole('button', { name: 'Queue', exact: true }).click()
  await isQueued(...titles)
  expect(await findViolations(page)).toEqual([])
  expect(problems).toEqual([])
})
