// Tests the landing page before the app has loaded: it can be read without scripts, plays previews with a small script
// of its own, and hands a running song over to the app.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { publishTrack } from './harness/api-client.ts'
import { findViolations, readPlayingSound, openPage } from './harness/browser.ts'
import { deviceSizes, devices, recordShifts } from './lived-in/screen-window.ts'
import { makeWav } from './harness/make-wav.ts'
import { fillSignIn } from './harness/members.ts'
import { admin } from './harness/service.ts'
import { setStage, type Stage } from './harness/stage.ts'

let stage: Stage

beforeAll(async () => {
  stage = await setStage({ env: { BRAND_NAME: 'Night <Desk>' } })
  const { owner } = stage
  for (const [title, frequency] of [
    ['Second Wave', 330],
    ['First </script> Harbour', 262],
  ] as const) {
    await publishTrack(owner, makeWav(20, frequency), { title })
  }
})

afterAll(() => stage.close())

test('shows its complete content without scripts, and has a player for every preview', async () => {
  const context = await stage.browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(stage.url)
  await page.getByRole('heading', { name: 'Smooth sounds, made for your moments.' }).waitFor()
  expect(await page.getByRole('banner').textContent()).toContain('Night <Desk>')
  expect(await page.getByRole('link', { name: 'Sign In' }).getAttribute('href')).toBe('/auth')
  expect(await page.getByRole('link', { name: 'Get Started' }).getAttribute('href')).toBe('/auth')
  const mainText = await page.getByRole('main').innerText()
  for (const text of ['Start from a mood', '$0', '$9.99', 'Made for ears, down to the details']) {
    expect(mainText).toContain(text)
  }
  expect(mainText).toContain('Full songs and signing in require JavaScript.')
  const players = page.locator('audio[controls]')
  expect(await players.count()).toBe(2)
  const heard = await fetch(stage.url + (await players.first().getAttribute('src')))
  expect(heard.headers.get('content-type')).toBe('audio/mp4')
  await context.close()
})

test('loads one style sheet and two fonts before the first paint, within their size limits', async () => {
  const html = await (await fetch(stage.url)).text()
  const links = [...html.matchAll(/<link [^>]*>/g)].map(([link]) => link)
  const bytes = (wanted: RegExp) =>
    Promise.all(
      links
        .filter((link) => wanted.test(link))
        .map(async (link) => {
          const file = await fetch(stage.url + /href="([^"]+)"/.exec(link)![1])
          return (await file.arrayBuffer()).byteLength
        }),
    )
  const [styles, faces] = [await bytes(/rel="stylesheet"/), await bytes(/as="font"/)]
  expect(styles.length).toBe(1)
  expect(styles[0]).toBeLessThan(60_000)
  expect(faces.length).toBe(2)
  expect(faces.reduce((sum, size) => sum + size)).toBeLessThan(100_000)
})

for (const device of devices) {
  test(`shifts no layout when the web fonts load late on a ${device}`, async () => {
    const { width, height } = deviceSizes[device]
    const context = await stage.browser.newContext({
      viewport: { width, height },
      isMobile: device === 'phone',
    })
    await context.route('**/*.woff2', async (route) => {
      await page.waitForTimeout(1000)
      await route.continue()
    })
    const page = await context.newPage()
    await page.addInitScript(recordShifts)
    await page.goto(stage.url)
    await page.evaluate(() => document.fonts.ready)
    await page.waitForTimeout(300)
    const shifts = await page.evaluate(() => window.layoutShifts)
    expect(
      shifts.reduce((sum, { value }) => sum + value, 0),
      JSON.stringify(shifts),
    ).toBeLessThan(0.05)
    await context.close()
  })
}

for (const device of devices) {
  test(`shifts no layout when the second half of the hero arrives late on a ${device}`, async () => {
    const slow = await serveInTwoParts()
    const { width, height } = deviceSizes[device]
    const page = await stage.browser.newPage({
      viewport: { width, height },
      isMobile: device === 'phone',
    })
    await page.addInitScript(recordShifts)
    await page.goto(slow.url)
    await page.evaluate(() => document.fonts.ready)
    const shifts = await page.evaluate(() => window.layoutShifts)
    expect(
      shifts.reduce((sum, { value }) => sum + value, 0),
      JSON.stringify(shifts),
    ).toBeLessThan(0.05)
    await page.close()
    await slow.close()
  })
}

