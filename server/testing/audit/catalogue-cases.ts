// Audit cases of tracks, releases, playlists, artists, categories and genres.
import { randomUUID } from 'node:crypto'
import * as artists from '#contract/admin/admin-artists.ts'
import * as categories from '#contract/admin/admin-categories.ts'
import * as genres from '#contract/admin/admin-genres.ts'
import { changeAdminPlaylists, restoreAdminPlaylist } from '#contract/admin/admin-playlists.ts'
import { exportCatalogue } from '#contract/admin/catalogue-export.ts'
import * as imports from '#contract/admin/imports.ts'
import { createPressLink, deletePressLink } from '#contract/admin/press-links.ts'
import * as releases from '#contract/admin/admin-releases.ts'
import { setFeatureSwitch } from '#contract/admin/service/admin-features.ts'
import * as support from '#contract/admin/service/admin-support.ts'
import * as spots from '#contract/admin/service/admin-spots.ts'
import { addTrackEvidence, deleteTrackEvidence } from '#contract/admin/track-evidence.ts'
import { updateTrackOrigin, updateTrackOrigins } from '#contract/admin/track-origins.ts'
import {
  dismissVersionProposal,
  linkTrackVersions,
  unlinkTrackVersion,
} from '#contract/admin/track-versions.ts'
import * as tracks from '#contract/admin/admin-tracks.ts'
import { importTrack } from '#contract/admin/track-imports.ts'
import type { AuditWorld } from './audit-world.ts'
import { type AuditCase, drive, byId, deleted } from './audit-case.ts'

