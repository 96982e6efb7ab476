// Admins' notes about a person, which are deleted with the account. The audit log records that a note was added or
// deleted, but not its text.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/admin-people.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Handle } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { lockPerson } from './lock-person.ts'
import { namedPerson } from './named-person.ts'
import { requirePerson } from './person-page.ts'

const maxNotes = 500

export async function listPersonNotes(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.listPersonNotes>,
): Promise<Output<typeof contract.listPersonNotes>> {
  await requirePerson(ctx.db, params.id)
  const data = await selectNotes(ctx.db)
    .where('n.user_id', '=', params.id)
    .orderBy('n.created_at', 'desc')
    .orderBy('n.id', 'desc')
    .execute()
  return { data }
}

export async function addPersonNote(
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.addPersonNote>,
): Promise<Output<typeof contract.addPersonNote>> {
  return transaction(ctx.db, async (trx) => {
    await lockPerson(trx, params.id)
    const { count } = await trx.query
      .selectFrom('person_notes')
      .select(sql<number>`count(*)`.as('count'))
      .where('user_id', '=', params.id)
      .executeTakeFirstOrThrow()
    if (count >= maxNotes) throw new AppError('too_many_notes')
    const { id } = await trx.query
      .insertInto('person_notes')
      .values({
        user_id: params.id,
        author_id: ctx.actor.user_id,
        body: body.body,
        created_at: ctx.now().toISOString(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await auditNote(ctx, trx, params.id, 'added')
    return selectNotes(trx).where('n.id', '=', id).executeTakeFirstOrThrow()
  })
}

export async function deletePersonNote(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.deletePersonNote>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    await lockPerson(trx, params.id)
    const deleted = await trx.query
      .deleteFrom('person_notes')
      .where('id', '=', params.note_id)
      .where('user_id', '=', params.id)
      .executeTakeFirst()
    if (deleted.numDeletedRows === 0n) throw new AppError('not_found')
    await auditNote(ctx, trx, params.id, 'deleted')
  })
}

function auditNote(
  ctx: MemberContext,
  trx: Parameters<typeof writeAudit>[1],
  entity_id: string,
  internal_note: 'added' | 'deleted',
): Promise<void> {
  return writeAudit(ctx, trx, {
    action: 'update',
    entity: 'user',
    entity_id,
    after: { internal_note },
  })
}

function selectNotes(handle: Handle) {
  return handle.query
    .selectFrom('person_notes as n')
    .leftJoin('profiles as who', 'who.id', 'n.author_id')
    .select(['n.id', 'n.body', namedPerson.as('author'), 'n.created_at'])
}