/** Starts a proxy that sends the page in two parts, with a pause before the controls of the hero. */
async function serveInTwoParts() {
  const server = createServer((request, response) => {
    void (async () => {
      const answer = await fetch(new URL(request.url ?? '/', stage.url))
      const type = answer.headers.get('content-type') ?? ''
      response.writeHead(answer.status, { 'content-type': type })
      const body = Buffer.from(await answer.arrayBuffer())
      const cut = type.startsWith('text/html') ? body.indexOf('data-deck="previous"') : 0
      response.write(body.subarray(0, cut))
      if (cut > 0) await setTimeout(1000)
      response.end(body.subarray(cut))
    })()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    close: async () => {
      server.closeAllConnections()
      await once(server.close(), 'close')
    },
  }
}

test('shows no sign-in link to a browser with a session', async () => {
  const { page } = await openPage(stage.browser)
  await blockApp(page.context())
  await signInAs(page)
  await page.goto(stage.url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByRole('link', { name: 'Sign In' }).count()).toBe(0)
  await page.context().close()
})

test('lets the app take over the page even if its code loads late', async () => {
  const { page, problems } = await openPage(stage.browser)
  await signInAs(page)
  await page.context().route('**/assets/landing-screen-*.js', async (route) => {
    // Let the app's requests complete before the code of its screen loads.
    await page.waitForLoadState('load')
    await page.evaluate(() => fetch('/api/profile').then((answer) => answer.text()))
    await route.continue()
  })
  await page.goto(stage.url)
  await page.getByRole('link', { name: 'Profile' }).waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('plays previews even if the app fails to load', async () => {
  const { page } = await openPage(stage.browser)
  await blockApp(page.context())
  await page.goto(stage.url)
  await page.getByRole('button', { name: 'Play preview' }).click()
  await expect
    .poll(async () => (await readPlayingSound(page))?.decodedBytes ?? 0)
    .toBeGreaterThan(0)
  await expect.poll(async () => (await readPlayingSound(page))!.seconds).toBeGreaterThan(0.2)
  await page.getByRole('button', { name: 'Next preview' }).click()
  await page.getByRole('button', { name: 'Pause Second Wave by' }).waitFor()
  await expect.poll(() => page.locator('[data-words]:visible').innerText()).toContain('Second Wave')
  expect(await findViolations(page)).toEqual([])
  await page.context().close()
})

test('lets the app take over during a song, and repeats a click made before the app was ready', async () => {
  const { page, problems } = await openPage(stage.browser, { width: 390 })
  let releaseApp = () => {}
  const appReleased = new Promise<void>((resolve) => (releaseApp = resolve))
  await page.context().route('**/assets/foundation-*.js', async (route) => {
    await appReleased
    await route.continue()
  })
  await page.goto(stage.url)
  await page.getByRole('button', { name: 'Play preview' }).click()
  await expect.poll(async () => (await readPlayingSound(page))?.seconds ?? 0).toBeGreaterThan(0.2)
  await page.evaluate(() => document.querySelector('audio')!.setAttribute('data-first', ''))
  await page.getByRole('button', { name: 'Menu' }).click()
  const before = (await readPlayingSound(page))!
  releaseApp()
  await page.getByRole('dialog').waitFor()
  const after = (await readPlayingSound(page))!
  expect(after.isPlaying).toBe(true)
  expect(after.seconds).toBeGreaterThan(before.seconds)
  expect(await page.locator('audio').count()).toBe(1)
  expect(await page.locator('audio[data-first]').count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Pause preview' }).click()
  await expect.poll(async () => (await readPlayingSound(page))!.isPlaying).toBe(false)
  expect(problems).toEqual([])
  await page.context().close()
})

test('shows a notice on every screen in an unsupported browser, and does not start the app', async () => {
  const { page } = await openPage(stage.browser, { width: 390 })
  const notice = page.getByText('It works in Chrome and Edge from version 116', { exact: false })
  await page.goto(`${stage.url}/auth`)
  await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  expect(await notice.isVisible()).toBe(false)

  // Emulates Firefox ESR 115 and Safari 15, which don't support popovers in CSS and JavaScript.
  await page.context().route('**/*.css', async (route) => {
    const answer = await route.fetch()
    const text = (await answer.text()).replaceAll(':popover-open', ':unknown-state')
    await route.fulfill({ response: answer, body: text })
  })
  await page.addInitScript(() => {
    Reflect.deleteProperty(HTMLElement.prototype, 'popover')
    Reflect.deleteProperty(AbortSignal, 'any')
  })
  for (const path of ['/auth', '/browse', '/']) {
    await page.goto(stage.url + path, { waitUntil: 'networkidle' })
    expect(await notice.isVisible()).toBe(true)
    expect(await notice.innerText()).toContain('Safari from 17.4')
    expect(await page.getByRole('heading', { name: 'Welcome Back' }).count()).toBe(0)
  }
  expect(await findViolations(page)).toEqual([])
  await page.context().close()
})

test('plays the preview on a public page to a visitor, and returns to the track after sign-in', async () => {
  const { page, problems } = await openPage(stage.browser, { width: 390 })
  const [found] = await readTracks()
  await page.goto(`${stage.url}${found!.share_url}`)
  await page.getByRole('heading', { level: 1, name: 'Second Wave' }).waitFor()
  await page.getByRole('button', { name: 'Play preview of Second Wave' }).click()
  // The audio element is not in the document, so wait for what the page shows.
  await page.getByRole('button', { name: 'Pause preview of Second Wave' }).waitFor()
  await page.locator('[data-elapsed]').filter({ hasText: '0:01' }).waitFor()
  await page.getByRole('link', { name: 'Hear all of it' }).click()
  await page.getByRole('heading', { name: 'Welcome Back' }).waitFor()
  await fillSignIn(page, admin)
  await page.waitForURL(`${stage.url}/browse?track=${found!.id}`)
  await page.getByRole('heading', { name: 'Second Wave' }).waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('finds no axe violation on public pages and embeds, at every width and in both themes', async () => {
  const paths = await publishPages()
  for (const width of [390, 1440]) {
    const { page, problems } = await openPage(stage.browser, { width })
    for (const path of paths) {
      for (const scheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: scheme })
        const answer = await page.goto(stage.url + path)
        expect(answer?.status(), path).toBe(200)
        expect(await findViolations(page), `${path} ${width} ${scheme}`).toEqual([])
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow, `${path} ${width}`).toBe(0)
      }
    }
    expect(problems).toEqual([])
    await page.context().close()
  }
})

/** Returns the tracks that have public pages. */
async function readTracks(): Promise<{ id: string; share_url: string }[]> {
  const { body } = await stage.owner.send('GET', '/api/tracks?q=wave')
  return body['data'] as { id: string; share_url: string }[]
}

/** Creates a release and a playlist with the track. Returns the URLs of one public page and one embed of each kind. */
async function publishPages(): Promise<string[]> {
  const { owner } = stage
  const [track] = await readTracks()
  const send = async (path: string, body: object) => {
    const answer = await owner.send('POST', path, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body as { id: string; slug: string; share_url: string }
  }
  const release = await send('/api/admin-releases', {
    title: 'Harbour Lights',
    tracks: [{ track_id: track!.id }],
    audience: 'everyone',
  })
  await send(`/api/admin-releases/${release.id}/publish`, { publish_tracks: true })
  const playlist = await send('/api/playlists', { title: 'Evening', is_public: true })
  await send(`/api/playlists/${playlist.id}/tracks`, { track_id: track!.id })
  const lists = [`/r/${release.slug}`, '/a/test-artist', playlist.share_url]
  return [track!.share_url, ...lists, `/embed${track!.share_url}`, `/embed/r/${release.slug}`]
}

/** Blocks the code of the app. The landing page's own script still loads. */
async function blockApp(context: BrowserContext): Promise<void> {
  await context.route(/\/assets\/(?:foundation|index)-.*\.js/, (route) => route.abort())
}

async function signInAs(page: Page): Promise<void> {
  const answer = await page.request.post(`${stage.url}/api/auth/sign-in/email`, {
    data: admin,
    headers: { origin: stage.url },
  })
  expect(answer.ok()).toBe(true)
}
