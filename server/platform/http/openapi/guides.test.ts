import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/test-app.ts'
import { guidesPath, readGuides, renderGuide } from './guides.ts'

const publicUrl = 'https://music.test'
const guides = await readGuides(publicUrl)
let app: TestApp

beforeAll(async () => {
  app = await createTestApp({ brandName: 'Sound & Sons', publicUrl })
})
afterAll(() => app.close())

const read = async (path: string) => {
  const page = await app.nobody.send('GET', path)
  return { ...page, html: String(page.body) }
}

test('the API page lists the guides', async () => {
  const { html } = await read('/api/docs')
  for (const { slug, title } of guides) {
    expect(html).toContain(`<a href="${guidesPath}/${slug}">${title}</a>`)
  }
})

test.each(guides.map(({ slug, title }) => ({ slug, title })))(
  '$slug: names this service, and has no broken link',
  async ({ slug, title }) => {
    const { status, headers, html } = await read(`${guidesPath}/${slug}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(html).toContain(`<title>${title} · Sound &amp; Sons API</title>`)
    expect(html).toContain(`<h1>${title}</h1>`)
    expect(html).toContain(`href="${guidesPath}/${slug}" aria-current="page"`)
    expect(html).not.toMatch(/music\.example\.com|<!--|<script(?![^>]*src=)|\sstyle=/)
    const addresses = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, one]) => one ?? '')
    for (const address of addresses) {
      const url = new URL(address, `${publicUrl}${guidesPath}/${slug}`)
      // Skip links to other sites, and to the start page, which is part of the web app.
      if (url.origin !== publicUrl || url.pathname === '/') continue
      const target = await read(url.pathname)
      expect(target.status, address).toBe(200)
      const anchor = url.hash.slice(1)
      // On the API page, the anchors of operations are created by its script, so search them in the description.
      const text =
        url.pathname === '/api/docs' ? (await read('/api/openapi.json')).body : target.html
      if (anchor) expect(JSON.stringify(text), address).toMatch(`"${anchor}`)
    }
  },
)

test('returns 404 for an unknown guide', async () => {
  expect((await read(`${guidesPath}/nothing`)).status).toBe(404)
})

test('renders Markdown safely, with anchors as on GitHub', () => {
  const { title, html } = renderGuide(
    'x',
    '# A & B\n\n## Same `code`?\n\n## Same `code`?\n\n<img src=x> [a](errors.md#limits) [b](../operations.md) [c](javascript:x)\n\n```ts\na < b\n```\n',
  )
  expect(title).toBe('A & B')
  expect(html).toContain('<h2 id="same-code">Same <code>code</code>?</h2>')
  expect(html).toContain('<h2 id="same-code-1">')
  expect(html).toContain('&lt;img src=x&gt;')
  expect(html).toContain(`<a href="${guidesPath}/errors#limits">a</a> b c`)
  expect(html).toContain('<pre tabindex="0"><code>a &lt; b</code></pre>')
})
