// Playlists that several people share: roles, invitations and undo.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  addTrackToPlaylist,
  createPlaylist,
  deletePlaylist,
  getPlaylist,
  listPlaylists,
  listPlaylistTracks,
  removeTrackFromPlaylist,
  restorePlaylist,
  updatePlaylist,
} from '#contract/playlists.ts'
import {
  acceptPlaylistInvitation,
  changePlaylistMember,
  createPlaylistInvitation,
  listPlaylistMembers,
  openPlaylistInvitation,
  removePlaylistMember,
  revokePlaylistInvitation,
  undoPlaylistChange,
  type MemberRole,
} from '#contract/shared-playlists.ts'
import type { TrackChange } from '#contract/fields/track-changes.ts'
import {
  createFeatureApp,
  makeTracks,
  type FeatureApp,
  type Person,
} from '../../testing/feature-app.ts'
import { playlistRoutes } from '../playlists/playlist-routes.ts'
import { sharedPlaylistRoutes } from './shared-playlist-routes.ts'

let app: FeatureApp

beforeAll(async () => {
  app = await createFeatureApp((route, { pictures }) => {
    playlistRoutes(route, pictures)
    sharedPlaylistRoutes(route)
  })
})
afterAll(() => app.close())

const add = (track_id: string): TrackChange => ({ action: 'add', track_id })
const remove = (track_id: string): TrackChange => ({ action: 'remove', track_id })
const move = (track_id: string, after: string | null): TrackChange => ({
  action: 'move',
  track_id,
  after,
})

async function makePlaylist(owner: Person, track_ids: string[] = []): Promise<string> {
  const { id } = (await owner.call(createPlaylist, { body: { title: 'Road trip' } })).body
  if (track_ids.length > 0) await change(owner, id, track_ids.map(add))
  return id
}

async function invite(owner: Person, id: string, role: MemberRole): Promise<string> {
  const response = await owner.call(createPlaylistInvitation, { params: { id }, body: { role } })
  return response.body.token
}

async function join(owner: Person, id: string, role: MemberRole, who?: Person): Promise<Person> {
  const person = who ?? (await app.makePerson({ premium: true }))
  const token = await invite(owner, id, role)
  const response = await person.call(acceptPlaylistInvitation, { body: { token } })
  expect(response.body.role).toBe(role)
  return person
}

const change = (who: Person, id: string, track_changes: TrackChange[], operation_id?: string) =>
  who.call(updatePlaylist, {
    params: { id },
    body: { track_changes, ...(operation_id && { operation_id }) },
  })
const undo = (who: Person, id: string) => who.call(undoPlaylistChange, { params: { id } })

async function listTrackIds(who: Person, id: string): Promise<string[]> {
  const { body } = await who.call(listPlaylistTracks, { params: { id } })
  return body.data.map(({ track }) => track.id)
}

