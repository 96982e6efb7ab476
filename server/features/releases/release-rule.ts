// The availability rule that a release applies to its tracks: who may play them, and early access. The rule is stored
// with each track, so lists, streams and apps read only the track's rule.
import type { Audience } from '#contract/fields/availability.ts'
import { sql, type RawBuilder } from 'kysely'
import { changedBy } from '../../platform/audit/changed-meanwhile.ts'
import { writeAuditEntries } from '../../platform/audit/write-audit.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { readDefaultAudience } from '../settings/default-audience.ts'

export interface Rule {
  audience: Audience
  early_access_days: number
  early_access_until: string | null
}

/** The least restrictive rule: available to all members, without early access. */
const openRule: Rule = { audience: 'members', early_access_days: 0, early_access_until: null }

/** The admin who sent the request. Null for changes by the service itself, such as scheduled publication. */
export type ChangeAuthor = MemberContext | null
export const serviceAuthor = { actor: null, ip: '' }

export function toRule({ audience, early_access_days, early_access_until }: Rule): Rule {
  return { audience, early_access_days, early_access_until }
}

export function isSameRule(one: Rule, other: Rule): boolean {
  return (
    one.audience === other.audience &&
    one.early_access_days === other.early_access_days &&
    one.early_access_until === other.early_access_until
  )
}

/** Locks the tracks of a release in id order, so that two changes of the same tracks do not deadlock. */
export async function lockReleaseTracks(trx: Transaction, releaseId: string): Promise<void> {
  await trx.query
    .selectFrom('tracks')
    .select('id')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('release_tracks').select('track_id').where('release_id', '=', releaseId),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Whether a rule excludes members without Premium, permanently or during early access. */
function isRestricted({ audience, early_access_days, early_access_until }: Rule): boolean {
  return audience === 'premium' || early_access_days > 0 || early_access_until !== null
}

/** Whether the track `t` is on no other published release `o` that matches the condition. */
function isOnNoOther(releaseId: string, such: RawBuilder<unknown>) {
  return sql<boolean>`not exists (
    select from release_tracks e join releases o on o.id = e.release_id
     where e.track_id = t.id and o.id <> ${releaseId} and o.is_published and ${such})`
}

export interface RuleChange {
  /** The rule to replace. Tracks with any other rule keep it. */
  from: Rule
  to: Rule
  /**
   * The time zone in which days of early access are counted. A track with a release date keeps the time zone of that
   * date.
   */
  zone: string | null
  now: Date
  /** The tracks to change. By default, all tracks of the release. */
  trackIds?: readonly string[]
}

/**
 * Applies the rule of a published release to tracks that have no rule of their own. These are tracks for members, and
 * tracks for everyone if that is the default audience. The caller must have locked the tracks.
 */
export async function applyFirstRule(
  trx: Transaction,
  author: ChangeAuthor,
  releaseId: string,
  change: Omit<RuleChange, 'from'>,
): Promise<void> {
  const audiences = new Set<Audience>(['members'])
  if ((await readDefaultAudience(trx)) === 'everyone') audiences.add('everyone')
  for (const audience of audiences) {
    await applyRule(trx, author, releaseId, { from: { ...openRule, audience }, ...change })
  }
}

/**
 * Applies the rule of a published release to its tracks. Tracks with their own rule keep it. If another release opens a
 * track to more people, that release's rule takes precedence. The caller must have locked the tracks.
 */
export async function applyRule(
  trx: Transaction,
  author: ChangeAuthor,
  releaseId: string,
  { from, to, zone, now, trackIds }: RuleChange,
): Promise<void> {
  if (isSameRule(from, to) || trackIds?.length === 0) return
  const at = now.toISOString()
  const followers = await trx.query
    .updateTable('tracks as t')
    .set({
      ...to,
      release_zone: sql<
        string | null
      >`case when t.release_at is null then ${zone} else t.release_zone end`,
      ...(author && changedBy(author)),
      updated_at: at,
    })
    .where('t.id', 'in', ({ selectFrom }) =>
      selectFrom('release_tracks').select('track_id').where('release_id', '=', releaseId),
    )
    .$if(trackIds !== undefined, (tracks) => tracks.where('t.id', 'in', trackIds ?? []))
    .where('t.deleted_at', 'is', null)
    .where('t.audience', '=', from.audience)
    .where('t.early_access_days', '=', from.early_access_days)
    .where(sql<boolean>`t.early_access_until is not distinct from ${from.early_access_until}`)
    .$if(isRestricted(to), (tracks) =>
      tracks.where(
        isOnNoOther(
          releaseId,
          sql`o.audience <> 'premium' and coalesce(o.early_access_until <= ${at}, true)`,
        ),
      ),
    )
    .$if(from.audience === 'everyone' && to.audience !== 'everyone', (tracks) =>
      tracks.where(isOnNoOther(releaseId, sql`o.audience = 'everyone'`)),
    )
    .returning('t.id')
    .execute()
  if (followers.length === 0) return
  await writeAuditEntries(
    author ?? serviceAuthor,
    trx,
    followers.map(({ id }) => ({
      action: 'update',
      entity: 'track',
      entity_id: id,
      before: from,
      after: { ...to, reason: 'it follows its release' },
    })),
  )
  await notify(trx, 'tracks')
}
