// Creates a small catalogue for tests through the admin operations, with at least one row for every exported table.
import sharp from 'sharp'
import { createArtist, updateArtist, mergeArtists } from '#contract/admin/admin-artists.ts'
import { createCategory } from '#contract/admin/admin-categories.ts'
import { createGenre } from '#contract/admin/admin-genres.ts'
import { changeAdminPlaylists } from '#contract/admin/admin-playlists.ts'
import { createRelease, publishRelease, updateRelease } from '#contract/admin/admin-releases.ts'
import { getAdminTrack, updateAdminTrack } from '#contract/admin/admin-tracks.ts'
import { addTrackEvidence } from '#contract/admin/track-evidence.ts'
import { updateTrackOrigin } from '#contract/admin/track-origins.ts'
import type { CallInput, Endpoint, Output } from '#contract/endpoint.ts'
import { createSignedUpload } from '#contract/uploads.ts'
import { encodeTaggedWav } from '../../../testing/tagged-wav.ts'
import type { Person, TestApp } from '../../../testing/test-app.ts'
import { uploadTrack } from '../../../testing/upload-track.ts'
import { processTrack } from '../../tracks/processing/process-track.ts'

/** Makes a call and returns its data. Throws the error code of a failed call. */
export async function callOrThrow<E extends Endpoint>(
  person: Person,
  endpoint: E,
  input: CallInput<E>,
): Promise<Output<E>> {
  const { status, code, body } = await person.call(endpoint, input)
  if (status >= 300) throw new Error(`${endpoint.method} ${endpoint.path}: ${status} ${code}`)
  return body
}

/** Uploads a file to a bucket with one PUT, and returns its path. */
export async function uploadBytes(
  app: TestApp,
  admin: Person,
  bytes: Uint8Array,
  file: Pick<CallInput<typeof createSignedUpload>['body'], 'bucket' | 'filename' | 'mime'>,
): Promise<string> {
  const signed = await callOrThrow(admin, createSignedUpload, {
    body: { ...file, size: bytes.length },
  })
  const sent = await fetch(`${app.url}${signed.uploadUrl}`, {
    method: 'PUT',
    headers: {
      cookie: admin.cookie,
      'upload-token': signed.uploadToken,
      'content-type': 'application/octet-stream',
    },
    body: new Uint8Array(bytes),
  })
  if (sent.status !== 204) throw new Error(`The upload returned ${sent.status}`)
  return signed.path
}

/** Creates the catalogue. Titles and names contain characters that file systems, CSV and JSON must escape. */
export async function createTestCatalogue(app: TestApp, admin: Person): Promise<void> {
  const cover = async (background: string) => {
    const picture = sharp({ create: { width: 64, height: 64, channels: 3, background } })
    const file = { bucket: 'covers', filename: 'cover.png', mime: 'image/png' } as const
    return uploadBytes(app, admin, await picture.png().toBuffer(), file)
  }
  await callOrThrow(admin, createGenre, { body: { name: 'Dream "Pop", slow' } })
  await callOrThrow(admin, createCategory, {
    body: { category: 'night', display_name: 'Night', cover_path: await cover('#123') },
  })
  for (const category of ['focus', 'sleep']) {
    await callOrThrow(admin, createCategory, { body: { category, display_name: category } })
  }
  const mira = await callOrThrow(admin, createArtist, {
    body: {
      name: 'Mira',
      biography: 'Lines\nand "quotes"',
      links: [{ label: 'Site', url: 'https://mira.example' }],
      cover_path: await cover('#456'),
    },
  })
  await callOrThrow(admin, updateArtist, {
    params: { id: mira.id },
    body: { name: 'Mira Sol', slug: 'mira-sol', has_page: false },
  })
  const twin = await callOrThrow(admin, createArtist, { body: { name: 'Mira S.' } })
  await callOrThrow(admin, mergeArtists, {
    params: { id: mira.id },
    body: { artist_ids: [twin.id] },
  })
  const { tracks, draft } = await makeTracks(app, admin, await cover('#789'))
  const release = await callOrThrow(admin, createRelease, {
    body: {
      title: 'Night: "Drive"/1',
      kind: 'album',
      label: 'Label',
      upc: '036000291452',
      release_date: '2026-01-31',
      description: 'Made at night.',
      cover_path: await cover('#abc'),
      tracks: tracks.map((track_id, at) => ({ track_id, disc: at + 1 })),
    },
  })
  await callOrThrow(admin, updateRelease, {
    params: { id: release.id },
    body: { slug: 'night-drive' },
  })
  await callOrThrow(admin, publishRelease, {
    params: { id: release.id },
    body: { publish_tracks: true },
  })
  await callOrThrow(admin, createRelease, {
    body: {
      title: 'Later',
      kind: 'single',
      tracks: [{ track_id: draft }],
      release_at: '2099-02-01T10:00:00Z',
      release_zone: 'America/New_York',
      early_access_days: 7,
    },
  })
  const inner = await callOrThrow(admin, createRelease, {
    body: {
      title: 'Inner Circle',
      kind: 'ep',
      audience: 'premium',
      tracks: [{ track_id: tracks[1]! }],
    },
  })
  await callOrThrow(admin, publishRelease, { params: { id: inner.id }, body: {} })
  const createdPlaylist = await callOrThrow(admin, changeAdminPlaylists, {
    body: {
      action: 'create',
      title: '=Evening',
      description: 'Slow',
      cover_path: await cover('#def'),
    },
  })
  await callOrThrow(admin, changeAdminPlaylists, {
    body: {
      action: 'update',
      id: createdPlaylist.playlist!.id,
      track_ids: tracks.toReversed(),
      is_visible: true,
    },
  })
}

