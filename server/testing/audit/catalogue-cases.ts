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
import { type AuditCase, createAuditCase, createCaseById, createAndDelete } from './audit-case.ts'

export const catalogueCases: AuditCase[] = [
  createAuditCase(categories.createCategory, 'create category', async ({ name }) => ({
    input: { body: { category: name('made').replace(' ', '-'), display_name: name('Made') } },
  })),
  createCaseById(categories.updateCategory, 'update category', (world) => world.category(), {
    display_name: 'Renamed',
  }),
  createAuditCase(categories.reorderCategories, 'update category', async ({ app, category }) => {
    await category()
    const rows = await app.services.db.query.selectFrom('category_metadata').select('id').execute()
    return { input: { body: { ids: rows.map(({ id }) => id).toReversed() } } }
  }),
  createCaseById(categories.deleteCategory, 'delete category', (world) => world.category()),
  createCaseById(categories.restoreCategory, 'restore category', (world) =>
    createAndDelete(world, categories.deleteCategory, () => world.category()),
  ),
  createAuditCase(categories.addTracksToCategory, 'update category', async (world) => {
    const id = await world.category()
    return { input: { params: { id }, body: { track_ids: [await world.track()] } }, entity_id: id }
  }),
  createAuditCase(genres.createGenre, 'create genre', async ({ name }) => ({
    input: { body: { name: name('Made') } },
  })),
  createCaseById(genres.updateGenre, 'update genre', (world) => world.genre(), { name: 'Renamed' }),
  createCaseById(genres.deleteGenre, 'delete genre', (world) => world.genre()),
  createCaseById(genres.restoreGenre, 'restore genre', (world) =>
    createAndDelete(world, genres.deleteGenre, () => world.genre()),
  ),
  createAuditCase(spots.createSpot, 'create spot', async ({ name }) => ({
    input: { body: { kind: 'card' as const, title: name('Tour') } },
  })),
  createCaseById(spots.updateSpot, 'update spot', (world) => world.spot(), { is_on: true }),
  createCaseById(spots.deleteSpot, 'delete spot', (world) => world.spot()),
  createAuditCase(spots.updateSpotRules, 'update settings', async () => ({
    input: {
      body: { every_songs: 2, per_hour: 4, skip_after_seconds: 5, offers_premium: false },
    },
    entity_id: 'spots',
  })),
  createAuditCase(setFeatureSwitch, 'update settings', async () => ({
    input: { params: { feature: 'song_path' as const }, body: { audience: 'yearly' as const } },
    entity_id: 'features/song_path',
  })),
  createCaseById(support.answerSupportThread, 'create support', (world) => world.message(), {
    text: 'Hello.',
  }),
  createCaseById(support.changeSupportThread, 'update support', (world) => world.message(), {
    state: 'closed',
  }),
  ...(['track', 'release', 'artist'] as const).flatMap((kind) => [
    createAuditCase(createPressLink, `update ${kind}`, async (world) => {
      const item_id = await world[kind]()
      return { input: { body: { kind, item_id, label: 'The Wire' } }, entity_id: item_id }
    }),
    createAuditCase(deletePressLink, `update ${kind}`, async (world) => {
      const item_id = await world[kind]()
      const made = await world.admin.call(createPressLink, {
        body: { kind, item_id, label: 'The Wire' },
      })
      return { input: { params: { id: made.body.data.id } }, entity_id: item_id }
    }),
  ]),
  createAuditCase(artists.createArtist, 'create artist', async ({ name }) => ({
    input: { body: { name: name('Made') } },
  })),
  createCaseById(artists.updateArtist, 'update artist', (world) => world.artist(), {
    biography: 'Sings.',
  }),
  createCaseById(artists.deleteArtist, 'delete artist', (world) => world.artist()),
  createAuditCase(artists.mergeArtists, 'merge artist', async (world) => {
    const id = await world.artist()
    const input = { params: { id }, body: { artist_ids: [await world.artist()] } }
    return { input, entity_id: id }
  }),
  createAuditCase(artists.splitArtist, 'split artist', async (world) => {
    const track_id = await world.track()
    const { artist_id: id } = await world.app.services.db.query
      .selectFrom('track_credits')
      .select('artist_id')
      .where('track_id', '=', track_id)
      .executeTakeFirstOrThrow()
    const to = { name: world.name('Split') }
    return { input: { params: { id }, body: { track_ids: [track_id], to } }, entity_id: id }
  }),
  createAuditCase(artists.undoArtistChange, 'restore artist', async (world) => {
    const id = await world.artist()
    const { undo_id } = (await world.admin.call(artists.deleteArtist, { params: { id } })).body
    return { input: { params: { id: undo_id } }, entity_id: id }
  }),
  createAuditCase(tracks.changeAdminTracks, 'create track', async ({ name, upload }) => ({
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
  createAuditCase(tracks.changeAdminTracks, 'delete track', async (world) => {
    const id = await world.track()
    return { input: { body: { action: 'delete' as const, id } }, entity_id: id }
  }),
  createAuditCase(importTrack, 'create track', async ({ upload }) => ({
    input: { body: { audio_path: await upload('audio'), batch: randomUUID() } },
  })),
  createCaseById(tracks.updateAdminTrack, 'update track', (world) => world.track(), {
    title: 'Renamed',
  }),
  createAuditCase(tracks.updateAdminTracks, 'update track', async (world) => {
    const id = await world.track()
    return { input: { body: { changes: [{ id, title: 'Renamed' }] } }, entity_id: id }
  }),
  createCaseById(updateTrackOrigin, 'update track', (world) => world.track(), { tool: 'Suno' }),
  createAuditCase(updateTrackOrigins, 'update track', async (world) => {
    const id = await world.track()
    return { input: { body: { ids: [id], tool: 'Suno' } }, entity_id: id }
  }),
  createAuditCase(addTrackEvidence, 'update track', async (world) => {
    const id = await world.track()
    const path = await world.upload('evidence')
    return { input: { params: { id }, body: { path } }, entity_id: id }
  }),
  createAuditCase(deleteTrackEvidence, 'update track', async (world) => {
    const id = await world.track()
    const body = { path: await world.upload('evidence') }
    const evidence = (await world.admin.call(addTrackEvidence, { params: { id }, body })).body
    return { input: { params: { id, evidence_id: evidence.id } }, entity_id: id }
  }),
  createAuditCase(linkTrackVersions, 'update track', async (world) => {
    const track_ids = [await world.track(), await world.track()]
    return { input: { body: { track_ids } }, entity_id: track_ids[0] }
  }),
  createAuditCase(dismissVersionProposal, 'update track', async (world) => {
    const track_ids = [await world.track(), await world.track()]
    return { input: { body: { track_ids } }, entity_id: track_ids[0] }
  }),
  createCaseById(unlinkTrackVersion, 'update track', (world) => world.track()),
  createCaseById(tracks.publishTrack, 'publish track', (world) => world.track()),
  createCaseById(tracks.unpublishTrack, 'unpublish track', (world) =>
    world.track({ published: true }),
  ),
  createAuditCase(tracks.processTrackAgain, 'retry track', async (world) => {
    const audio_path = await world.upload('audio')
    const imported = { body: { audio_path, batch: randomUUID() } }
    const { id } = (await world.admin.call(importTrack, imported)).body.data
    return { input: { params: { id } }, entity_id: id }
  }),
  createAuditCase(tracks.restoreTracks, 'restore track', async (world) => {
    const remove = (id: string) => ({ action: 'delete' as const, id })
    const id = await createAndDelete(world, tracks.changeAdminTracks, () => world.track(), remove)
    return { input: { body: { ids: [id] } }, entity_id: id }
  }),
  createAuditCase(changeAdminPlaylists, null, async () => ({
    input: { body: { action: 'list' as const } },
  })),
  createAuditCase(changeAdminPlaylists, null, async (world) => ({
    input: { body: { action: 'get' as const, id: await world.playlist() } },
  })),
  createAuditCase(changeAdminPlaylists, 'create playlist', async ({ name }) => ({
    input: { body: { action: 'create' as const, title: name('Made') } },
  })),
  createAuditCase(changeAdminPlaylists, 'update playlist', async (world) => {
    const id = await world.playlist()
    const track_ids = [await world.track()]
    return { input: { body: { action: 'update' as const, id, track_ids } }, entity_id: id }
  }),
  createAuditCase(changeAdminPlaylists, 'delete playlist', async (world) => {
    const id = await world.playlist()
    return { input: { body: { action: 'delete' as const, id } }, entity_id: id }
  }),
  createCaseById(restoreAdminPlaylist, 'restore playlist', (world) =>
    createAndDelete(
      world,
      changeAdminPlaylists,
      () => world.playlist(),
      (id) => ({ action: 'delete' as const, id }),
    ),
  ),
]

export async function createPublishedRelease(
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
  createAuditCase(releases.createRelease, 'create release', async ({ name, upload }) => ({
    input: { body: { title: name('Made'), cover_path: await upload('covers') } },
  })),
  createCaseById(releases.updateRelease, 'update release', (world) => world.release(), {
    label: 'Quiet',
  }),
  createAuditCase(releases.updateRelease, 'update track', async (world) => {
    const { id, track_id } = await createPublishedRelease(world, {})
    return {
      input: { params: { id }, body: { audience: 'premium' as const } },
      entity_id: track_id,
    }
  }),
  createCaseById(releases.publishRelease, 'publish release', (world) => world.release(), {}),
  createAuditCase(releases.publishRelease, 'update track', async (world) => {
    const { id, track_id } = await createPublishedRelease(
      world,
      { audience: 'premium' as const },
      false,
    )
    return { input: { params: { id }, body: {} }, entity_id: track_id }
  }),
  createAuditCase(releases.publishRelease, 'publish track', async (world) => {
    const track_id = await world.track()
    const made = { body: { title: world.name('Made'), tracks: [{ track_id }] } }
    const { id } = (await world.admin.call(releases.createRelease, made)).body
    return { input: { params: { id }, body: { publish_tracks: true } }, entity_id: track_id }
  }),
  createAuditCase(exportCatalogue, 'export catalogue', async () => ({ input: {} })),
  createAuditCase(imports.startImport, 'import catalogue', async (world) => ({
    input: { body: { archive_path: await world.archive() } },
  })),
  createAuditCase(imports.startServerImport, 'import catalogue', async () => ({
    input: { body: { address: 'https://music.example', login: { api_key: 'key' } } },
  })),
  createCaseById(imports.confirmImport, 'import catalogue', (world) => world.import('listed'), {}),
  createCaseById(imports.decideImportItems, 'import catalogue', (world) => world.import(), {
    decision: 'keep',
  }),
  createAuditCase(imports.importTrackList, 'create playlist', async ({ app, track }) => {
    const { title } = await app.services.db.query
      .selectFrom('tracks')
      .select('title')
      .where('id', '=', await track())
      .executeTakeFirstOrThrow()
    return { input: { body: { filename: 'a.csv', text: `title\n${title}\n` } } }
  }),
  createCaseById(imports.retryImport, 'import catalogue', (world) => world.import('done'), {}),
  createCaseById(imports.stopImport, 'import catalogue', (world) => world.import()),
  createCaseById(releases.exportRelease, 'export release', (world) => world.release()),
  createAuditCase(releases.confirmReleaseProposals, 'create release', async (world) => ({
    input: { body: { keys: [await world.proposal()] } },
  })),
  createAuditCase(releases.confirmReleaseProposals, 'publish release', async (world) => ({
    input: { body: { keys: [await world.proposal()], publish: true } },
  })),
  createAuditCase(releases.confirmReleaseProposals, 'publish track', async (world) => ({
    input: { body: { keys: [await world.proposal()], publish: true } },
  })),
  createAuditCase(releases.confirmReleaseProposals, 'update track', async (world) => {
    const keys = [await world.proposal()]
    // A new release is available to everyone, so change its tracks first to make a difference.
    await world.app.asOwner(
      `update tracks set audience = 'members' where id in (select track_id from track_file_tags)`,
    )
    return { input: { body: { keys, publish: true } } }
  }),
  createAuditCase(releases.dismissReleaseProposals, 'update release', async (world) => ({
    input: { body: { keys: [await world.proposal()] } },
  })),
  createCaseById(releases.unpublishRelease, 'unpublish release', (world) => world.release()),
  createCaseById(releases.deleteRelease, 'delete release', (world) => world.release()),
  createCaseById(releases.restoreRelease, 'restore release', (world) =>
    createAndDelete(world, releases.deleteRelease, () => world.release()),
  ),
]
