// Checks the JSON-LD of every kind of page against the types of schema-dts, which are generated from schema.org. The
// TypeScript compiler reports properties and values that the vocabulary does not define for a type.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { makePublicPages, makePublicTrack } from './testing/public-music.ts'

let app: TestApp
let pages: Record<
  'MusicRecording' | 'MusicAlbum' | 'MusicGroup' | 'MusicPlaylist' | 'CollectionPage',
  string
>

beforeAll(async () => {
  app = await createTestApp({ publicUrl: 'https://music.test' })
  const { query } = app.services.db
  await query
    .insertInto('category_metadata')
    .values({ category: 'late-night', display_name: 'Late Night' })
    .execute()
  const fields = {
    artist: 'Ida Sorrel feat. Lin',
    category: 'late-night',
    credits: 'Mixed by Lin',
  }
  const { id } = await makePublicTrack(app, fields)
  const { track, release, artist, playlist, category } = await makePublicPages(app, [id])
  pages = {
    MusicRecording: track.path,
    MusicAlbum: release.path,
    MusicGroup: artist.path,
    MusicPlaylist: playlist.path,
    CollectionPage: category.path,
  }
})
afterAll(() => app.close())

async function readData(path: string): Promise<string> {
  const response = await fetch(app.url + path)
  expect(response.status, path).toBe(200)
  const found = /<script type="application\/ld\+json">([^]*?)<\/script>/.exec(await response.text())
  return found![1]!
}

/**
 * Compiles the text as a module of the project. Returns the compiler's messages, or an empty string if there are none.
 */
async function compile(text: string): Promise<string> {
  const cache = join(import.meta.dirname, '../../../node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'velour-structured-data-'))
  const file = join(folder, 'pages.ts')
  await writeFile(file, text)
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--module',
    'nodenext',
    '--types',
    '',
  ]
  const compiler = join(import.meta.dirname, '../../../node_modules/typescript/bin/tsc')
  try {
    await promisify(execFile)(process.execPath, [compiler, ...options, file])
    return ''
  } catch (error) {
    return (error as { stdout?: string }).stdout ?? String(error)
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('the JSON-LD of every kind of page matches the schema.org vocabulary', async () => {
  const types = Object.keys(pages)
  const constants = await Promise.all(
    Object.entries(pages).map(
      async ([type, path], at) =>
        `export const page${at}: WithContext<${type}> = ${await readData(path)}`,
    ),
  )
  const head = `import type { WithContext, ${types.join(', ')} } from 'schema-dts'\n`
  expect(await compile(head + constants.join('\n'))).toBe('')
  const wrong = `export const wrong: WithContext<MusicPlaylist> = {
    '@context': 'https://schema.org', '@type': 'MusicPlaylist', byArtist: [] }`
  expect(await compile(head + wrong)).toContain('byArtist')
}, 60_000)
