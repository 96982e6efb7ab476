// Support operations for members: they write to the owner, add messages to a thread, and read the answers.
import type { ParsedInput, Output } from '#contract/endpoint.ts'
import type * as contract from '#contract/support.ts'
import { maxMessagesPerThread, maxOpenThreads, type SupportThread } from '#contract/support.ts'
import { transaction, type Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { findThread, readThreads, stateAfter } from './support-query.ts'

export async function listSupportThreads(
  ctx: MemberContext,
): Promise<Output<typeof contract.listSupportThreads>> {
  return { data: await readThreads(ctx.db, ctx.actor.user_id) }
}

export async function createSupportThread(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.createSupportThread>,
): Promise<SupportThread> {
  const { user_id } = ctx.actor
  const now = ctx.now().toISOString()
  return transaction(ctx.db, async (trx) => {
    await lockWriter(trx, user_id)
    const { open } = await trx.query
      .selectFrom('support_threads')
      .select((eb) => eb.fn.countAll<number>().as('open'))
      .where('user_id', '=', user_id)
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow()
    if (open >= maxOpenThreads) throw new AppError('too_many_messages')
    const { id } = await trx.query
      .insertInto('support_threads')
      .values({
        user_id,
        subject: body.subject,
        waiting_since: now,
        last_message_at: now,
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await addMessage(trx, { thread_id: id, is_answer: false, text: body.text, created_at: now })
    return findThread(trx, user_id, id)
  })
}

export async function addSupportMessage(
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.addSupportMessage>,
): Promise<SupportThread> {
  const { user_id } = ctx.actor
  const now = ctx.now().toISOString()
  return transaction(ctx.db, async (trx) => {
    const thread = await lockThread(trx, params.id)
    if (thread.user_id !== user_id) throw new AppError('message_not_found')
    await addMessage(trx, {
      thread_id: params.id,
      is_answer: false,
      text: body.text,
      created_at: now,
    })
    await trx.query
      .updateTable('support_threads')
      .set({
        state: stateAfter(false),
        waiting_since: thread.waiting_since ?? now,
        last_message_at: now,
      })
      .where('id', '=', params.id)
      .execute()
    return findThread(trx, user_id, params.id)
  })
}

/** Locks the member's row, so that concurrent messages are counted one after the other. */
async function lockWriter(trx: Transaction, userId: string): Promise<void> {
  await trx.query
    .selectFrom('profiles')
    .select('id')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .execute()
}

/** Locks a thread's row. Throws `message_not_found`. */
export async function lockThread(trx: Transaction, id: string) {
  const thread = await trx.query
    .selectFrom('support_threads')
    .select(['user_id', 'subject', 'state', 'waiting_since'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!thread) throw new AppError('message_not_found')
  return thread
}

interface NewMessage {
  thread_id: string
  is_answer: boolean
  admin_id?: string
  text: string
  created_at: string
}

/** Adds a message to a thread that the caller has locked or created. Throws `too_many_messages`. */
export async function addMessage(trx: Transaction, message: NewMessage): Promise<void> {
  const { count } = await trx.query
    .selectFrom('support_messages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('thread_id', '=', message.thread_id)
    .executeTakeFirstOrThrow()
  if (count >= maxMessagesPerThread) throw new AppError('too_many_messages')
  await trx.query.insertInto('support_messages').values(message).execute()
}
