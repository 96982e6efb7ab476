// Tests that creators cannot reach content that does not belong to them, in any way: ids, request bodies, bulk
// operations, uploads, exports, apps and feeds.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import { createArtist, listAdminArtists } from '#contract/admin/admin-artists.ts'
import { createCategory, listAdminCategories } from '#contract/admin/admin-categories.ts'
import { createGenre, listGenres } from '#contract/admin/admin-genres.ts'
import * as releases from '#contract/admin/admin-releases.ts'
import * as tracks from '#contract/admin/admin-tracks.ts'
import { updateTrackOrigins } from '#contract/admin/track-origins.ts'
import { createAccessToken } from '#contract/access-tokens.ts'
import { createDeviceKey } from '#contract/device-keys.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { getTrack } from '#contract/tracks.ts'
import { createSignedUpload } from '#contract/uploads.ts'
import { findContractEndpoints } from '../../testing/contract-endpoints.ts'
import { encodeTaggedWav } from '../../testing/tagged-wav.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { uploadWav } from '../../testing/upload-track.ts'
import { putRenditions } from '../../testing/put-renditions.ts'

let app: TestApp
let admin: Person
let creator: Person
let other: Person
let member: Person
let made = 0

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  creator = await app.makePerson({ role: 'creator' })
  other = await app.makePerson({ role: 'creator' })
  member = await app.makePerson({ tier: 'premium' })
})
afterAll(() => app.close())

const upload = (person: Person) => uploadWav(app, person, encodeTaggedWav(0.2, 200 + ++made))

async function draftOf(person: Person, more: object = {}): Promise<string> {
  const body = {
    action: 'create' as const,
    title: `Draft ${made}`,
    artist: `Artist of ${person.id}`,
    audio_path: await upload(person),
    ...more,
  }
  const answer = await person.call(tracks.changeAdminTracks, { body })
  expect(answer.code).toBeUndefined()
  return answer.body.data!.id
}

async function releaseOf(person: Person, trackIds: string[] = []): Promise<string> {
  const body = { title: `Release ${++made}`, tracks: trackIds.map((track_id) => ({ track_id })) }
  const answer = await person.call(releases.createRelease, { body })
  expect(answer.code).toBeUndefined()
  return answer.body.id
}

const ownerOf = async (table: 'tracks' | 'releases' | 'artists', id: string) => {
  const { db } = app.services
  const row = await db.query.selectFrom(table).select('owner_id').where('id', '=', id).execute()
  return row[0]?.owner_id
}