test('each role allows its operations, and other operations return a specific error', async () => {
  const owner = await app.makePerson({ premium: true })
  const [a, b] = (await makeTracks(app.db, 2)) as [string, string]
  const id = await makePlaylist(owner, [a])
  const params = { id }
  await owner.call(updatePlaylist, { params, body: { is_public: true } })
  const people = {
    owner,
    editor: await join(owner, id, 'editor'),
    viewer: await join(owner, id, 'viewer'),
    stranger: await app.makePerson({ premium: true }),
    admin: await app.makePerson({ admin: true }),
  }
  const target = await join(owner, id, 'viewer')
  const token = await invite(owner, id, 'viewer')
  const user = { id, user_id: target.id }
  const read = (who: Person) => who.call(getPlaylist, { params })
  const cases: [string, (who: Person) => Promise<{ code: string | undefined }>, string[]][] = [
    // The expected error codes, one per person in the order of `people`. '' means success.
    ['read', read, ['', '', '', '', '']],
    ['tracks', (who) => who.call(listPlaylistTracks, { params }), ['', '', '', '', '']],
    [
      'members',
      (who) => who.call(listPlaylistMembers, { params }),
      ['', '', '', 'playlist_not_found', 'playlist_not_found'],
    ],
    ...(
      [
        ['change', (who: Person) => change(who, id, [move(a, null)])],
        [
          'replace',
          (who: Person) => who.call(updatePlaylist, { params, body: { track_ids: [a] } }),
        ],
        [
          'add and remove',
          async (who: Person) => {
            const added = await who.call(addTrackToPlaylist, { params, body: { track_id: b } })
            if (added.code) return added
            return who.call(removeTrackFromPlaylist, { params: { id, track_id: b } })
          },
        ],
        [
          'remove',
          async (who: Person) => {
            const removed = await who.call(removeTrackFromPlaylist, { params: { id, track_id: a } })
            if (!removed.code) await change(owner, id, [add(a)])
            return removed
          },
        ],
        ['undo', async (who: Person) => undo(who, id)],
      ] as const
    ).map(
      ([name, act]) =>
        [name, act, ['', '', 'playlist_read_only', 'playlist_not_found', 'playlist_not_found']] as [
          string,
          (who: Person) => Promise<{ code: string | undefined }>,
          string[],
        ],
    ),
    ...(
      [
        ['rename', (who: Person) => who.call(updatePlaylist, { params, body: { title: 'New' } })],
        [
          'publish',
          (who: Person) => who.call(updatePlaylist, { params, body: { is_public: true } }),
        ],
        [
          'invite',
          (who: Person) => who.call(createPlaylistInvitation, { params, body: { role: 'editor' } }),
        ],
        [
          'revoke',
          async (who: Person) => {
            await invite(owner, id, 'editor')
            return who.call(revokePlaylistInvitation, { params: { id, role: 'editor' } })
          },
        ],
        [
          'promote',
          (who: Person) =>
            who.call(changePlaylistMember, { params: user, body: { role: 'viewer' } }),
        ],
        [
          'expel',
          async (who: Person) => {
            const response = await who.call(removePlaylistMember, { params: user })
            if (!response.code) await join(owner, id, 'viewer', target)
            return response
          },
        ],
        [
          'delete',
          async (who: Person) => {
            const response = await who.call(deletePlaylist, { params })
            if (!response.code) await who.call(restorePlaylist, { params })
            return response
          },
        ],
      ] as const
    ).map(
      ([name, act]) =>
        [
          name,
          act,
          [
            '',
            'playlist_owner_only',
            'playlist_owner_only',
            'playlist_not_found',
            'playlist_not_found',
          ],
        ] as [string, (who: Person) => Promise<{ code: string | undefined }>, string[]],
    ),
  ]
  for (const [name, act, expected] of cases) {
    for (const [at, [role, person]] of Object.entries(people).entries()) {
      // Gives both people with the right to undo a change to undo.
      if (name === 'undo' && at < 2) await change(person, id, [add(b)])
      expect([name, role, (await act(person)).code ?? '']).toEqual([name, role, expected[at]])
    }
  }
  expect(await listTrackIds(owner, id)).toEqual([a])
  expect(token).toMatch(/^[\w-]{32}$/)
})

test('people who share a private playlist can open and find it, and others cannot', async () => {
  const owner = await app.makePerson({ premium: true })
  await app.db.query
    .updateTable('profiles')
    .set({ display_name: 'Ada' })
    .where('id', '=', owner.id)
    .execute()
  const id = await makePlaylist(owner)
  const viewer = await join(owner, id, 'viewer')
  const { body } = await viewer.call(getPlaylist, { params: { id } })
  expect(body).toMatchObject({ role: 'viewer', is_own: false, owner_name: 'Ada', shared_with: 1 })
  const listIds = async (who: Person, scope: 'own' | 'shared' | 'public') =>
    (await who.call(listPlaylists, { query: { scope } })).body.data.map((one) => one.id)
  expect(await listIds(viewer, 'shared')).toEqual([id])
  expect(await listIds(viewer, 'own')).toEqual([])
  expect(await listIds(owner, 'shared')).toEqual([])
  const stranger = await app.makePerson()
  expect((await stranger.call(getPlaylist, { params: { id } })).code).toBe('playlist_not_found')
  expect((await stranger.call(listPlaylistTracks, { params: { id } })).code).toBe(
    'playlist_not_found',
  )
  expect(await listIds(stranger, 'shared')).toEqual([])
})

