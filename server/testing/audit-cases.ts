// For tests: calls of each admin operation that changes something, one for each audit entry that its contract declares,
// and of each action that only reads.
import { randomUUID } from 'node:crypto'
import { createAccessToken, revokeAccessToken } from '#contract/access-tokens.ts'
import { exportAuditLog } from '#contract/admin/admin-audit.ts'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { changePeople } from '#contract/admin/admin-bulk.ts'
import * as artists from '#contract/admin/admin-artists.ts'
import * as announcements from '#contract/announcements.ts'
import * as invitations from '#contract/admin/admin-invitations.ts'
import * as categories from '#contract/admin/admin-categories.ts'
import * as genres from '#contract/admin/admin-genres.ts'
import * as legal from '#contract/admin/admin-legal.ts'
import { updateBranding } from '#contract/admin/admin-branding.ts'
import { setSetupHidden } from '#contract/admin/admin-overview.ts'
import { listCancellations } from '#contract/admin/money/admin-cancellations.ts'
import * as prices from '#contract/admin/money/admin-prices.ts'
import { voidReceipt } from '#contract/admin/money/admin-receipts.ts'
import { resendGift } from '#contract/admin/money/admin-gifts.ts'
import { voidReferral } from '#contract/admin/money/admin-referrals.ts'
import * as promotions from '#contract/admin/money/admin-promotions.ts'
import * as refunds from '#contract/admin/money/admin-refunds.ts'
import * as people from '#contract/admin/admin-people.ts'
import { changeAdminPlaylists, restoreAdminPlaylist } from '#contract/admin/admin-playlists.ts'
import { getSettings, updateSettings } from '#contract/admin/admin-settings.ts'
import {
  discardFailedJob,
  downloadBackup,
  repairFiles,
  retryFailedJob,
  retryFailedJobs,
  startBackup,
} from '#contract/admin/admin-system.ts'
import { exportCatalogue } from '#contract/admin/catalogue-export.ts'
import * as imports from '#contract/admin/imports.ts'
import { createPressLink, deletePressLink } from '#contract/admin/press-links.ts'
import * as releases from '#contract/admin/admin-releases.ts'
import * as stripe from '#contract/admin/money/admin-stripe.ts'
import * as bounces from '#contract/admin/service/admin-bounces.ts'
import * as mail from '#contract/admin/service/admin-mail.ts'
import * as mailWords from '#contract/admin/service/admin-mail-words.ts'
import { leaveDemo } from '#contract/admin/service/admin-demo.ts'
import { setFigureMails } from '#contract/admin/service/admin-figure-mails.ts'
import { setFeatureSwitch } from '#contract/admin/service/admin-features.ts'
import * as support from '#contract/admin/service/admin-support.ts'
import * as spots from '#contract/admin/service/admin-spots.ts'
import * as webhooks from '#contract/admin/webhooks.ts'
import { addTrackEvidence, deleteTrackEvidence } from '#contract/admin/track-evidence.ts'
import { updateTrackOrigin, updateTrackOrigins } from '#contract/admin/track-origins.ts'
import {
  dismissVersionProposal,
  linkTrackVersions,
  unlinkTrackVersion,
} from '#contract/admin/track-versions.ts'
import * as tracks from '#contract/admin/admin-tracks.ts'
import * as users from '#contract/admin/admin-users.ts'
import type { AuditAction, AuditEntity } from '#contract/audit-names.ts'
import { receiveBillingEvent } from '#contract/billing.ts'
import type { CallInput, Endpoint } from '#contract/endpoint.ts'
import { exportInsights } from '#contract/admin/insights.ts'
import { importTrack } from '#contract/admin/track-imports.ts'
import type { AuditWorld } from './audit-world.ts'
import { changeOwners, findOwners, type OwnedKind } from '#contract/creators/owners.ts'
import * as reviews from '#contract/creators/reviews.ts'
import * as royalties from '#contract/creators/royalties.ts'
import { subscriptionEvent } from './stripe/stripe-payloads.ts'

