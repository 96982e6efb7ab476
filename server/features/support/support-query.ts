// Reads support threads with their messages and answers.
import { sql } from 'kysely'
import type { SupportPriority, AdminThread } from '#contract/admin/service/admin-support.ts'
import type { SupportMessage, SupportState, SupportThread } from '#contract/support.ts'
import type { Handle } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'

/**
 * The priority of messages by the person with profile `p`. An active subscription of any tier other than yearly counts
 * as Premium.
 */
export const supportPriority = sql<SupportPriority>`case
  when p.subscription_status <> 'active' then 'free'
  when p.subscription_tier = 'yearly' then 'yearly'
  else 'premium' end`

const readMessages = sql<SupportMessage[]>`(
  select json_agg(json_build_object('id', m.id, 'is_answer', m.is_answer, 'text', m.text,
         'created_at', to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
         order by m.created_at, m.id)
    from support_messages m where m.thread_id = t.id)`

const readMessagesWithNames = sql<AdminThread['messages']>`(
  select json_agg(json_build_object('id', m.id, 'is_answer', m.is_answer, 'text', m.text,
         'admin_name', coalesce(nullif(a.display_name, ''), a.email),
         'created_at', to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
         order by m.created_at, m.id)
    from support_messages m left join profiles a on a.id = m.admin_id where m.thread_id = t.id)`

const shownThreads = 50

export function readThreads(
  handle: Handle,
  userId: string,
  threadId?: string,
): Promise<SupportThread[]> {
  return handle.query
    .selectFrom('support_threads as t')
    .select(['t.id', 't.subject', 't.state', 't.last_message_at', 't.created_at'])
    .select(readMessages.as('messages'))
    .where('t.user_id', '=', userId)
    .$if(threadId !== undefined, (query) => query.where('t.id', '=', threadId!))
    .orderBy('t.last_message_at', 'desc')
    .orderBy('t.id', 'desc')
    .limit(shownThreads)
    .execute()
}

/** Reads a thread. Throws `message_not_found`, also if it belongs to another person. */
export async function findThread(
  handle: Handle,
  userId: string,
  threadId: string,
): Promise<SupportThread> {
  const [thread] = await readThreads(handle, userId, threadId)
  if (!thread) throw new AppError('message_not_found')
  return thread
}

export async function findAdminThread(handle: Handle, threadId: string): Promise<AdminThread> {
  const thread = await handle.query
    .selectFrom('support_threads as t')
    .innerJoin('profiles as p', 'p.id', 't.user_id')
    .select(['t.id', 't.subject', 't.state', 't.last_message_at', 't.created_at'])
    .select([
      readMessagesWithNames.as('messages'),
      supportPriority.as('priority'),
      sql<AdminThread['user']>`json_build_object('id', p.id, 'email', p.email,
        'display_name', p.display_name)`.as('user'),
    ])
    .where('t.id', '=', threadId)
    .executeTakeFirst()
  if (!thread) throw new AppError('message_not_found')
  return thread
}

/** The state of a thread after a message by the member or an answer by an admin. */
export const stateAfter = (isAnswer: boolean, closes = false): SupportState =>
  !isAnswer ? 'open' : closes ? 'closed' : 'answered'
