// Checks access rights to playlists. Functions that change a playlist require a `ClaimedPlaylist`, which only
// claimPlaylist creates, so the compiler rejects changes without a check.
import { sql, type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import type { SubscriptionStatus } from '#contract/plans.ts'
import { getTrackLimit } from '../billing/entitlements.ts'
import type { Transaction } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'

/** A person's role in a playlist. People without a role can at most read the playlist. */
export type PlaylistRole = 'owner' | 'editor' | 'viewer'
/** `manage` covers the title, description, cover, visibility, members and deletion of a playlist. */
export type PlaylistRight = 'manage' | 'change_tracks'

const rights: Record<PlaylistRole, readonly PlaylistRight[]> = {
  owner: ['manage', 'change_tracks'],
  editor: ['change_tracks'],
  viewer: [],
}

const refusals = {
  manage: 'playlist_owner_only',
  change_tracks: 'playlist_read_only',
} as const satisfies Record<PlaylistRight, string>

export function roleAllows(role: PlaylistRole, right: PlaylistRight): boolean {
  return rights[role].includes(right)
}

declare const checked: unique symbol

/** A member's playlist that the signed-in person may change. Its row is locked until the transaction ends. */
export interface ClaimedPlaylist {
  readonly id: string
  readonly cover_id: string | null
  readonly owner_id: string
  readonly owner_status: SubscriptionStatus
  readonly is_smart: boolean
  /** Whether the owner shares the playlist with other people. */
  readonly is_shared: boolean
  readonly [checked]: true
}

/**
 * Locks the playlist and marks it as changed. This serializes concurrent changes of one playlist, so counts read
 * afterwards stay valid. Throws `playlist_not_found` for people without a role in the playlist, even if they may read
 * it. Throws `playlist_owner_only` or `playlist_read_only` if the role does not include the right, and
 * `playlist_is_smart` for changes of a smart playlist's tracks.
 */
export async function claimPlaylist(
  ctx: MemberContext,
  trx: Transaction,
  id: string,
  right: PlaylistRight,
): Promise<ClaimedPlaylist> {
  const me = ctx.actor.user_id
  const claimed = await trx.query
    .updateTable('playlists')
    .set({ updated_at: sql`now()` })
    .where('id', '=', id)
    .where('is_curated', '=', false)
    // Requests of people without a role must not be able to lock the playlist.
    .where((eb) => eb.or([eb('created_by', '=', me), isSharedWith(me)]))
    .returning([
      'id',
      'cover_id',
      'created_by as owner_id',
      sql<boolean>`rules is not null`.as('is_smart'),
      sql<boolean>`exists (select from playlist_members m where m.playlist_id = playlists.id)`.as(
        'is_shared',
      ),
    ])
    .executeTakeFirst()
  if (!claimed) throw new AppError('playlist_not_found')
  if (claimed.owner_id === me) {
    refuseSmart(claimed, right)
    return { ...claimed, owner_status: ctx.actor.subscription_status } as ClaimedPlaylist
  }
  const { role, owner_status } = await readMembership(trx, id, me)
  if (!roleAllows(role, right)) throw new AppError(refusals[right])
  refuseSmart(claimed, right)
  return { ...claimed, owner_status, is_shared: true } as ClaimedPlaylist
}

/** Throws for a change of a smart playlist's tracks, because its rules determine them. */
function refuseSmart({ is_smart }: { is_smart: boolean }, right: PlaylistRight): void {
  if (is_smart && right === 'change_tracks') throw new AppError('playlist_is_smart')
}

/** Reads the person's role. Call after taking the lock, because the person may have been removed in the meantime. */
async function readMembership(trx: Transaction, id: string, userId: string) {
  const found = await trx.query
    .selectFrom('playlist_members as m')
    .innerJoin('playlists as p', 'p.id', 'm.playlist_id')
    .innerJoin('profiles as owner', 'owner.id', 'p.created_by')
    .select(['m.role', 'owner.subscription_status as owner_status'])
    .where('m.playlist_id', '=', id)
    .where('m.user_id', '=', userId)
    .executeTakeFirst()
  if (!found) throw new AppError('playlist_not_found')
  return found
}

/**
 * Throws if a playlist grows beyond the plan's limit. It may contain at most as many tracks as the plans of both its
 * owner and the signed-in person allow.
 */
export function refuseTooManyTracks(
  ctx: MemberContext,
  ownerStatus: SubscriptionStatus,
  count: number,
): void {
  if (count > getTrackLimit(ctx.actor)) throw new AppError('track_limit_reached')
  if (count > getTrackLimit({ role: 'member', subscription_status: ownerStatus })) {
    throw new AppError('owner_track_limit_reached')
  }
}

function isSharedWith(userId: string) {
  return sql<boolean>`exists (
    select from playlist_members m where m.playlist_id = playlists.id and m.user_id = ${userId}::uuid)`
}

/**
 * A condition: playlists that a member may open. These are their own, those shared with them, public ones and visible
 * curated ones.
 */
export function isReadableBy(userId: string) {
  return (eb: ExpressionBuilder<Tables, 'playlists'>): Expression<SqlBool> =>
    eb.or([
      eb.and([eb('playlists.created_by', '=', userId), eb('playlists.is_curated', '=', false)]),
      eb.and([
        eb('playlists.is_visible', '=', true),
        eb.or([eb('playlists.is_curated', '=', true), eb('playlists.is_public', '=', true)]),
      ]),
      eb.and([eb('playlists.is_curated', '=', false), isSharedWith(userId)]),
    ])
}
