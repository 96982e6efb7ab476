// What a creator may see: only their own content. Editors and admins see everything.
import { type RawBuilder, sql } from 'kysely'
import { grantsAccess } from '#contract/access.ts'
import type { Actor } from '../../platform/operations/context.ts'

type Caller = Pick<Actor, 'role' | 'user_id'>

/** The condition for the lists of the back office. `owner` is the column, such as `t.owner_id`. */
export function visibleToStaff(actor: Caller, owner: string): RawBuilder<boolean> {
  if (grantsAccess(actor.role, 'editor')) return sql<boolean>`true`
  return sql<boolean>`${sql.ref(owner)} = ${actor.user_id}`
}

/** Whether this person may open a draft: editors, admins, and the creator who owns it. */
export function mayOpenDraft(actor: Caller, ownerId: string | null): boolean {
  return grantsAccess(actor.role, 'editor') || isOwnOfCreator(actor, ownerId)
}

/** A creator who has lost the role has only a member's rights. */
export function isOwnOfCreator(actor: Caller, ownerId: string | null): boolean {
  return actor.role === 'creator' && ownerId === actor.user_id
}

/** Tracks counted for categories and genres: the counts reveal nothing about other creators' drafts. */
export function countedFor(actor: Caller, track: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${track}.is_published`)} or ${visibleToStaff(actor, `${track}.owner_id`)})`
}
