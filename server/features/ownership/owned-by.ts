// What a creator may see: their own. Editors and admins see everything.
import { type RawBuilder, sql } from 'kysely'
import { reaches } from '#contract/access.ts'
import type { Actor } from '../../platform/operations/context.ts'

type Caller = Pick<Actor, 'role' | 'user_id'>

/** The condition for the lists of the back office. `owner` is the column, such as `t.owner_id`. */
export function visibleToStaff(actor: Caller, owner: string): RawBuilder<boolean> {
  if (reaches(actor.role, 'editor')) return sql<boolean>`true`
  return sql<boolean>`${sql.ref(owner)} = ${actor.user_id}`
}

/** Whether this person may open a draft: those who edit the catalogue, and the creator it belongs to. */
export function mayOpenDraft(actor: Caller, ownerId: string | null): boolean {
  return reaches(actor.role, 'editor') || isOwnOfCreator(actor, ownerId)
}

/** A creator who lost the role keeps nothing but what members have. */
export function isOwnOfCreator(actor: Caller, ownerId: string | null): boolean {
  return actor.role === 'creator' && ownerId === actor.user_id
}

/** Tracks that the counts of categories and genres include: a creator learns nothing of others' drafts. */
export function countedFor(actor: Caller, track: string): RawBuilder<boolean> {
  return sql<boolean>`(${sql.ref(`${track}.is_published`)} or ${visibleToStaff(actor, `${track}.owner_id`)})`
}