export interface AuditCase {
  endpoint: Endpoint
  title: string
  /** Null if it only reads. */
  entry: `${AuditAction} ${AuditEntity}` | null
  /** Creates what the operation changes. `entity_id` is absent if the operation creates it, or if there is none. */
  prepare: (world: AuditWorld) => Promise<{ input: unknown; entity_id?: string | undefined }>
}

function drive<E extends Endpoint>(
  endpoint: E,
  entry: AuditCase['entry'],
  prepare: (
    world: AuditWorld,
  ) => Promise<{ input: CallInput<NoInfer<E>>; entity_id?: string | undefined }>,
): AuditCase {
  return { endpoint, entry, prepare, title: `${endpoint.method} ${endpoint.path}` }
}

/** Changes the entity whose id is in the path. */
function byId<E extends Endpoint>(
  endpoint: E,
  entry: AuditCase['entry'],
  make: (world: AuditWorld) => Promise<string>,
  body?: object,
): AuditCase {
  return drive(endpoint, entry, async (world) => {
    const id = await make(world)
    return { input: { params: { id }, ...(body && { body }) } as CallInput<E>, entity_id: id }
  })
}

const noWords = { subject: null, opening: null, closing: null }
const aPerson = async (world: AuditWorld) => (await world.person()).id
const aBannedPerson = async ({ app }: AuditWorld) => (await app.makePerson({ banned: true })).id

const manual = {
  action: 'manual_update_subscription',
  tier: 'premium',
  status: 'active',
  payment_method: 'cash',
} as const

async function payingByHand({ admin, person }: AuditWorld): Promise<string> {
  const { id: user_id } = await person()
  await admin.call(runBillingAction, { body: { ...manual, user_id } })
  return user_id
}

/** The demo can be left once. */
async function switchDemoOn({ app: { services } }: AuditWorld): Promise<void> {
  await services.db.query.deleteFrom('demo_steps').where('step', '=', 'left').execute()
  await services.settings.reload()
  services.demoProgress = () => ({ tracks_ready: 0, tracks_total: 20 })
}