export const catalogueCases: AuditCase[] = [
  drive(categories.createCategory, 'create category', async ({ name }) => ({
    input: { body: { category: name('made').replace(' ', '-'), display_name: name('Made') } },
  })),
  byId(categories.updateCategory, 'update category', (world) => world.category(), {
    display_name: 'Renamed',
  }),
  drive(categories.reorderCategories, 'update category', async ({ app, category }) => {
    await category()
    const rows = await app.services.db.query.selectFrom('category_metadata').select('id').execute()
    return { input: { body: { ids: rows.map(({ id }) => id).toReversed() } } }
  }),
  byId(categories.deleteCategory, 'delete category', (world) => world.category()),
  byId(categories.restoreCategory, 'restore category', (world) =>
    deleted(world, categories.deleteCategory, () => world.category()),
  ),
  drive(categories.addTracksToCategory, 'update category', async (world) => {
    const id = await world.category()
    return { input: { params: { id }, body: { track_ids: [await world.track()] } }, entity_id: id }
  }),
  drive(genres.createGenre, 'create genre', async ({ name }) => ({
    input: { body: { name: name('Made') } },
  })),
  byId(genres.updateGenre, 'update genre', (world) => world.genre(), { name: 'Renamed' }),
  byId(genres.deleteGenre, 'delete genre', (world) => world.genre()),
  byId(genres.restoreGenre, 'restore genre', (world) =>
    deleted(world, genres.deleteGenre, () => world.genre()),
  ),
  drive(spots.createSpot, 'create spot', async ({ name }) => ({
    input: { body: { kind: 'card' as const, title: name('Tour') } },
  })),
  byId(spots.updateSpot, 'update spot', (world) => world.spot(), { is_on: true }),
  byId(spots.deleteSpot, 'delete spot', (world) => world.spot()),
  drive(spots.updateSpotRules, 'update settings', async () => ({
    input: {
      body: { every_songs: 2, per_hour: 4, skip_after_seconds: 5, offers_premium: false },
    },
    entity_id: 'spots',
  })),
  drive(setFeatureSwitch, 'update settings', async () => ({
    input: { params: { feature: 'song_path' as const }, body: { audience: 'yearly' as const } },
    entity_id: 'features/song_path',
  })),
  byId(support.answerSupportThread, 'create support', (world) => world.message(), {
    text: 'Hello.',
  }),
  byId(support.changeSupportThread, 'update support', (world) => world.message(), {
    state: 'closed',
  }),
  ...(['track', 'release', 'artist'] as const).flatMap((kind) => [
    drive(createPressLink, `update ${kind}`, async (world) => {
      const item_id = await world[kind]()
      return { input: { body: { kind, item_id, label: 'The Wire' } }, entity_id: item_id }
    }),
    drive(deletePressLink, `update ${kind}`, async (world) => {
      const item_id = await world[kind]()
      const made = await world.admin.call(createPressLink, {
        body: { kind, item_id, label: 'The Wire' },
      })
      return { input: { params: { id: made.body.data.id } }, entity_id: item_id }
    }),
  ]),
  drive(artists.createArtist, 'create artist', async ({ name }) => ({
    input: { body: { name: name('Made') } },
  })),
  byId(artists.updateArtist, 'update artist', (world) => world.artist(), { biography: 'Sings.' }),
  byId(artists.deleteArtist, 'delete artist', (world) => world.artist()),
  drive(artists.mergeArtists, 'merge artist', async (world) => {
    const id = await world.artist()
    const input = { params: { id }, body: { artist_ids: [await world.artist()] } }
    return { input, entity_id: id }
  }),
  drive(artists.splitArtist, 'split artist', async (world) => {
    const track_id = await world.track()
    const { artist_id: id } = await world.app.services.db.query
      .selectFrom('track_credits')
      .select('artist_id')
      .where('track_id', '=', track_id)
      .executeTakeFirstOrThrow()
    const to = { name: world.name('Split') }
    return { input: { params: { id }, body: { track_ids: [track_id], to } }, entity_id: id }
  }),
  drive(artists.undoArtistChange, 'restore artist', async (world) => {
    const id = await world.artist()
    const { undo_id } = (await world.admin.call(artists.deleteArtist, { params: { id } })).body
    return { input: { params: { id: undo_id } }, entity_id: id }
  }),
  drive(tracks.changeAdminTracks, 'create track', async ({ name, upload }) => ({
    input: {
      body: {
        action: 'create' as const,
        title: name('Made'),
        artist: 'Ada',
        audio_path: await upload('audio'),
        cover_path: await upload('covers'),
      },
    },
  })),
  drive(tracks.changeAdminTracks, 'delete track', async (world) => {
    const id = await world.track()
    return { input: { body: { action: 'delete' as const, id } }, entity_id: id }
  }),
  drive(importTrack, 'create track', async ({ upload }) => ({
    input: { body: { audio_path: await upload('audio'), batch: randomUUID() } },
  })),
  byId(tracks.updateAdminTrack, 'update track', (world) => world.track(), { title: 'Renamed' }),
  drive(tracks.updateAdminTracks, 'update track', async (world) => {
    const id = await world.track()
    return { input: { body: { changes: [{ id, title: 'Renamed' }] } }, entity_id: id }
  }),
  byId(updateTrackOrigin, 'update track', (world) => world.track(), { tool: 'Suno' }),
  drive(updateTrackOrigins, 'update track', async (world) => {
    const id = await world.track()
    return { input: { body: { ids: [id], tool: 'Suno' } }, entity_id: id }
  }),
  drive(addTrackEvidence, 'update track', async (world) => {
    const id = await world.track()
    const path = await world.upload('evidence')
    return { input: { params: { id }, body: { path } }, entity_id: id }
  }),
  drive(deleteTrackEvidence, 'update track', async (world) => {
    const id = await world.track()
    const body = { path: await world.upload('evidence') }
    const evidence = (await world.admin.call(addTrackEvidence, { params: { id }, body })).body
    return { input: { params: { id, evidence_id: evidence.id } }, entity_id: id }
  }),
  drive(linkTrackVersions, 'update track', async (world) => {
    const track_ids = [await world.track(), await world.track()]
    return { input: { body: { track_ids } }, entity_id: track_ids[0] }
  }),
  drive(dismissVersionProposal, 'update track', async (world) => {
    const track_ids = [await world.track(), await world.track()]
    return { input: { body: { track_ids } }, entity_id: track_ids[0] }
  }),
  byId(unlinkTrackVersion, 'update track', (world) => world.track()),
  byId(tracks.publishTrack, 'publish track', (world) => world.track()),
  byId(tracks.unpublishTrack, 'unpublish track', (world) => world.track({ published: true })),
  drive(tracks.processTrackAgain, 'retry track', async (world) => {
    const audio_path = await world.upload('audio')
    const imported = { body: { audio_path, batch: randomUUID() } }
    const { id } = (await world.admin.call(importTrack, imported)).body.data
    return { input: { params: { id } }, entity_id: id }
  }),
  drive(tracks.restoreTracks, 'restore track', async (world) => {
    const remove = (id: string) => ({ action: 'delete' as const, id })
    const id = await deleted(world, tracks.changeAdminTracks, () => world.track(), remove)
    return { input: { body: { ids: [id] } }, entity_id: id }
  }),
  drive(changeAdminPlaylists, null, async () => ({ input: { body: { action: 'list' as const } } })),
  drive(changeAdminPlaylists, null, async (world) => ({
    input: { body: { action: 'get' as const, id: await world.playlist() } },
  })),
  drive(changeAdminPlaylists, 'create playlist', async ({ name }) => ({
    input: { body: { action: 'create' as const, title: name('Made') } },
  })),
  drive(changeAdminPlaylists, 'update playlist', async (world) => {
    const id = await world.playlist()
    const track_ids = [await world.track()]
    return { input: { body: { action: 'update' as const, id, track_ids } }, entity_id: id }
  }),
  drive(changeAdminPlaylists, 'delete playlist', async (world) => {
    const id = await world.playlist()
    return { input: { body: { action: 'delete' as const, id } }, entity_id: id }
  }),
  byId(restoreAdminPlaylist, 'restore playlist', (world) =>
    deleted(
      world,
      changeAdminPlaylists,
      () => world.playlist(),
      (id) => ({ action: 'delete' as const, id }),
    ),
  ),
]