describe('content made by a creator', () => {
  test('belongs to the creator, and so does its new artist; content made by an admin belongs to nobody', async () => {
    const id = await draftOf(creator, { artist: 'New Voice' })
    expect(await ownerOf('tracks', id)).toBe(creator.id)
    const { data } = (await creator.call(listAdminArtists, { query: { q: 'New Voice' } })).body
    expect(data.map(({ name }) => name)).toEqual(['New Voice'])
    expect(await ownerOf('artists', data[0]!.id)).toBe(creator.id)
    expect(await ownerOf('releases', await releaseOf(creator, [id]))).toBe(creator.id)
    expect(await ownerOf('tracks', await draftOf(admin))).toBeNull()
  })

  test('is in the lists of its creator and of editors, but not in those of other creators', async () => {
    const mine = await draftOf(creator)
    const theirs = await draftOf(other)
    const listed = async (person: Person) => {
      const query = { page_size: 200 }
      const { data } = (await person.call(tracks.listAdminTracks, { query })).body
      return data.map(({ id }) => id)
    }
    expect(await listed(creator)).toContain(mine)
    expect(await listed(creator)).not.toContain(theirs)
    const editor = await app.makePerson({ role: 'editor' })
    expect(await listed(editor)).toEqual(expect.arrayContaining([mine, theirs]))
    const [myRelease, theirRelease] = [await releaseOf(creator), await releaseOf(other)]
    const { data } = (await creator.call(releases.listAdminReleases, { query: {} })).body
    expect(data.map(({ id }) => id)).toContain(myRelease)
    expect(data.map(({ id }) => id)).not.toContain(theirRelease)
  })

  test('can be changed, deleted and restored as a draft, with audit entries', async () => {
    const id = await draftOf(creator)
    const params = { id }
    const changed = await creator.call(tracks.updateAdminTrack, {
      params,
      body: { title: 'Other' },
    })
    expect(changed.body.title).toBe('Other')
    const remove = { action: 'delete', id } as const
    await creator.call(tracks.changeAdminTracks, { body: remove })
    const restored = await creator.call(tracks.restoreTracks, { body: { ids: [id] } })
    expect(restored.code).toBeUndefined()
    const { data } = (await admin.call(listAuditLog, { query: { entity: 'track' } })).body
    const acts = data.filter((entry) => entry.entity_id === id)
    expect(acts.map(({ action, actor_id }) => [action, actor_id])).toEqual(
      ['restore', 'delete', 'update', 'create'].map((action) => [action, creator.id]),
    )
  })

  test("is counted in the creator's categories and genres, but other creators' drafts are not", async () => {
    await admin.call(createCategory, { body: { category: 'quiet', display_name: 'Quiet' } })
    await admin.call(createGenre, { body: { name: 'Drone' } })
    await draftOf(other, { category: 'quiet', genre: 'Drone' })
    const counts = async () => {
      const categories = (await creator.call(listAdminCategories, {})).body.data
      const genres = (await creator.call(listGenres, {})).body.data
      return [categories, genres].map((list) => list.map(({ track_count }) => track_count))
    }
    expect(await counts()).toEqual([[0], [0]])
    await draftOf(creator, { category: 'quiet', genre: 'Drone' })
    expect(await counts()).toEqual([[1], [1]])
  })

  test('cannot be opened by other people, or by its creator after losing the role', async () => {
    const former = await app.makePerson({ role: 'creator' })
    const id = await draftOf(former)
    const opened = async (person: Person) => (await person.call(getTrack, { params: { id } })).code
    expect(await opened(former)).toBeUndefined()
    expect(await opened(admin)).toBeUndefined()
    for (const person of [creator, member]) expect(await opened(person)).toBe('track_not_found')
    await app.asOwner(`update user_roles set role = 'member' where user_id = '${former.id}'`)
    const again = { ...former, ...(await app.signIn(former.email)) }
    expect(await opened(again)).toBe('track_not_found')
  })
})

