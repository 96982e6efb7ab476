// Embeds and oEmbed, as other sites request them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { makePublicTrack } from './testing/public-music.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ publicUrl: 'https://music.test' })
})
afterAll(() => app.close())

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await fetch(app.url + path, { headers, redirect: 'manual' })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const oembed = (url: string, more: Record<string, string> = {}) =>
  get(`/oembed?${new URLSearchParams({ url, ...more })}`)

test('other sites may frame an embed, but no other page', async () => {
  const { slug } = await makePublicTrack(app, { title: 'Framed' })
  const embed = await get(`/embed/t/${slug}`)
  expect(embed.status).toBe(200)
  expect(embed.headers.get('x-frame-options')).toBeNull()
  const policy = embed.headers.get('content-security-policy') ?? ''
  expect(policy).toContain('frame-ancestors *')
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("connect-src 'none'")
  expect(policy).not.toContain("frame-ancestors 'none'")
  expect(embed.headers.get('set-cookie')).toBeNull()
  expect(embed.text).toContain(`href="https://music.test/t/${slug}" target="_blank"`)
  const page = await get(`/t/${slug}`)
  expect(page.headers.get('x-frame-options')).toBe('DENY')
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
})

test('an embed is the same for signed-in members and has the theme given in its URL', async () => {
  const { slug } = await makePublicTrack(app)
  const member = await app.makePerson({ tier: 'monthly' })
  const [asked, anonymous] = [
    await get(`/embed/t/${slug}`, { cookie: member.cookie }),
    await get(`/embed/t/${slug}`),
  ]
  expect([asked.status, asked.text]).toEqual([200, anonymous.text])
  expect(asked.headers.get('vary')).not.toContain('cookie')
  for (const [query, scheme, theme] of [
    ['?theme=light', 'light', 'light'],
    ['?theme=dark', 'dark', 'dark'],
    ['', 'dark', 'auto'],
    ['?theme=%22%3E', 'dark', 'auto'],
  ]) {
    expect((await get(`/embed/t/${slug}${query}`)).text).toContain(
      `data-mantine-color-scheme="${scheme}" data-theme="${theme}"`,
    )
  }
})

test('an item without a public page has no embed and no oEmbed', async () => {
  const { slug } = await makePublicTrack(app, { title: 'Unseen', audience: 'members' })
  expect((await get(`/embed/t/${slug}`)).status).toBe(404)
  for (const url of [
    `https://music.test/t/${slug}`,
    'https://music.test/t/none',
    'https://music.test/browse',
    'https://evil.test/t/any',
    'javascript:alert(1)',
    '//',
    '',
  ]) {
    expect((await oembed(url)).status, url).toBe(404)
  }
})

test('oEmbed returns JSON and XML, with a player within the requested size', async () => {
  const { slug } = await makePublicTrack(app, { title: 'Quoted "&" <b>', artist: 'Lin' })
  const url = `https://music.test/t/${slug}`
  const json = await oembed(url, { maxwidth: '320', maxheight: '100' })
  expect(json.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(json.headers.get('access-control-allow-origin')).toBe('*')
  const answer = JSON.parse(json.text)
  expect(answer).toMatchObject({
    version: '1.0',
    type: 'rich',
    title: 'Quoted "&" <b> by Lin',
    author_name: 'Lin',
    author_url: 'https://music.test/a/lin',
    provider_name: 'Velour',
    width: 320,
    height: 100,
  })
  expect(answer.html).toMatch(
    /^<iframe src="https:\/\/music\.test\/embed\/t\/[\w-]+" width="320" height="100"/,
  )
  expect(answer.html).not.toContain('<b>')
  const xml = await oembed(url, { format: 'xml' })
  expect(xml.headers.get('content-type')).toBe('text/xml; charset=utf-8')
  expect(xml.text).toContain('<title>Quoted &quot;&amp;&quot; &lt;b&gt; by Lin</title>')
  expect(xml.text).toContain('<html>&lt;iframe src=&quot;')
  expect((await oembed(url, { format: 'yaml' })).status).toBe(501)
  // The HTML of the page contains the link to its oEmbed document.
  const page = await get(`/t/${slug}`)
  expect(page.text).toContain('type="application/json+oembed"')
  expect(page.text).toContain('type="text/xml+oembed"')
})
