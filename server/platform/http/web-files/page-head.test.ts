import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describePage } from './page-head.ts'

const owner = {
  brandName: 'Nacht & "Tag"',
  tagline: 'Smooth <sounds>.',
  publicUrl: 'https://music.example',
  accent: null,
  icons: { tab: { href: '/icon.svg', type: 'image/svg+xml' }, touch: '/touch.png' },
}
const source = await readFile(join(import.meta.dirname, '../../../../web/index.html'), 'utf8')

test('the landing page names the brand and has a link preview', () => {
  const html = describePage(source, owner, '/')
  expect(html).toContain('<title>Nacht &amp; &quot;Tag&quot; · Smooth &lt;sounds&gt;.</title>')
  expect(html).toContain('<link rel="canonical" href="https://music.example/" />')
  expect(html).toContain('<meta property="og:title" content="Nacht &amp; &quot;Tag&quot; · Smooth')
  expect(html).toContain('content="https://music.example/link-card.png"')
  expect(html).not.toContain('noindex')
  expect(html.match(/name="description"/g)).toHaveLength(1)
  expect(html).toContain('<html lang="en"')
})

test("the root element has the owner's colors", () => {
  expect(describePage(source, { ...owner, accent: '#ffaa00' }, '/')).toMatch(
    /<html data-accent="#ffaa00" style="--own-dark-accent:#[0-9a-f]{6};[^"]*" lang="en"/,
  )
})

test("shows the owner's icon until the app renders something", () => {
  const tab = { href: '/branding/icon-7.png', type: 'image/png' }
  const html = describePage(source, { ...owner, icons: { ...owner.icons, tab } }, null)
  expect(html).toContain('<img class="start-mark" src="/branding/icon-7.png" alt=""')
})

test('keeps member screens and unknown paths out of search indexes', () => {
  const html = describePage(source, owner, null)
  expect(html).toContain('<meta name="robots" content="noindex" />')
  expect(html).not.toContain('canonical')
})

test("the link preview's picture has the declared size", async () => {
  const png = await readFile(join(import.meta.dirname, '../../../../web/public/link-card.png'))
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630])
  expect(png.length).toBeLessThan(300_000)
})