interface CreatedTracks {
  /** Ids of the published tracks. */
  tracks: string[]
  /** Id of the scheduled track. */
  draft: string
}

async function makeTracks(app: TestApp, admin: Person, cover_path: string): Promise<CreatedTracks> {
  const side = 'UUID: 0f4b1c9e-6a57-4c1e-9f0e-2c8f2a1d7b3c\nModel: v4.5\nLyrics:\n[Verse]\nRain'
  const first = await uploadTrack(
    app,
    admin,
    encodeTaggedWav(1, 300, { texts: { TIT2: 'First Take', TPE1: 'Mira Sol', TALB: 'Night' } }),
    { side_files: [{ kind: 'txt', text: side }], folder: 'Night' },
  )
  const second = await uploadTrack(
    app,
    admin,
    encodeTaggedWav(1, 400, { texts: { TIT2: 'AC/DC: ?' } }),
  )
  const third = await uploadTrack(app, admin, encodeTaggedWav(1, 500, { texts: { TIT2: 'Draft' } }))
  await callOrThrow(admin, updateAdminTrack, {
    params: { id: first.id },
    body: {
      title: 'Slow Light',
      categories: ['night', 'sleep', 'focus'],
      moods: ['Calm', 'late night'],
      genre: 'Dream "Pop", slow',
      tags: ['slow', 'rain'],
      explicit: true,
      description: 'First line\nsecond line',
      cover_path,
      audience: 'premium',
      artists: [
        { name: 'Mira Sol', role: 'main', joiner: ' with ' },
        { name: 'Bo', role: 'featured', credited_as: 'DJ Bo' },
        { name: 'Ada', role: 'composer' },
      ],
    },
  } as never)
  const receipt = await uploadBytes(app, admin, Buffer.from('%PDF-1.7 receipt'), {
    bucket: 'evidence',
    filename: 'Quittung: „Mai“.pdf',
    mime: 'application/pdf',
  })
  await callOrThrow(admin, addTrackEvidence, { params: { id: first.id }, body: { path: receipt } })
  await callOrThrow(admin, updateTrackOrigin, {
    params: { id: second.id },
    body: { tool: 'Udio', prompt: 'sea shanty', seed: '7', parts: { lyrics: 'human' } },
  })
  for (const { id } of [first, second, third]) {
    await processTrack(app.services, id, {
      signal: new AbortController().signal,
      isLastAttempt: true,
    })
    const { processing_error } = await callOrThrow(admin, getAdminTrack, { params: { id } })
    if (processing_error !== null) throw new Error(processing_error)
  }
  await callOrThrow(admin, updateAdminTrack, {
    params: { id: third.id },
    body: {
      release_at: '2099-01-01T10:00:00Z',
      release_zone: 'Europe/Berlin',
      early_access_days: 3,
    },
  })
  return { tracks: [first.id, second.id], draft: third.id }
}