export async function publishedRelease(
  world: AuditWorld,
  fields: { audience?: 'premium' },
  isPublished = true,
): Promise<{ id: string; track_id: string }> {
  const track_id = await world.track({ published: true })
  const body = { title: world.name('Made'), tracks: [{ track_id }], ...fields }
  const { id } = (await world.admin.call(releases.createRelease, { body })).body
  if (isPublished) await world.admin.call(releases.publishRelease, { params: { id }, body: {} })
  return { id, track_id }
}

export const releaseCases: AuditCase[] = [
  drive(releases.createRelease, 'create release', async ({ name, upload }) => ({
    input: { body: { title: name('Made'), cover_path: await upload('covers') } },
  })),
  byId(releases.updateRelease, 'update release', (world) => world.release(), { label: 'Quiet' }),
  drive(releases.updateRelease, 'update track', async (world) => {
    const { id, track_id } = await publishedRelease(world, {})
    return {
      input: { params: { id }, body: { audience: 'premium' as const } },
      entity_id: track_id,
    }
  }),
  byId(releases.publishRelease, 'publish release', (world) => world.release(), {}),
  drive(releases.publishRelease, 'update track', async (world) => {
    const { id, track_id } = await publishedRelease(world, { audience: 'premium' as const }, false)
    return { input: { params: { id }, body: {} }, entity_id: track_id }
  }),
  drive(releases.publishRelease, 'publish track', async (world) => {
    const track_id = await world.track()
    const made = { body: { title: world.name('Made'), tracks: [{ track_id }] } }
    const { id } = (await world.admin.call(releases.createRelease, made)).body
    return { input: { params: { id }, body: { publish_tracks: true } }, entity_id: track_id }
  }),
  drive(exportCatalogue, 'export catalogue', async () => ({ input: {} })),
  drive(imports.startImport, 'import catalogue', async (world) => ({
    input: { body: { archive_path: await world.archive() } },
  })),
  drive(imports.startServerImport, 'import catalogue', async () => ({
    input: { body: { address: 'https://music.example', login: { api_key: 'key' } } },
  })),
  byId(imports.confirmImport, 'import catalogue', (world) => world.import('listed'), {}),
  byId(imports.decideImportItems, 'import catalogue', (world) => world.import(), {
    decision: 'keep',
  }),
  drive(imports.importTrackList, 'create playlist', async ({ app, track }) => {
    const { title } = await app.services.db.query
      .selectFrom('tracks')
      .select('title')
      .where('id', '=', await track())
      .executeTakeFirstOrThrow()
    return { input: { body: { filename: 'a.csv', text: `title\n${title}\n` } } }
  }),
  byId(imports.retryImport, 'import catalogue', (world) => world.import('done'), {}),
  byId(imports.stopImport, 'import catalogue', (world) => world.import()),
  byId(releases.exportRelease, 'export release', (world) => world.release()),
  drive(releases.confirmReleaseProposals, 'create release', async (world) => ({
    input: { body: { keys: [await world.proposal()] } },
  })),
  drive(releases.confirmReleaseProposals, 'publish release', async (world) => ({
    input: { body: { keys: [await world.proposal()], publish: true } },
  })),
  drive(releases.confirmReleaseProposals, 'publish track', async (world) => ({
    input: { body: { keys: [await world.proposal()], publish: true } },
  })),
  drive(releases.confirmReleaseProposals, 'update track', async (world) => {
    const keys = [await world.proposal()]
    // The rule of a new release is the service's default: for everyone.
    await world.app.asOwner(
      `update tracks set audience = 'members' where id in (select track_id from track_file_tags)`,
    )
    return { input: { body: { keys, publish: true } } }
  }),
  drive(releases.dismissReleaseProposals, 'update release', async (world) => ({
    input: { body: { keys: [await world.proposal()] } },
  })),
  byId(releases.unpublishRelease, 'unpublish release', (world) => world.release()),
  byId(releases.deleteRelease, 'delete release', (world) => world.release()),
  byId(releases.restoreRelease, 'restore release', (world) =>
    deleted(world, releases.deleteRelease, () => world.release()),
  ),
]