test('returns no email address, and returns who added a track only to people who share the playlist', async () => {
  const owner = await app.makePerson({ premium: true })
  const [a, b] = (await makeTracks(app.db, 2)) as [string, string]
  const id = await makePlaylist(owner, [a])
  const params = { id }
  await owner.call(updatePlaylist, { params, body: { is_public: true } })
  const editor = await join(owner, id, 'editor')
  const names = [
    ['Ada', owner],
    ['Ben', editor],
  ] as const
  for (const [display_name, { id: userId }] of names) {
    await app.db.query
      .updateTable('profiles')
      .set({ display_name })
      .where('id', '=', userId)
      .execute()
  }
  await change(editor, id, [add(b)])
  const stranger = await app.makePerson()
  const addersFor = async (who: Person) =>
    (await who.call(listPlaylistTracks, { params })).body.data.map(({ added_by }) => added_by)
  expect(await addersFor(owner)).toEqual(['Ada', 'Ben'])
  expect(await addersFor(editor)).toEqual(['Ada', 'Ben'])
  expect(await addersFor(stranger)).toEqual([null, null])
  const seen = [
    await editor.call(listPlaylistMembers, { params }),
    await editor.call(getPlaylist, { params }),
    await editor.call(listPlaylistTracks, { params }),
    await stranger.call(getPlaylist, { params }),
  ]
  expect(JSON.stringify(seen.map(({ body }) => body))).not.toContain('@')
  expect((await stranger.call(getPlaylist, { params })).body).toMatchObject({
    role: null,
    owner_name: null,
    shared_with: 0,
  })
  await editor.call(removePlaylistMember, { params: { id, user_id: editor.id } })
  expect(await addersFor(owner)).toEqual([null, null])
})

test('an invitation link works until it is replaced, revoked or expired, and grants only its role', async () => {
  const owner = await app.makePerson({ premium: true })
  const id = await makePlaylist(owner)
  const person = await app.makePerson()
  const open = (token: string) => person.call(openPlaylistInvitation, { body: { token } })
  const accept = (token: string) => person.call(acceptPlaylistInvitation, { body: { token } })
  const first = await invite(owner, id, 'viewer')
  expect((await open(first)).body).toEqual({
    playlist_id: id,
    title: 'Road trip',
    track_count: 0,
    owner_name: '',
    role: 'viewer',
    own_role: null,
  })
  const second = await invite(owner, id, 'viewer')
  expect((await accept(first)).code).toBe('invitation_invalid')
  await owner.call(revokePlaylistInvitation, { params: { id, role: 'viewer' } })
  expect((await accept(second)).code).toBe('invitation_invalid')
  const third = await invite(owner, id, 'viewer')
  await app.db.query
    .updateTable('playlist_invitations')
    .set({ expires_at: new Date(Date.now() - 1000).toISOString() })
    .execute()
  expect((await open(third)).code).toBe('invitation_invalid')
  expect((await accept(third)).code).toBe('invitation_invalid')
  expect((await accept('x'.repeat(32))).code).toBe('invitation_invalid')

  const viewing = await invite(owner, id, 'viewer')
  const editing = await invite(owner, id, 'editor')
  expect((await accept(viewing)).body.role).toBe('viewer')
  expect((await accept(editing)).body.role).toBe('editor')
  // If an editor opens a link for viewers, the role of editor is kept.
  expect((await accept(viewing)).body.role).toBe('editor')
  expect((await owner.call(acceptPlaylistInvitation, { body: { token: editing } })).body.role).toBe(
    'owner',
  )
  const members = (await owner.call(listPlaylistMembers, { params: { id } })).body
  expect(members.data.map(({ role }) => role)).toEqual(['owner', 'editor'])
  expect(members.invitations.map(({ role }) => role)).toEqual(['editor', 'viewer'])
  expect((await person.call(listPlaylistMembers, { params: { id } })).body.invitations).toEqual([])
})