describe('content that belongs to someone else', () => {
  const endpoints = findContractEndpoints().then((all) =>
    all.filter(({ endpoint }) => endpoint.access === 'creator'),
  )
  const namesOf = ({ owned }: Endpoint) =>
    owned && owned !== 'filtered' ? [owned.own, owned.drafts].filter((part) => part) : []

  test('is not found by its id in any operation, whether an admin or another creator made it', async () => {
    for (const person of [admin, other]) {
      const track = await draftOf(person)
      const ids = { track, release: await releaseOf(person, [track]) }
      const before = await admin.call(tracks.getAdminTrack, { params: { id: track } })
      for (const { name, endpoint } of await endpoints) {
        for (const part of namesOf(endpoint)) {
          for (const kind of ['track', 'release'] as const) {
            if (!part?.[kind]?.includes('params.id')) continue
            const path = endpoint.path.replaceAll(/:\w+/g, ids[kind])
            const body = endpoint.body && { body: bodies[name] ?? {} }
            const answer = await creator.send(endpoint.method, path, body)
            expect([name, answer.code]).toEqual([name, `${kind}_not_found`])
          }
        }
      }
      const after = await admin.call(tracks.getAdminTrack, { params: { id: track } })
      expect(after.body).toEqual(before.body)
    }
  })

  const bodies: Record<string, object> = {
    addTrackEvidence: { path: 'uploads/evidence/x/y.png' },
  }

  test('is not found by its id in any request body', async () => {
    const id = await draftOf(other)
    const own = await releaseOf(creator)
    const list = { tracks: [{ track_id: await draftOf(creator) }, { track_id: id }] }
    const answers = [
      await creator.call(tracks.changeAdminTracks, { body: { action: 'delete', id } }),
      await creator.call(tracks.restoreTracks, { body: { ids: [id] } }),
      await creator.call(tracks.updateAdminTracks, {
        body: {
          changes: [
            { id: list.tracks[0]!.track_id, title: 'X' },
            { id, title: 'X' },
          ],
        },
      }),
      await creator.call(updateTrackOrigins, { body: { ids: [id], tool: 'X' } }),
      await creator.call(releases.createRelease, { body: { title: 'X', ...list } }),
      await creator.call(releases.updateRelease, { params: { id: own }, body: list }),
      await creator.send('POST', '/api/own-reviews', { body: { track_id: id } }),
      await creator.send('POST', releases.createRelease.path, {
        body: { title: 'X', ...list },
        headers: { 'idempotency-key': 'a-key-of-a-creator' },
      }),
    ]
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 'track_not_found'))
    const release = { release_id: await releaseOf(other, [id]) }
    const submitted = await creator.send('POST', '/api/own-reviews', { body: release })
    expect(submitted.code).toBe('release_not_found')
    const kept = await admin.call(tracks.getAdminTrack, { params: { id } })
    expect(kept.body.title).toMatch(/^Draft/)
  })

  test('is protected in every request: each id field is checked, or listed here as harmless', async () => {
    // These fields are not ids of a track or a release, or are looked up only among the caller's own rows.
    const free: Record<string, string[]> = {
      listAdminTracks: ['query.artist'],
      changeAdminTracks: ['body.artists.artist_id'],
      updateAdminTrack: ['body.artists.artist_id'],
      addTrackEvidence: [],
      downloadTrackEvidence: ['params.evidence_id'],
      deleteTrackEvidence: ['params.evidence_id'],
      listUploadParts: ['params.id'],
      signUploadParts: ['params.id'],
      sendUploadPart: ['params.id'],
      completeUploadParts: ['params.id'],
      withdrawReview: ['params.id'],
      listOwnReviews: ['query.item_id'],
      importTrack: ['body.batch'],
      listImportedTracks: ['params.id'],
      listReleaseProposals: ['query.batch'],
    }
    for (const { name, endpoint } of await endpoints) {
      const { params, query, body } = endpoint
      const found = Object.entries({ params, query, body }).flatMap(([place, schema]) =>
        schema
          ? idFields(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), place)
          : [],
      )
      const compared = namesOf(endpoint).flatMap((part) => Object.values(part ?? {}).flat())
      const open = [...new Set(found)].filter((field) => !compared.includes(field))
      expect([name, open.toSorted()]).toEqual([name, (free[name] ?? []).toSorted()])
    }
  })

  test("cannot be reached through the evidence files of the creator's own track", async () => {
    const { db } = app.services
    const theirs = await draftOf(other)
    const mine = await draftOf(creator)
    const evidence = await db.query
      .insertInto('track_evidence')
      .values({
        track_id: theirs,
        filename: 'a.png',
        mime: 'image/png',
        byte_size: 1,
        sha256: 'a'.repeat(64),
        storage_key: 'evidence/a.png',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const path = `/api/admin-tracks/${mine}/evidence/${evidence.id}`
    expect((await creator.send('GET', `${path}/file`)).code).toBe('not_found')
    expect((await creator.send('DELETE', path)).code).toBe('not_found')
  })

  test('cannot be reached through operations that reject creators, such as archive imports, exports and owner changes', async () => {
    const id = await draftOf(creator)
    const refused = [
      await creator.call(tracks.publishTrack, { params: { id } }),
      await creator.send('GET', '/api/admin-imports'),
      await creator.send('GET', '/api/admin-catalogue/export'),
      await creator.send('GET', `/api/admin-releases/${await releaseOf(creator)}/export`),
      await creator.send('GET', '/api/admin-insights/export.csv'),
      await creator.send('GET', '/api/admin-users'),
      await creator.send('POST', '/api/admin-owners', { body: {} }),
      await creator.send('POST', '/api/admin-owners/find', { body: {} }),
      await creator.send('GET', `/api/admin-tracks/${id}/versions`),
      await creator.send('POST', createSignedUpload.path, {
        body: { bucket: 'archives', filename: 'a.zip', mime: 'application/zip', size: 3 },
      }),
    ]
    expect(refused.map(({ code }) => code)).toEqual(refused.map(() => 'forbidden'))
  })

  test("cannot be created from someone else's upload", async () => {
    const audio_path = await upload(other)
    const body = { action: 'create' as const, title: 'X', artist: 'Y', audio_path }
    const created = await creator.call(tracks.changeAdminTracks, { body })
    expect(created.code).toBe('upload_not_found')
    const params = { id: await draftOf(creator) }
    const replaced = await creator.call(tracks.updateAdminTrack, { params, body: { audio_path } })
    expect(replaced.code).toBe('upload_not_found')
  })
})

