// Undoing a deletion while another request deletes the playlist again.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeAdminPlaylists, restoreAdminPlaylist } from '#contract/admin/admin-playlists.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())

test('restoring never returns playlist_not_found in 150 rounds with concurrent deletions', async () => {
  const made = await admin.call(changeAdminPlaylists, { body: { action: 'create', title: 'Dusk' } })
  const { id } = (made.body as { playlist: { id: string } }).playlist
  const remove = () => admin.call(changeAdminPlaylists, { body: { action: 'delete', id } })
  const restore = () => admin.call(restoreAdminPlaylist, { params: { id } })
  const codes = new Set<string | number>()
  for (let round = 0; round < 150; round++) {
    const removals = Promise.all([remove(), remove()])
    for (const { code, status } of await Promise.all([restore(), restore(), restore()])) {
      codes.add(code ?? status)
    }
    await removals
    await restore()
  }
  expect(codes).not.toContain('playlist_not_found')
  expect(codes).toContain(200)
}, 120_000)