test("a removed person loses access immediately, and the playlist's links are revoked", async () => {
  const owner = await app.makePerson({ premium: true })
  const [a] = (await makeTracks(app.db, 1)) as [string]
  const id = await makePlaylist(owner)
  const token = await invite(owner, id, 'editor')
  const editor = await app.makePerson({ premium: true })
  await editor.call(acceptPlaylistInvitation, { body: { token } })
  await change(editor, id, [add(a)])
  await owner.call(removePlaylistMember, { params: { id, user_id: editor.id } })
  expect((await change(editor, id, [remove(a)])).code).toBe('playlist_not_found')
  expect((await undo(editor, id)).code).toBe('playlist_not_found')
  expect((await editor.call(getPlaylist, { params: { id } })).code).toBe('playlist_not_found')
  const again = await editor.call(acceptPlaylistInvitation, { body: { token } })
  expect(again.code).toBe('invitation_invalid')
  expect(await listTrackIds(owner, id)).toEqual([a])
})

test('at most 50 people can share a playlist, even if two join concurrently', async () => {
  const owner = await app.makePerson({ premium: true })
  const id = await makePlaylist(owner)
  for (let at = 0; at < 49; at++) {
    const { id: user_id } = await app.makePerson()
    await app.db.query
      .insertInto('playlist_members')
      .values({ playlist_id: id, user_id, role: 'viewer' })
      .execute()
  }
  const token = await invite(owner, id, 'viewer')
  const responses = await Promise.all(
    [await app.makePerson(), await app.makePerson()].map((who) =>
      who.call(acceptPlaylistInvitation, { body: { token } }),
    ),
  )
  expect(responses.map(({ code }) => code ?? '').toSorted()).toEqual([
    '',
    'too_many_playlist_members',
  ])
})

test("the owner's plan limits the size of a shared playlist, and an editor with a free plan cannot add an 11th track", async () => {
  const tracks = await makeTracks(app.db, 12)
  const owner = await app.makePerson()
  const id = await makePlaylist(owner, tracks.slice(0, 10))
  const premium = await join(owner, id, 'editor')
  expect((await change(premium, id, [add(tracks[10]!)])).code).toBe('owner_track_limit_reached')
  const added = await premium.call(addTrackToPlaylist, {
    params: { id },
    body: { track_id: tracks[10]! },
  })
  expect(added.code).toBe('owner_track_limit_reached')
  await owner.setPremium(true)
  expect((await change(premium, id, [add(tracks[10]!)])).status).toBe(200)
  const free = await join(owner, id, 'editor', await app.makePerson())
  expect((await change(free, id, [add(tracks[11]!)])).code).toBe('track_limit_reached')
  // Moving and removing tracks is still allowed, because the playlist does not grow.
  expect((await change(free, id, [move(tracks[3]!, null), remove(tracks[0]!)])).status).toBe(200)
  // A playlist that is shared with a member does not count against the member's limit.
  expect((await free.call(createPlaylist, { body: { title: 'Mine' } })).status).toBe(201)
  expect((await free.call(createPlaylist, { body: { title: 'More' } })).code).toBe(
    'playlist_limit_reached',
  )
})

test('a repeated request changes nothing, even if others have changed the tracks since', async () => {
  const owner = await app.makePerson({ premium: true })
  const [a, b] = (await makeTracks(app.db, 2)) as [string, string]
  const id = await makePlaylist(owner, [a])
  const editor = await join(owner, id, 'editor')
  const operation = '0191a0c0-0000-7000-8000-00000000ab01'
  await change(editor, id, [add(b)], operation)
  await change(owner, id, [remove(b)])
  expect((await change(editor, id, [add(b)], operation)).status).toBe(200)
  expect(await listTrackIds(owner, id)).toEqual([a])
  // After an undo, repeating the original request does not apply its change again.
  expect((await undo(editor, id)).status).toBe(200)
  expect((await undo(editor, id)).code).toBe('undo_expired')
})