describe('artists', () => {
  test('of someone else cannot be credited by name, by id or through a release', async () => {
    const taken = (await admin.call(createArtist, { body: { name: 'The Taken' } })).body
    const params = { id: await draftOf(creator) }
    const release = { id: await releaseOf(creator) }
    const credit = { artist_id: taken.id, role: 'main' as const }
    const answers = [
      await creator.call(tracks.updateAdminTrack, { params, body: { artist: 'The Taken' } }),
      await creator.call(tracks.updateAdminTrack, { params, body: { artists: [credit] } }),
      await creator.call(releases.updateRelease, {
        params: release,
        body: { artists: [{ name: 'The Taken' }] },
      }),
      await creator.call(tracks.changeAdminTracks, {
        body: {
          action: 'create',
          title: 'X',
          artist: 'The Taken',
          audio_path: await upload(creator),
        },
      }),
    ]
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 'artist_not_yours'))
    const { data } = (await creator.call(listAdminArtists, { query: { q: 'Taken' } })).body
    expect(data).toEqual([])
  })

  test('of someone else remain credited where an editor credited them', async () => {
    const guest = (await admin.call(createArtist, { body: { name: 'The Guest' } })).body
    const params = { id: await draftOf(creator, { artist: 'Own Name' }) }
    const artists = [
      { name: 'Own Name', role: 'main' as const },
      { artist_id: guest.id, role: 'featured' as const },
    ]
    await admin.call(tracks.updateAdminTrack, { params, body: { artists } })
    const saved = await creator.call(tracks.updateAdminTrack, {
      params,
      body: { title: 'With a guest', artists },
    })
    expect(saved.body.artists.map(({ name }) => name)).toEqual(['Own Name', 'The Guest'])
  })
})

describe('publishing', () => {
  test('by a creator is rejected, now and on a date', async () => {
    const params = { id: await draftOf(creator) }
    const release = { id: await releaseOf(creator) }
    const date = { release_at: '2099-01-01T00:00:00Z', release_zone: 'UTC' }
    const answers = [
      await creator.call(tracks.updateAdminTrack, { params, body: { is_published: true } }),
      await creator.call(tracks.updateAdminTrack, { params, body: date }),
      await creator.call(releases.updateRelease, { params: release, body: date }),
      await creator.call(releases.createRelease, { body: { title: 'X', ...date } }),
    ]
    const { id } = params
    const many = (change: object) =>
      creator.call(tracks.updateAdminTracks, { body: { changes: [{ id, ...change }] } })
    const bulk = [
      await many({ is_published: true }),
      await many(date),
      await creator.call(releases.confirmReleaseProposals, {
        body: { keys: ['a'.repeat(64)], publish: true },
      }),
    ]
    const codes = [...answers, ...bulk].map(({ code }) => code)
    expect(codes).toEqual(codes.map(() => 'review_needed'))
    const publish = await creator.call(releases.publishRelease, {
      params: release,
      body: { publish_tracks: true },
    })
    expect(publish.code).toBe('forbidden')
  })

  test('by an admin prevents the creator from changing, deleting or reprocessing the track', async () => {
    const id = await draftOf(creator)
    await admin.call(tracks.publishTrack, { params: { id } })
    const answers = [
      await creator.call(tracks.updateAdminTrack, { params: { id }, body: { title: 'X' } }),
      await creator.call(tracks.changeAdminTracks, { body: { action: 'delete', id } }),
      await creator.send('PATCH', `/api/admin-tracks/${id}/origin`, { body: {} }),
      await creator.call(tracks.processTrackAgain, { params: { id } }),
    ]
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 'review_locked'))
  })

  test('by an admin also prevents the creator from restoring the track after its deletion', async () => {
    const id = await draftOf(creator)
    await admin.call(tracks.publishTrack, { params: { id } })
    await app.asOwner(`update tracks set processing_status = 'ready', is_published = true,
                              publish_when_ready = false where id = '${id}'`)
    await admin.call(tracks.changeAdminTracks, { body: { action: 'delete', id } })
    const restored = await creator.call(tracks.restoreTracks, { body: { ids: [id] } })
    expect(restored.code).toBe('review_locked')
  })
})

