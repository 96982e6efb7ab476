import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../../testing/test-app.ts'
import { handleErrors } from '../error-handler.ts'
import { serveWebFiles } from './web-files.ts'

const owner = {
  brandName: 'Velour',
  tagline: 'Music.',
  publicUrl: 'http://127.0.0.1',
  accent: null,
  icons: { tab: { href: '/icon.svg', type: 'image/svg+xml' }, touch: '/touch.png' },
}
let app: TestApp
let folder: string

beforeAll(async () => {
  app = await createTestApp()
  folder = mkdtempSync(join(tmpdir(), 'velour-web-assets-'))
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

/** Starts an instance of a build that has one screen in a separate file. */
async function startVersion(name: string) {
  const build = join(folder, name)
  mkdirSync(join(build, 'assets'), { recursive: true })
  const path = `/assets/screen-${name.padEnd(8, '0')}.js`
  writeFileSync(join(build, path), `export const version = '${name}'`)
  writeFileSync(join(build, 'index.html'), '<title></title>')
  const instance = Fastify()
  handleErrors(instance)
  const readLanding = async () => null
  await serveWebFiles(instance, {
    folder: build,
    owner: () => owner,
    db: app.services.db,
    readLanding,
  })
  return { instance, path, get: (url: string) => instance.inject({ url }) }
}

test('instances of two builds serve the files of both builds and those of an earlier build', async () => {
  const old = await startVersion('old')
  const next = await startVersion('next')
  const fromOther = await old.get(next.path)
  expect(fromOther.statusCode).toBe(200)
  expect(fromOther.body).toBe(`export const version = 'next'`)
  expect(fromOther.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  })
  await old.instance.close()
  expect((await next.get(old.path)).body).toBe(`export const version = 'old'`)
  await next.instance.close()
})

test('returns 404 instead of the page for a file that no build has', async () => {
  const { instance, get } = await startVersion('some')
  for (const path of ['/assets/gone-12345678.js', '/assets/../gone.js', '/assets/x.js']) {
    expect((await get(path)).statusCode, path).toBe(404)
  }
  await instance.close()
})

test('deletes files that no instance has served for a month and keeps the others', async () => {
  const { db } = app.services
  const first = await startVersion('first')
  await db.query.updateTable('web_assets').set({ served_at: '2020-01-01T00:00:00Z' }).execute()
  const again = await startVersion('first')
  const rows = await db.query.selectFrom('web_assets').select('path').execute()
  expect(rows.map(({ path }) => path)).toEqual([first.path])
  await first.instance.close()
  await again.instance.close()
})
