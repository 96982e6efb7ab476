// Audit cases of creators: owners, reviews and royalties.
import type { AuditWorld } from './audit-world.ts'
import { changeOwners, findOwners, type OwnedKind } from '#contract/creators/owners.ts'
import * as reviews from '#contract/creators/reviews.ts'
import * as royalties from '#contract/creators/royalties.ts'
import { type AuditCase, createAuditCase } from './audit-case.ts'
import { createPublishedRelease } from './catalogue-cases.ts'

/** Each month can be closed only once, so every case uses a different year. */
let closedYears = 0

/** Creates a draft that belongs to the admin, who here acts as a creator. */
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

/** Submits a release for review, which then belongs to the admin. */
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
  createAuditCase(changeOwners, `update ${kind}`, async (world) => {
    const id = await make(world)
    const creator = await world.app.makePerson({ role: 'creator' })
    return { input: { body: { items: [{ kind, id, owner_id: creator.id }] } }, entity_id: id }
  })

export const creatorCases: readonly AuditCase[] = [
  ownerCase('track', (world) => world.track()),
  ownerCase('release', (world) => world.release()),
  ownerCase('artist', (world) => world.artist()),
  createAuditCase(findOwners, null, async (world) => ({
    input: { body: { items: [{ kind: 'track' as const, id: await world.track() }] } },
  })),
  createAuditCase(reviews.submitReview, 'update track', async (world) => {
    const track_id = await ownDraft(world)
    return { input: { body: { track_id } }, entity_id: track_id }
  }),
  createAuditCase(reviews.submitReview, 'update release', async (world) => {
    const release_id = await world.release()
    const { query } = world.app.services.db
    const owner_id = world.admin.id
    await query.updateTable('releases').set({ owner_id }).where('id', '=', release_id).execute()
    return { input: { body: { release_id } }, entity_id: release_id }
  }),
  createAuditCase(reviews.withdrawReview, 'update release', async (world) => {
    const { id, entity_id } = await aReleaseReview(world)
    return { input: { params: { id } }, entity_id }
  }),
  createAuditCase(reviews.publishReview, 'publish release', async (world) => {
    const { id, entity_id } = await aReleaseReview(world)
    return { input: { params: { id } }, entity_id }
  }),
  createAuditCase(reviews.publishReview, 'update track', async (world) => {
    const { id, track_id } = await createPublishedRelease(
      world,
      { audience: 'premium' as const },
      false,
    )
    const review = await reviewOfRelease(world, id)
    return { input: { params: { id: review } }, entity_id: track_id }
  }),
  createAuditCase(reviews.returnReview, 'update release', async (world) => {
    const { id, entity_id } = await aReleaseReview(world)
    return { input: { params: { id }, body: { answer: 'Too long' } }, entity_id }
  }),
  createAuditCase(reviews.withdrawReview, 'update track', async (world) => {
    const { id, entity_id } = await aReview(world)
    return { input: { params: { id } }, entity_id }
  }),
  createAuditCase(reviews.publishReview, 'publish track', async (world) => {
    const { id, entity_id } = await aReview(world)
    return { input: { params: { id } }, entity_id }
  }),
  createAuditCase(reviews.returnReview, 'update track', async (world) => {
    const { id, entity_id } = await aReview(world)
    return { input: { params: { id }, body: { answer: 'Too loud' } }, entity_id }
  }),
  createAuditCase(royalties.closeRoyalties, 'create royalty', async () => ({
    input: { body: { month: `19${String(++closedYears).padStart(2, '0')}-01` } },
  })),
  createAuditCase(royalties.exportRoyalties, 'export royalty', async () => ({
    input: { query: { month: '2026-10' } },
  })),
]