describe('other access', () => {
  const played = async (person: Pick<Person, 'send'>, id: string) =>
    (await person.send('GET', `/api/tracks/${id}/stream`)).code

  async function withAudio(id: string): Promise<string> {
    const file = Buffer.alloc(64)
    await putRenditions(app.services, id, { standard: file, high: file, preview: file }, 10)
    return id
  }

  test("a creator without Premium plays their own draft in full, and nobody else's", async () => {
    const mine = await withAudio(await draftOf(creator))
    const theirs = await withAudio(await draftOf(other))
    expect(await played(creator, mine)).toBeUndefined()
    expect(await played(creator, theirs)).toBe('track_not_found')
    expect(await played(member, mine)).toBe('track_not_found')
  })

  test("a token without the admin scope has a member's rights", async () => {
    const id = await withAudio(await draftOf(creator))
    const withScopes = async (scopes: ('read' | 'admin')[]) => {
      const body = { name: 'x', scopes }
      const { token } = (await creator.call(createAccessToken, { body })).body.data
      const headers = { authorization: `Bearer ${token}` }
      return (await app.nobody.send('GET', `/api/tracks/${id}`, { headers })).code
    }
    expect(await withScopes(['read', 'admin'])).toBeUndefined()
    expect(await withScopes(['read'])).toBe('track_not_found')
  })

  test("apps and feeds show no drafts, not even the creator's own", async () => {
    const mine = await withAudio(await draftOf(creator, { title: 'Hidden Mine' }))
    const theirs = await withAudio(await draftOf(other, { title: 'Hidden Theirs' }))
    const { key } = (await creator.call(createDeviceKey, { body: { name: 'app' } })).body.data
    const ask = async (name: string, query: string) => {
      const response = await fetch(
        `${app.url}/rest/${name}?apiKey=${key}&c=T&v=1.16&f=json&${query}`,
      )
      return response.text()
    }
    expect(await ask('search3', 'query=Hidden')).not.toContain('Hidden')
    for (const id of [mine, theirs]) {
      expect(await ask('getSong', `id=${id}`)).toMatch(/code"?[:=]"?70/)
    }
    expect(await ask('stream', `id=${theirs}`)).toMatch(/code"?[:=]"?70/)
    expect(await ask('download', `id=${theirs}`)).toMatch(/code"?[:=]"?70/)
    const feed = await (await fetch(`${app.url}/feed.xml`)).text()
    expect(feed).not.toContain('Hidden')
  })
})

interface JsonSchema {
  format?: string
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
}

/** Returns the paths of the id fields in a schema, such as `body.track_id`, as the contract's `owned` names them. */
function idFields(schema: unknown, path: string): string[] {
  const { format, properties = {}, items, anyOf = [], oneOf = [] } = schema as JsonSchema
  return [
    ...(format === 'uuid' ? [path] : []),
    ...Object.entries(properties).flatMap(([name, each]) => idFields(each, `${path}.${name}`)),
    ...(items ? idFields(items, path) : []),
    ...[...anyOf, ...oneOf].flatMap((each) => idFields(each, path)),
  ]
}
