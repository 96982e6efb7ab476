// Visits every screen while every text that people can write contains a script. None of these scripts may run, the
// content security policy must not have to block one, and no page may send a request to another host.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishTrack } from '../../e2e/harness/api-client.ts'
import { openPage } from '../../e2e/harness/browser.ts'
import { makeWav } from '../../e2e/harness/make-wav.ts'
import { fillSignIn } from '../../e2e/harness/members.ts'
import { openAs } from '../../e2e/harness/people.ts'
import { admin } from '../../e2e/harness/service.ts'
import { setStage, type Stage } from '../../e2e/harness/stage.ts'

const image = `<img src="//evil.example/x" onerror="window.hit=1">`
const payload = `'"></title></script>${image}<script>window.hit=1</script>{{7*7}}javascript:window.hit=1`
const short = `"><svg onload=window.hit=1>`

let stage: Stage
let ids: Record<string, string>

beforeAll(async () => {
  stage = await setStage({
    env: {
      BRAND_NAME: `Brand ${short}`,
      ARTIST_NAME: `Artist ${short}`,
      CONTACT_EMAIL: 'javascript:window.hit=1',
    },
  })
  ids = await fillEverything()
})
afterAll(() => stage?.close())

async function fillEverything(): Promise<Record<string, string>> {
  const { owner } = stage
  const send = async (method: string, path: string, body: object) => {
    const response = await owner.send(method, path, body)
    if (response.status >= 300) throw new Error(`${path}: ${JSON.stringify(response.body)}`)
    return response.body as Record<string, string>
  }
  await send('POST', '/api/admin-categories', {
    category: 'mood',
    display_name: payload.slice(0, 120),
    description: payload,
  })
  await send('POST', '/api/admin-genres', { name: short })
  const track = await publishTrack(owner, makeWav(3, 440), {
    title: payload,
    artist: payload.slice(0, 200),
    category: 'mood',
    genre: short,
    description: payload,
    tags: [short],
    lyrics: `[00:00.00]${payload}`,
    credits: payload,
    ai_disclosure: 'ai_assisted',
    ai_tool: short,
  })
  const list = await send('POST', '/api/playlists', { title: payload, description: payload })
  await send('POST', `/api/playlists/${list['id']}/tracks`, { track_id: track.id })
  const { playlist } = (await send('POST', '/api/admin-playlists', {
    action: 'create',
    title: payload,
    description: payload,
  })) as unknown as { playlist: { id: string } }
  await send('PATCH', '/api/profile', { display_name: payload.slice(0, 100) })
  await send('POST', '/api/not-found-visits', { path: payload })
  return { list: list['id'] ?? '', playlist: playlist.id }
}

/** Returns the URLs of all screens. Reads them from the route tables, so that new screens are tested, too. */
async function addresses(): Promise<string[]> {
  const read = (file: string) => readFile(join(import.meta.dirname, '../../web', file), 'utf8')
  const screens = (await read('app/routes.tsx')).matchAll(/path: '(\/[^']*)'/g)
  const office = (await read('admin/app/admin-routes.ts')).matchAll(/adminScreen\('([^']+)'/g)
  const found = [
    '/',
    ...[...screens].map(([, path]) => path ?? ''),
    ...[...office].map(([, path]) => `/admin/${path}`),
    '/api/docs',
    `/nowhere/${encodeURIComponent(short)}?next=//evil.example&token=${encodeURIComponent(short)}`,
  ]
  return found.map((path) =>
    path
      .replace('/admin/playlists/:id', `/admin/playlists/${ids['playlist']}`)
      .replace(':id', ids['list'] ?? '')
      .replace(':category', 'mood'),
  )
}

describe.each(['an admin', 'a visitor'])('%s', (who) => {
  test('shows scripts as text, and sends no request to another host', async () => {
    const person = { id: '', ...admin }
    const { page, problems } =
      who === 'an admin'
        ? await openAs(stage.browser, stage, person, '/')
        : await openPage(stage.browser)
    const strangers: string[] = []
    page.on('request', (request) => {
      const url = new URL(request.url())
      if (/^https?:$/.test(url.protocol) && url.origin !== stage.url) strangers.push(url.href)
    })
    page.on('dialog', (dialog) => {
      strangers.push(`a dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    const all = await addresses()
    expect(all.length).toBeGreaterThan(20)
    for (const path of all) {
      await page.goto(`${stage.url}${path}`, { waitUntil: 'networkidle' })
      const seen = await page.evaluate(() => ({
        hit: 'hit' in window,
        links: [...document.querySelectorAll('a[href], form[action]')]
          .map((link) => link.getAttribute('href') ?? link.getAttribute('action') ?? '')
          .filter((href) => /^\s*(?:javascript|data|vbscript):/i.test(href)),
        strangers: document.querySelectorAll('[onerror], [onload], img[src*="evil"], svg[onload]')
          .length,
      }))
      expect(seen, path).toEqual({ hit: false, links: [], strangers: 0 })
    }
    expect(strangers).toEqual([])
    // Chromium reports what the content security policy blocks as a console error.
    expect(problems.filter((text) => /content security policy|refused to/i.test(text))).toEqual([])
    await page.context().close()
  })
})

test('does not redirect to another host after sign-in', async () => {
  for (const next of [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    'javascript:1',
    '/%09/evil.example',
  ]) {
    const { page } = await openPage(stage.browser)
    await page.goto(
      `${stage.url}/auth?next=${encodeURIComponent(next)}&redirectTo=${encodeURIComponent(next)}`,
    )
    await fillSignIn(page, admin)
    await page.waitForURL((url) => url.pathname !== '/auth')
    expect(new URL(page.url()).origin).toBe(stage.url)
    await page.context().close()
  }
})