test('undo reverts only the last change of the person who requests it', async () => {
  const owner = await app.makePerson({ premium: true })
  const [a, b, c, d, e] = (await makeTracks(app.db, 5)) as [string, string, string, string, string]
  const id = await makePlaylist(owner, [a, b, c])
  const editor = await join(owner, id, 'editor')
  await change(editor, id, [remove(b), move(c, null)])
  await change(owner, id, [add(d)])
  expect(await listTrackIds(owner, id)).toEqual([c, a, d])
  await undo(editor, id)
  expect(await listTrackIds(owner, id)).toEqual([a, b, c, d])
  await undo(owner, id)
  expect(await listTrackIds(owner, id)).toEqual([a, b, c])

  await editor.call(addTrackToPlaylist, { params: { id }, body: { track_id: e } })
  await owner.call(removeTrackFromPlaylist, { params: { id, track_id: a } })
  await undo(owner, id)
  expect(await listTrackIds(owner, id)).toEqual([a, b, c, e])
  await undo(editor, id)
  expect(await listTrackIds(owner, id)).toEqual([a, b, c])
  // Someone else removed the track and added it again, so the undo does not remove it.
  await change(editor, id, [add(d)])
  await change(owner, id, [remove(d)])
  await change(owner, id, [add(d)])
  await undo(editor, id)
  expect(await listTrackIds(owner, id)).toEqual([a, b, c, d])
})

test('a track that undo adds again is still listed under the member who added it first', async () => {
  const owner = await app.makePerson({ premium: true })
  const [a] = (await makeTracks(app.db, 1)) as [string]
  const id = await makePlaylist(owner)
  const editor = await join(owner, id, 'editor')
  await change(editor, id, [add(a)])
  await change(owner, id, [remove(a)])
  await undo(owner, id)
  const row = await app.db.query
    .selectFrom('playlist_tracks')
    .select('added_by')
    .where('playlist_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(row.added_by).toBe(editor.id)
})

test('two concurrent editors get the same order and lose no change, 30 times', async () => {
  const owner = await app.makePerson({ premium: true })
  const tracks = await makeTracks(app.db, 10)
  const [a, b, c, d, e, f] = tracks as [string, string, string, string, string, string]
  const id = await makePlaylist(owner)
  const editor = await join(owner, id, 'editor')
  for (let round = 0; round < 30; round++) {
    await owner.call(updatePlaylist, { params: { id }, body: { track_ids: [a, b, c, d] } })
    const responses = await Promise.all([
      change(owner, id, [add(e), move(d, a)]),
      change(editor, id, [add(f), move(c, null)]),
      change(editor, id, [remove(b)]),
      change(owner, id, [{ action: 'add', track_id: tracks[6]!, after: a }]),
      editor.call(addTrackToPlaylist, { params: { id }, body: { track_id: tracks[7]! } }),
      owner.call(removeTrackFromPlaylist, { params: { id, track_id: a } }),
    ])
    expect(responses.map(({ status }) => status).filter((status) => status >= 300)).toEqual([])
    const both = [await listTrackIds(owner, id), await listTrackIds(editor, id)]
    expect(both[0]).toEqual(both[1])
    expect(both[0]!.toSorted()).toEqual([c, d, e, f, tracks[6]!, tracks[7]!].toSorted())
  }
}, 120_000)

test('a playlist that is restored after a deletion keeps its members, and who added which track', async () => {
  const owner = await app.makePerson({ premium: true })
  const [a] = (await makeTracks(app.db, 1)) as [string]
  const id = await makePlaylist(owner)
  const editor = await join(owner, id, 'editor')
  await change(editor, id, [add(a)])
  const token = await invite(owner, id, 'viewer')
  await owner.call(deletePlaylist, { params: { id } })
  expect((await editor.call(getPlaylist, { params: { id } })).code).toBe('playlist_not_found')
  await owner.call(restorePlaylist, { params: { id } })
  expect((await editor.call(getPlaylist, { params: { id } })).body.role).toBe('editor')
  const opened = await editor.call(openPlaylistInvitation, { body: { token } })
  expect(opened.code).toBe('invitation_invalid')
})

test('when an editor’s account is deleted, the tracks that the editor added are kept', async () => {
  const owner = await app.makePerson({ premium: true })
  const [a] = (await makeTracks(app.db, 1)) as [string]
  const id = await makePlaylist(owner)
  const editor = await join(owner, id, 'editor')
  await change(editor, id, [add(a)])
  await app.db.query.deleteFrom('profiles').where('id', '=', editor.id).execute()
  const { body } = await owner.call(listPlaylistTracks, { params: { id } })
  expect(body.data.map(({ track, added_by }) => [track.id, added_by])).toEqual([[a, null]])
  expect((await owner.call(getPlaylist, { params: { id } })).body.shared_with).toBe(0)
})
