import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getBranding, updateBranding } from '#contract/admin/admin-branding.ts'
import { getSite } from '#contract/site.ts'
import { createSignedUpload } from '#contract/uploads.ts'
import { syncStoredFiles, findUnknownKeys } from '../file-checks/owned-files.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp({ publicUrl: 'http://127.0.0.1:3000' })
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#2b50ff80' } })
    .png()
    .toBuffer()

async function upload(bytes: Buffer, mime = 'image/png'): Promise<string> {
  const file = { bucket: 'covers', filename: 'a.png', mime, size: bytes.length } as const
  const { body } = await admin.call(createSignedUpload, { body: file })
  const sent = await fetch(new URL(body.uploadUrl, app.url), {
    method: 'PUT',
    headers: { cookie: admin.cookie, 'upload-token': body.uploadToken, 'content-type': mime },
    body: new Uint8Array(bytes),
  })
  expect(sent.status).toBe(204)
  return body.path
}

const save = (branding: { logo_path?: string | null; icon_path?: string | null }) =>
  admin.call(updateBranding, { body: { branding } })
const site = async () => (await app.nobody.call(getSite, {})).body
const readGarbage = async () =>
  (await app.services.db.query.selectFrom('storage_garbage').select('storage_key').execute()).map(
    ({ storage_key }) => storage_key,
  )

async function readPictureSize(path: string) {
  const response = await fetch(app.url + path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('image/png')
  expect(response.headers.get('cache-control')).toContain('immutable')
  const { width, height, hasAlpha } = await sharp(
    Buffer.from(await response.arrayBuffer()),
  ).metadata()
  return { width, height, hasAlpha }
}

test('a logo keeps its proportions and transparency, and is used until it is removed', async () => {
  const { body } = await save({ logo_path: await upload(await picture(1200, 300)) })
  expect(body.logo).toMatchObject({ width: 480, height: 120 })
  const { logo } = await site()
  expect(logo).toEqual(body.logo)
  expect(await readPictureSize(logo!.url)).toEqual({ width: 480, height: 120, hasAlpha: true })
  expect(await (await fetch(`${app.url}/t/none`)).text()).toContain(`src="${logo!.url}"`)
  const key = logo!.url.replace('/media/', '')
  expect(await readGarbage()).not.toContain(key)

  await save({ logo_path: null })
  expect((await site()).logo).toBeNull()
  expect(await readGarbage()).toContain(key)
})

test('an icon is available in every size that browsers and launchers request', async () => {
  await save({ icon_path: await upload(await picture(300, 200)) })
  const manifest = (await (await fetch(`${app.url}/manifest.webmanifest`)).json()) as {
    icons: { src: string; sizes: string; purpose?: string }[]
  }
  for (const { src, sizes } of manifest.icons) {
    const { width, height } = await readPictureSize(src)
    expect(`${width}x${height}`).toBe(sizes)
  }
  const maskable = manifest.icons.find(({ purpose }) => purpose === 'maskable')!
  // An icon for launchers must not be transparent: they would fill transparent parts with a color of their choice.
  expect((await readPictureSize(maskable.src)).hasAlpha).toBe(false)
  const page = await (await fetch(`${app.url}/t/none`)).text()
  expect(page).toMatch(/rel="icon" href="\/media\/branding\/[^"]+\/icon-48\.png"/)
  expect(page).toMatch(/rel="apple-touch-icon" href="\/media\/branding\/[^"]+\/icon-180\.png"/)
  expect(await (await fetch(`${app.url}/podcast.xml`)).text()).toMatch(
    /branding\/[^<]+icon-512\.png/,
  )

  await save({ icon_path: await upload(await picture(64, 64)) })
  expect(await readGarbage()).toContain(maskable.src.replace('/media/', ''))
})

test('file checks include the stored files of the logo and the icon', async () => {
  const { body } = await save({ logo_path: await upload(await picture(300, 100)) })
  const key = body.logo!.url.replace('/media/', '')
  const { db } = app.services
  expect(await findUnknownKeys(db, [key, 'branding/other/logo.png'])).toEqual([
    'branding/other/logo.png',
  ])
  await syncStoredFiles(db)
  const stored = await db.query
    .selectFrom('stored_files')
    .select('storage_key')
    .where('storage_key', 'like', 'branding/%')
    .execute()
  expect(stored.map(({ storage_key }) => storage_key)).toContain(key)
})

test('refuses an unknown upload and SVG, and keeps the current picture', async () => {
  const { body: before } = await admin.call(getBranding, {})
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  const path = await upload(svg, 'image/svg+xml')
  expect((await save({ logo_path: path })).code).toBe('unsupported_image')
  expect((await save({ icon_path: 'covers/none' })).code).toBe('upload_not_found')
  expect((await admin.call(getBranding, {})).body.logo).toEqual(before.logo)
})

test('other URLs below /media/branding return 404', async () => {
  for (const path of ['0191a0c0-0000-7000-8000-00000000dead/logo.png', 'x/logo.png', `../covers`]) {
    expect((await fetch(`${app.url}/media/branding/${path}`)).status).toBe(404)
  }
})
