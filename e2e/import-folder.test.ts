// Tests dropping a folder on the Imports screen: its tracks are grouped, labeled and published with a few clicks.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminTrack } from '../contract/admin/admin-tracks.ts'
import type { AdminRelease } from '../contract/admin/admin-releases.ts'
import { findViolations, openPage } from './harness/browser.ts'
import { dropFiles } from './harness/drop-files.ts'
import { makeWav } from './harness/make-wav.ts'
import { admin, waitUntil } from './harness/service.ts'
import { setStage, type Stage } from './harness/stage.ts'

const albums = ['Low Tide', 'Paper Moon', 'Night Ferry']
const songsPerAlbum = 3
const looseSongs = 4
const songCount = albums.length * songsPerAlbum + looseSongs

let folder: string
let stage: Stage

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-import-'))
  await makeTree(join(folder, 'everything'))
  stage = await setStage()
}, 120_000)

afterAll(async () => {
  await stage?.close()
  await rm(folder, { recursive: true })
})

/** Creates folders with albums, and a monthly folder of generated songs with the metadata file of an export. */
async function makeTree(path: string): Promise<void> {
  let pitch = 200
  for (const album of albums) {
    await mkdir(join(path, album), { recursive: true })
    for (let song = 1; song <= songsPerAlbum; song++) {
      await writeFile(join(path, album, `0${song} ${album} ${song}.wav`), makeWav(1, (pitch += 30)))
    }
  }
  const month = join(path, '2025-11')
  await mkdir(month)
  for (let song = 1; song <= looseSongs; song++) {
    const id = `0f4b1c9e-6a57-4c1e-9f0e-2c8f2a1d7b0${song}`
    const name = `Rain ${'ABCD'[song - 1]}_0f4b1c9e`
    await writeFile(join(month, `${name}.wav`), makeWav(1, (pitch += 30)))
    const facts = {
      id,
      title: `Rain ${'ABCD'[song - 1]}`,
      tags: 'dream pop',
      model_name: 'suno v5',
    }
    await writeFile(join(month, `${name}.json`), JSON.stringify(facts))
  }
  await writeFile(join(month, 'Broken.mp3'), 'no sound')
}

test(
  'groups, labels and publishes a dropped folder with few clicks',
  { timeout: 240_000 },
  async () => {
    const { page, problems } = await openPage(stage.browser)
    await page.context().request.post(`${stage.url}/api/auth/sign-in/email`, { data: admin })
    await page.goto(`${stage.url}/admin/library/import`)
    await page.getByRole('heading', { name: 'Import and export' }).waitFor()
    await page.getByText('or drop it here').waitFor()
    let clicks = 0
    const click = async (name: string | RegExp, role: 'button' | 'checkbox' = 'button') => {
      clicks += 1
      await page
        .getByRole(role, { name, exact: typeof name === 'string' })
        .first()
        .click()
    }
    const choose = async (label: string, option: string) => {
      clicks += 2
      await page.getByLabel(label, { exact: true }).selectOption({ label: option })
    }

    await dropFiles(page, [join(folder, 'everything')], page.getByText('or drop it here'))
    await page.getByText(`${songCount} imported · 1 failed`).waitFor({ timeout: 120_000 })
    await page.getByRole('button', { name: 'Retry' }).waitFor()

    await page.getByText(`${albums.length} suggested releases`).waitFor()
    await click('Create and Publish All')
    await page.getByText(`${albums.length} releases published`).first().waitFor()

    await click('Select all tracks', 'checkbox')
    await page.getByText(`${songCount} tracks selected`).waitFor()
    await page.getByLabel('Add mood', { exact: true }).fill('calm')
    await click('Add mood for selected tracks')
    await choose('Set disclosure', 'AI-assisted')
    await choose('Set published', 'Publish')
    await click('Origins')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Plan at creation').fill('Pro')
    await dialog.getByRole('button', { name: 'Save Origins' }).click()
    clicks += 1
    await page.getByText(`Origins of ${songCount} tracks saved`).first().waitFor()
    await click('Save Changes')
    await page.getByText(`${songCount} tracks updated successfully`).first().waitFor()
    expect(clicks).toBeLessThanOrEqual(12)
    expect(await findViolations(page)).toEqual([])

    const read = async <Row>(path: string) =>
      ((await stage.owner.send('GET', path)).body as { data: Row[] }).data
    await waitUntil(
      async () =>
        (await read<AdminTrack>('/api/admin-tracks?page_size=200&published=true')).length ===
        songCount,
      120_000,
      'all tracks to be published',
    )
    const tracks = await read<AdminTrack>('/api/admin-tracks?page_size=200')
    expect(tracks.every(({ moods }) => moods?.includes('calm'))).toBe(true)
    const releases = await read<AdminRelease>('/api/admin-releases')
    const published = releases.filter(({ is_published }) => is_published)
    expect(published.map(({ title }) => title).toSorted()).toEqual(albums.toSorted())
    expect(tracks.map(({ title }) => title)).toContain('Rain A')
    expect(problems).toEqual([])
    await page.context().close()
  },
)
