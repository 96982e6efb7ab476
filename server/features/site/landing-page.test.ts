import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { createLandingPage, type LandingPage } from './landing-page.ts'

// A stand-in for the built web app, because server tests run without a build.
const renderer = `export const renderLanding = async (facts) => {
  if (facts.site.maintenance_mode && facts.site.brand_name === 'Broken') throw new Error('broken')
  return { root: \`<p>\${facts.site.maintenance_mode ? 'closed' : 'open'}</p>\`, facts: '<i>$&</i>' }
}`
const owner = {
  brandName: 'Velour',
  tagline: 'Smooth sounds.',
  publicUrl: 'https://music.test',
  accent: null,
  icons: { tab: { href: '/icon.svg', type: 'image/svg+xml' }, touch: '/touch.png' },
}

let app: TestApp
let folder: string

beforeAll(async () => {
  app = await createTestApp()
  folder = await mkdtemp(join(tmpdir(), 'velour-landing-'))
  const page = (name: string) =>
    `<html><head><title>Velour</title><meta name="description" content="" /></head><body>${name}<div id="root"></div>
    <!-- Shown until the app renders something. -->
    <img class="start-mark" src="/icon.svg" alt="" /></body></html>`
  await writeFile(join(folder, 'visitor.html'), page('visitor'))
  await writeFile(join(folder, 'member.html'), page('member'))
  await writeFile(join(folder, 'landing-page.js'), renderer)
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const openPage = (brand_name = 'Velour') => {
  const branding = { ...app.services.branding(), brand_name }
  return createLandingPage(
    { ...app.services, branding: () => branding },
    { folder, owner: () => owner, log: app.app.log },
  )
}
const renderText = async (page: LandingPage, isVisitor = true) =>
  String((await page.read({ isVisitor }))?.bytes)

async function setMaintenance(isOn: boolean) {
  await app.asOwner(`update settings set maintenance_mode = ${isOn}`)
  await app.services.settings.reload()
}

test('renders one version for visitors and one for browsers with a session, and caches both until its data changes', async () => {
  const page = await openPage()
  const [first, again] = await Promise.all([
    page.read({ isVisitor: true }),
    page.read({ isVisitor: true }),
  ])
  expect(again).toBe(first)
  expect(String(first?.bytes)).toContain('visitor<div id="root"><p>open</p></div>\n    <i>$&</i>')
  expect(String(first?.bytes)).not.toContain('start-mark')
  expect(String(first?.bytes)).toContain('<title>Velour · Smooth sounds.</title>')
  expect(brotliDecompressSync(first?.brotli ?? Buffer.of())).toEqual(first?.bytes)
  expect(first).toMatchObject({ cacheControl: 'no-cache', vary: 'accept-encoding, cookie' })
  expect(await renderText(page, false)).toContain('member<div id="root"><p>open</p>')

  await app.services.settings.reload()
  expect(await page.read({ isVisitor: true })).toBe(first)
  await setMaintenance(true)
  expect(await renderText(page)).toContain('<p>closed</p>')
  await setMaintenance(false)
  expect(await renderText(page)).toContain('<p>open</p>')
})

test('lets the browser render the page if rendering on the server fails, until its data changes', async () => {
  const page = await openPage('Broken')
  expect(await renderText(page)).toContain('<p>open</p>')
  await setMaintenance(true)
  expect(await page.read({ isVisitor: true })).toBeNull()
  await setMaintenance(false)
  expect(await renderText(page)).toContain('<p>open</p>')
})
