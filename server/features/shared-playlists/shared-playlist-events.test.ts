// Everyone who shares a playlist is notified of its changes, and nobody else is.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPlaylist, deletePlaylist, updatePlaylist } from '#contract/playlists.ts'
import {
  acceptPlaylistInvitation,
  createPlaylistInvitation,
  removePlaylistMember,
} from '#contract/shared-playlists.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp

beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

test('notifies all windows of the people who share a playlist of its changes, and no other people', async () => {
  const owner = await app.makePerson({ tier: 'premium' })
  const editor = await app.makePerson({ tier: 'premium' })
  const stranger = await app.makePerson()
  const windows = await Promise.all(
    [owner, owner, editor, stranger].map(({ cookie }) => recordEvents(app.url, cookie)),
  )
  const countEvents = () =>
    windows.map(({ events }) => events.filter(({ topic }) => topic === 'shared-playlist').length)
  const expectEvents = async (expected: boolean[]) => {
    await expect.poll(() => countEvents().map((count) => count > 0)).toEqual(expected)
    for (const { events } of windows) events.length = 0
  }
  const { id } = (await owner.call(createPlaylist, { body: { title: 'Ours' } })).body
  const params = { id }
  const { token } = (
    await owner.call(createPlaylistInvitation, { params, body: { role: 'editor' } })
  ).body
  await editor.call(acceptPlaylistInvitation, { body: { token } })
  await expectEvents([true, true, true, false])

  const [a, b] = (await makeTracks(app.services.db, 2)) as [string, string]
  const change = (who: typeof owner, body: object) => who.call(updatePlaylist, { params, body })
  await change(editor, { track_changes: [{ action: 'add', track_id: a }] })
  await expectEvents([true, true, true, false])
  await change(owner, { title: 'Still ours' })
  await expectEvents([true, true, true, false])
  await change(owner, { track_changes: [{ action: 'add', track_id: b, after: null }] })
  await expectEvents([true, true, true, false])
  await change(owner, { track_changes: [{ action: 'move', track_id: a, after: null }] })
  await expectEvents([true, true, true, false])
  await app.services.db.query.deleteFrom('tracks').where('id', '=', a).execute()
  await expectEvents([true, true, true, false])

  await editor.call(removePlaylistMember, { params: { id, user_id: editor.id } })
  await expectEvents([true, true, true, false])
  // The playlist is no longer shared, so only the window that makes the change is updated.
  await change(owner, { title: 'Mine' })
  const again = await owner.call(createPlaylistInvitation, { params, body: { role: 'editor' } })
  expect(countEvents()).toEqual([0, 0, 0, 0])
  await editor.call(acceptPlaylistInvitation, { body: { token: again.body.token } })
  await expectEvents([true, true, true, false])
  await owner.call(deletePlaylist, { params })
  await expectEvents([true, true, true, false])
  for (const window of windows) window.stop()
})