/** There is one at a time. */
async function openPriceChange({ app }: AuditWorld): Promise<string> {
  const { query } = app.services.db
  await query.updateTable('price_changes').set({ state: 'done' }).execute()
  const prices = { currency: 'usd', monthly_cents: 999, yearly_cents: 9999 }
  const { id } = await query
    .insertInto('price_sets')
    .values({ ...prices, state: 'done' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const effective_at = new Date(Date.now() + 40 * 24 * 3600 * 1000).toISOString()
  await query.insertInto('price_changes').values({ id, effective_at }).execute()
  return id
}

async function deleted<E extends Endpoint>(
  world: AuditWorld,
  endpoint: E,
  make: (world: AuditWorld) => Promise<string>,
  body?: (id: string) => object,
): Promise<string> {
  const id = await make(world)
  const input = body ? { body: body(id) } : { params: { id } }
  const { status } = await world.admin.call(endpoint, input as CallInput<E>)
  if (status >= 400) throw new Error(`Deleting answered ${status}`)
  return id
}

const catalogueCases: AuditCase[] = [
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

async function publishedRelease(
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

const releaseCases: AuditCase[] = [
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
    // The rule of a new release is the default of the service, for everyone.
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

const bulk = (
  entry: AuditCase['entry'],
  change: CallInput<typeof changePeople>['body']['change'],
  make: (world: AuditWorld) => Promise<string> = aPerson,
) =>
  drive(changePeople, entry, async (world) => {
    const id = await make(world)
    return { input: { body: { selection: { ids: [id] }, change } }, entity_id: id }
  })

const peopleCases: AuditCase[] = [
  drive(users.createAdminUser, 'create user', async ({ name }) => ({
    input: {
      body: { email: `${name('made').replace(' ', '-')}@velour.test`, password: 'a-long-password' },
    },
  })),
  byId(users.updateUser, 'update user', aPerson, { display_name: 'Renamed' }),
  byId(users.updateUserRole, 'update user', aPerson, { role: 'editor' }),
  byId(users.updateUserRole, 'ban user', aPerson, { role: 'banned' }),
  byId(users.updateUserSubscription, 'update user', aPerson, { subscription_tier: 'premium' }),
  byId(users.banUser, 'ban user', aPerson),
  byId(
    users.unbanUser,
    'unban user',
    async ({ app }) => (await app.makePerson({ banned: true })).id,
  ),
  byId(users.resetUserPassword, 'update user', aPerson),
  byId(people.removeTwoFactor, 'update user', async (world) => {
    const id = await aPerson(world)
    await world.app.services.db.query
      .updateTable('profiles')
      .set({ two_factor_enabled: true })
      .where('id', '=', id)
      .execute()
    return id
  }),
  byId(users.deleteUser, 'delete user', aPerson),
  byId(people.dismissDeletionRequest, 'update user', aPerson),
  byId(people.endPersonSessions, 'update user', aPerson),
  drive(people.endPersonSession, 'update user', async (world) => {
    const { id } = await world.person()
    const { body } = await world.admin.call(people.listPersonSessions, { params: { id } })
    return { input: { params: { id, session_id: body.data[0]!.id } }, entity_id: id }
  }),
  byId(people.addPersonNote, 'update user', aPerson, { body: 'Wrote to us' }),
  drive(people.deletePersonNote, 'update user', async (world) => {
    const { id } = await world.person()
    const note = { params: { id }, body: { body: 'Wrote to us' } }
    const { body } = await world.admin.call(people.addPersonNote, note)
    return { input: { params: { id, note_id: body.id } }, entity_id: id }
  }),
  bulk('ban user', { kind: 'ban' }),
  bulk('unban user', { kind: 'unban' }, aBannedPerson),
  bulk('update user', { kind: 'role', role: 'editor' }),
  bulk('update subscription', { kind: 'plan', tier: 'premium' }),
  bulk('update subscription', { kind: 'status', status: 'active' }),
  bulk('update subscription', { kind: 'payment_method', payment_method: 'check' }, payingByHand),
  bulk('update subscription', { kind: 'note', note: 'Paid at the door' }),
]

type Billing = CallInput<typeof runBillingAction>['body']
const billing = (entry: AuditCase['entry'], fields: object, make = aPerson) =>
  drive(runBillingAction, entry, async (world) => {
    const user_id = await make(world)
    return { input: { body: { ...fields, user_id } as Billing }, entity_id: user_id }
  })

const billingEvent = (entry: AuditCase['entry']) =>
  drive(receiveBillingEvent, entry, async ({ name, person }) => {
    const { id } = await person()
    const key = name('event').replace(' ', '_')
    const created = Math.floor(Date.now() / 1000)
    const body = subscriptionEvent('created', {
      created,
      subscription: `sub_${key}`,
      customer: `cus_${key}`,
      userId: id,
    })
    return { input: { body: { ...body } }, entity_id: id }
  })

const promotionTerms = {
  off: { kind: 'percent', percent_off: 25 },
  duration: { kind: 'once' },
  max_uses: null,
  expires_at: null,
  is_first_time_only: false,
  plan: null,
} as const

const businessCases: AuditCase[] = [
  drive(exportAuditLog, 'export audit_log', async () => ({ input: {} })),
  drive(users.exportUsers, 'export user', async () => ({ input: {} })),
  drive(exportInsights, 'export insights', async () => ({
    input: { query: { what: 'days' as const, start: '2026-01-01', end: '2026-01-02' } },
  })),
  drive(runBillingAction, null, async () => ({
    input: { body: { action: 'list_subscriptions' as const } },
  })),
  billing(null, { action: 'get_subscription' }),
  billing(null, { action: 'list_payments' }),
  billing('update subscription', manual),
  billing('update subscription', {
    action: 'update_subscription',
    tier: 'premium',
    status: 'active',
  }),
  billing(
    'update subscription',
    { action: 'update_payment_method', payment_method: 'check' },
    payingByHand,
  ),
  billing('update subscription', { action: 'update_note', note: 'Paid at the door' }),
  billing('update subscription', {
    action: 'record_payment',
    kind: 'payment',
    amount_cents: 999,
    payment_method: 'cash',
  }),
  drive(refunds.refundPayment, 'update subscription', async ({ stripePayment }) => {
    const { user_id, payment_id } = await stripePayment()
    const body = { amount_cents: 100, refunded_cents: 0, reason: 'duplicate' as const }
    return { input: { body: { ...body, payment_id } }, entity_id: user_id }
  }),
  drive(refunds.endPersonSubscription, 'update subscription', async ({ stripePayment }) => {
    const { user_id: id } = await stripePayment()
    return { input: { params: { id }, body: { when: 'period_end' as const } }, entity_id: id }
  }),
  drive(refunds.listRefunds, null, async () => ({ input: {} })),
  drive(listCancellations, null, async () => ({ input: {} })),
  drive(prices.getPrices, null, async () => ({ input: {} })),
  drive(prices.setPrices, 'update settings', async () => ({
    input: {
      body: { currency: 'usd', monthly_cents: 999, yearly_cents: 9999, effective_on: null },
    },
    entity_id: '1',
  })),
  drive(prices.callOffPriceChange, 'update settings', async (world) => ({
    input: { params: { price_change_id: await openPriceChange(world) } },
    entity_id: '1',
  })),
  drive(prices.tryCheckout, null, async ({ admin }) => {
    await admin.call(stripe.setStripeKey, { body: { key: 'sk_test_456' } })
    return { input: {} }
  }),
  drive(voidReceipt, 'update subscription', async ({ admin, person }) => {
    const { id } = await person()
    const entry = { kind: 'payment', amount_cents: 999, payment_method: 'cash' } as const
    const body = { action: 'record_payment' as const, user_id: id, ...entry }
    const { payments } = (await admin.call(runBillingAction, { body })).body
    const number = payments?.[0]?.receipt_number ?? 0
    return { input: { params: { receipt_number: number } }, entity_id: id }
  }),
  drive(resendGift, 'update gift', async (world) => {
    const gift_id = await world.gift()
    return { input: { params: { gift_id } }, entity_id: gift_id }
  }),
  drive(voidReferral, 'update referral', async (world) => {
    const referral_id = await world.referral()
    return { input: { params: { referral_id } }, entity_id: referral_id }
  }),
  drive(promotions.createPromotionCode, 'create promotion_code', async ({ name }) => ({
    input: { body: { ...promotionTerms, code: name('CODE').replace(' ', '') } },
  })),
  drive(promotions.deactivatePromotionCode, 'update promotion_code', async ({ admin, name }) => {
    const body = { ...promotionTerms, code: name('CODE').replace(' ', '') }
    const { id } = (await admin.call(promotions.createPromotionCode, { body })).body
    return { input: { params: { promotion_code_id: id } }, entity_id: id }
  }),
  billingEvent('simulate subscription'),
  billingEvent('update subscription'),
  drive(updateSettings, 'update settings', async ({ admin }) => {
    const { updated_at: _, version: __, ...settings } = (await admin.call(getSettings, {})).body
    const changed = { ...settings, stripe_price_monthly: 'price_new' }
    return { input: { body: { action: 'update' as const, settings: changed } }, entity_id: '1' }
  }),
  drive(updateBranding, 'update settings', async () => ({
    input: { body: { branding: { tagline: 'Late songs.', accent: '#2b50ff' } } },
    entity_id: 'branding',
  })),
  drive(mailWords.setMailWords, 'update settings', async () => ({
    input: {
      params: { kind: 'welcome' as const },
      body: { ...noWords, subject: 'Come in, {{name}}' },
    },
    entity_id: 'mail/welcome',
  })),
  drive(setFigureMails, 'update settings', async () => ({
    input: { body: { is_on: true, weekday: 5, for_me: true } },
    entity_id: 'mail/figures',
  })),
  drive(mail.updateMailSettings, 'update settings', async () => ({
    input: { body: { settings: { reply_to: 'help@velour.test' } } },
    entity_id: 'mail',
  })),
  drive(bounces.updateBounceSettings, 'update settings', async () => ({
    input: { body: { settings: { bounce_address: 'bounces@velour.test' } } },
    entity_id: 'bounces',
  })),
  drive(legal.saveLegalPage, 'update settings', async () => ({
    input: { params: { slug: 'terms' }, body: { title: 'Terms', draft: 'Be kind.' } },
    entity_id: 'legal/terms',
  })),
  drive(legal.publishLegalPage, 'publish settings', async ({ admin }) => {
    const params = { slug: 'privacy' }
    await admin.call(legal.saveLegalPage, { params, body: { title: 'Privacy', draft: 'Little.' } })
    return { input: { params, body: {} }, entity_id: 'legal/privacy' }
  }),
  drive(legal.deleteLegalPage, 'delete settings', async ({ admin }) => {
    const params = { slug: 'imprint' }
    await admin.call(legal.saveLegalPage, { params, body: { title: 'Imprint', draft: 'Me.' } })
    return { input: { params }, entity_id: 'legal/imprint' }
  }),
  drive(setSetupHidden, 'update settings', async () => ({ input: { body: { is_hidden: true } } })),
  drive(leaveDemo, 'create user', async (world) => {
    await switchDemoOn(world)
    const email = `${randomUUID()}@velour.test`
    return { input: { body: { owner: { email, password: 'a quiet blue morning' } } } }
  }),
  drive(leaveDemo, 'update settings', async (world) => {
    await switchDemoOn(world)
    return { input: { body: { owner: null } }, entity_id: 'demo' }
  }),
  drive(startBackup, 'create job', async () => ({ input: {} })),
  drive(downloadBackup, 'export backup', async (world) => ({
    input: { params: { name: await world.storedBackup() } },
  })),
  byId(retryFailedJob, 'retry job', (world) => world.failedJob()),
  drive(retryFailedJobs, 'retry job', async (world) => ({
    input: {},
    entity_id: await world.failedJob(),
  })),
  drive(repairFiles, 'retry job', async () => ({ input: {} })),
  drive(mail.retryMails, 'retry job', async ({ admin }) => {
    await admin.call(mail.updateMailSettings, { body: { settings: { host: 'localhost' } } })
    return { input: {} }
  }),
  drive(mail.sendTestMail, null, async () => ({ input: {} })),
  drive(bounces.testBounceMailbox, null, async ({ admin }) => {
    const settings = { host: 'localhost', port: 9, user_name: 'ada', password: 'none' }
    await admin.call(bounces.updateBounceSettings, { body: { settings } })
    return { input: {} }
  }),
  drive(mailWords.previewMailWords, null, async () => ({
    input: { params: { kind: 'welcome' as const }, body: { ...noWords, theme: 'dark' as const } },
  })),
  drive(mailWords.testMailWords, null, async () => ({
    input: { params: { kind: 'welcome' as const }, body: noWords },
  })),
  byId(discardFailedJob, 'delete job', (world) => world.failedJob()),
]

/** Last, because other cases need the key. */
const stripeCases: readonly AuditCase[] = [
  drive(stripe.checkStripeKey, null, async () => ({ input: { body: { key: 'sk_test_456' } } })),
  drive(stripe.connectStripeWebhook, 'update settings', async () => ({
    input: {},
    entity_id: 'stripe',
  })),
  drive(stripe.setStripeKey, 'update settings', async () => ({
    input: { body: { key: 'sk_test_456' } },
    entity_id: 'stripe',
  })),
  drive(stripe.removeStripeKey, 'update settings', async ({ app }) => {
    const { query } = app.services.db
    await query.updateTable('stripe_subscriptions').set({ status: 'canceled' }).execute()
    await query.deleteFrom('refund_requests').execute()
    await query.deleteFrom('stripe_closures').execute()
    await query.deleteFrom('stripe_tasks').execute()
    return { input: {}, entity_id: 'stripe' }
  }),
]

const tokenCases: readonly AuditCase[] = [
  drive(createAccessToken, 'create access_token', async () => ({
    input: { body: { name: 'Script', scopes: ['read' as const] } },
  })),
  byId(revokeAccessToken, 'delete access_token', async ({ admin }) => {
    const body = { name: 'Script', scopes: ['admin' as const] }
    return (await admin.call(createAccessToken, { body })).body.data.id
  }),
]

const webhookBody = {
  url: 'https://hooks.example/in',
  event_types: ['member.joined' as const],
}

async function aWebhook({ admin }: AuditWorld): Promise<string> {
  return (await admin.call(webhooks.createWebhookEndpoint, { body: webhookBody })).body.data.id
}

const webhookCases: readonly AuditCase[] = [
  drive(webhooks.createWebhookEndpoint, 'create webhook', async () => ({
    input: { body: webhookBody },
  })),
  byId(webhooks.updateWebhookEndpoint, 'update webhook', aWebhook, { is_enabled: false }),
  byId(webhooks.deleteWebhookEndpoint, 'delete webhook', aWebhook),
  byId(webhooks.rotateWebhookSecret, 'update webhook', aWebhook),
  byId(webhooks.sendWebhookTest, 'simulate webhook', aWebhook),
  drive(webhooks.resendWebhookDelivery, 'retry webhook', async (world) => {
    const entity_id = await aWebhook(world)
    const sent = await world.admin.call(webhooks.sendWebhookTest, { params: { id: entity_id } })
    return { input: { params: { id: sent.body.data.delivery_id } }, entity_id }
  }),
]

/** The mail was sent an hour ago, so that it can be resent. */
async function anInvitation({ admin, app, name }: AuditWorld): Promise<string> {
  const body = { email: `${name('guest').replace(' ', '-')}@velour.test` }
  const { id } = (await admin.call(invitations.createInvitation, { body })).body
  const sent_at = new Date(Date.now() - 3_600_000).toISOString()
  const rows = app.services.db.query.updateTable('invitations')
  await rows.set({ sent_at }).where('id', '=', id).execute()
  return id
}

const invitationCases: readonly AuditCase[] = [
  drive(invitations.createInvitation, 'create invitation', async ({ name }) => ({
    input: {
      body: { email: `${name('guest').replace(' ', '-')}@velour.test`, role: 'editor' as const },
    },
  })),
  drive(invitations.createInvitations, 'create invitation', async ({ name }) => ({
    input: { body: { people: [{ email: `${name('guest').replace(' ', '-')}@velour.test` }] } },
  })),
  drive(invitations.previewInvitations, null, async () => ({
    input: { body: { csv: 'email\nguest@velour.test' } },
  })),
  byId(invitations.resendInvitation, 'update invitation', anInvitation),
  byId(invitations.revokeInvitation, 'delete invitation', anInvitation),
]

const announcementBody = { subject: 'News', body: 'Words', audience: 'all' as const }

/** A draft. */
async function anAnnouncement({ admin }: AuditWorld): Promise<string> {
  return (await admin.call(announcements.createAnnouncement, { body: announcementBody })).body.id
}

/** Somebody who agreed to announcements. */
async function aReader({ app }: AuditWorld): Promise<string> {
  const { id } = await app.makePerson()
  const { query } = app.services.db
  await query.updateTable('profiles').set({ email_verified: true }).where('id', '=', id).execute()
  await query.insertInto('news_preferences').values({ user_id: id, announcements: true }).execute()
  return id
}

const announcementCases: readonly AuditCase[] = [
  drive(announcements.createAnnouncement, 'create announcement', async () => ({
    input: { body: announcementBody },
  })),
  byId(announcements.updateAnnouncement, 'update announcement', anAnnouncement, announcementBody),
  byId(announcements.deleteAnnouncement, 'delete announcement', anAnnouncement),
  drive(announcements.previewAnnouncement, null, async () => ({
    input: { body: announcementBody },
  })),
  byId(announcements.sendAnnouncement, 'publish announcement', async (world) => {
    await aReader(world)
    return anAnnouncement(world)
  }),
  byId(announcements.resumeAddress, 'update user', async (world) => {
    const user_id = await aReader(world)
    await world.app.services.db.query
      .insertInto('refused_addresses')
      .values({ user_id, email: 'gone@velour.test', refusals: 3, reason: 'no such person' })
      .execute()
    return user_id
  }),
]

/** Each month is closed once. */
let closedYears = 0

/** A draft of the admin, as a creator's. */
async function ownDraft({ admin, app, track }: AuditWorld): Promise<string> {
  const id = await track()
  const rows = app.services.db.query.updateTable('tracks')
  await rows.set({ owner_id: admin.id }).where('id', '=', id).execute()
  return id
}

async function aReview(world: AuditWorld): Promise<{ id: string; entity_id: string }> {
  const track_id = await ownDraft(world)
  const { id } = (await world.admin.call(reviews.submitReview, { body: { track_id } })).body
  return { id, entity_id: track_id }
}

/** Of a release that becomes the admin's own. */
async function reviewOfRelease({ admin, app }: AuditWorld, release_id: string): Promise<string> {
  const rows = app.services.db.query.updateTable('releases')
  await rows.set({ owner_id: admin.id }).where('id', '=', release_id).execute()
  return (await admin.call(reviews.submitReview, { body: { release_id } })).body.id
}

async function aReleaseReview(world: AuditWorld): Promise<{ id: string; entity_id: string }> {
  const entity_id = await world.release()
  return { id: await reviewOfRelease(world, entity_id), entity_id }
}

const ownerCase = (kind: OwnedKind, make: (world: AuditWorld) => Promise<string>): AuditCase =>
  drive(changeOwners, `update ${kind}`, async (world) => {
    const id = await make(world)
    const creator = await world.app.makePerson({ role: 'creator' })
    return { input: { body: { items: [{ kind, id, owner_id: creator.id }] } }, entity_id: id }
  })

const creatorCases: readonly AuditCase[] = [
  ownerCase('track', (world) => world.track()),
  ownerCase('release', (world) => world.release()),
  ownerCase('artist', (world) => world.artist()),
  drive(findOwners, null, async (world) => ({
    input: { body: { items: [{ kind: 'track' as const, id: await world.track() }] } },
  })),
  drive(reviews.submitReview, 'update track', async (world) => {
    const track_id = await ownDraft(world)
    return { input: { body: { track_id } }, entity_id: track_id }
  }),
  drive(reviews.submitReview, 'update release', async (world) => {
    const release_id = await world.release()
    const { query } = world.app.services.db
    const owner_id = world.admin.id
    await query.updateTable('releases').set({ owner_id }).where('id', '=', release_id).execute()
    return { input: { body: { release_id } }, entity_id: release_id }
  }),
  drive(reviews.withdrawReview, 'update release', async (world) => {
    const { id, entity_id } = await aReleaseReview(world)
    return { input: { params: { id } }, entity_id }
  }),
  drive(reviews.publishReview, 'publish release', async (world) => {
    const { id, entity_id } = await aReleaseReview(world)
    return { input: { params: { id } }, entity_id }
  }),
  drive(reviews.publishReview, 'update track', async (world) => {
    const { id, track_id } = await publishedRelease(world, { audience: 'premium' as const }, false)
    const review = await reviewOfRelease(world, id)
    return { input: { params: { id: review } }, entity_id: track_id }
  }),
  drive(reviews.returnReview, 'update release', async (world) => {
    const { id, entity_id } = await aReleaseReview(world)
    return { input: { params: { id }, body: { answer: 'Too long' } }, entity_id }
  }),
  drive(reviews.withdrawReview, 'update track', async (world) => {
    const { id, entity_id } = await aReview(world)
    return { input: { params: { id } }, entity_id }
  }),
  drive(reviews.publishReview, 'publish track', async (world) => {
    const { id, entity_id } = await aReview(world)
    return { input: { params: { id } }, entity_id }
  }),
  drive(reviews.returnReview, 'update track', async (world) => {
    const { id, entity_id } = await aReview(world)
    return { input: { params: { id }, body: { answer: 'Too loud' } }, entity_id }
  }),
  drive(royalties.closeRoyalties, 'create royalty', async () => ({
    input: { body: { month: `19${String(++closedYears).padStart(2, '0')}-01` } },
  })),
  drive(royalties.exportRoyalties, 'export royalty', async () => ({
    input: { query: { month: '2026-10' } },
  })),
]

export const auditCases: readonly AuditCase[] = [
  ...tokenCases,
  ...catalogueCases,
  ...releaseCases,
  ...peopleCases,
  ...businessCases,
  ...webhookCases,
  ...invitationCases,
  ...announcementCases,
  ...creatorCases,
  ...stripeCases,
]
