// Defines what a creator may see: only their own content. Editors and admins see everything.
import { type RawBuilder, sql } from 'kysely'
import { grantsAccess } from '#contract/access.ts'
import type { Actor } from '../../platform/operations/context.ts'

type Caller = Pick<Actor, 'role' | 'user_id'>

/**
 * Returns the SQL condition for lists in the back office. `owner` is the name of the owner column, such as
 * `t.owner_id`.
 */
export function visibleToStaff(actor: Caller, owner: string): RawBuilder<boolean> {
  if (grantsAccess(actor.role, 'editor')) return sql<boolean>`true`
  return sql<boolean>`${sql.ref(owner)} = ${actor.user_id}`
}

/** Whether this person may open a draft. Editors and admins may, and the creator who owns it. */
export function canOpenDraft(actor: Caller, ownerId: string | null): boolean {
  return grantsAccess(actor.role, 'editor') || isOwnedByCreator(actor, ownerId)
}

/**
 * Whether this person is a creator and owns the item. False for a person who has lost the creator role, even for their
 * own items.
 */
export function isOwnedByCreator(actor: Caller, ownerId: string | null): boolean {
  return actor.role === 'creator' && ownerId === actor.user_id
}

/**
 * Whether a track is counted for categories and genres. Other creators' drafts are not, so that the counts do not
 * reveal them.
 */
export function isCountedFor(actor: Caller, track: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${track}.is_published`)} or ${visibleToStaff(actor, `${track}.owner_id`)})`
}
