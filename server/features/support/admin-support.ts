// Support operations for admins: the inbox, sorted by priority, and answers, which are also sent by email.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/service/admin-support.ts'
import type { AdminThread, InboxRow } from '#contract/admin/service/admin-support.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { Config } from '../../platform/config/config.ts'
import { transaction } from '../../platform/db/database.ts'
import { searchPattern } from '../../platform/db/search-pattern.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { enqueueMail } from '../../platform/mail/mail-queue.ts'
import { supportReplyMail } from '../../platform/mail/member-mails.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import type { Branding } from '../settings/branding.ts'
import { addMessage, lockThread } from './support-operations.ts'
import { findAdminThread, supportPriority, stateAfter } from './support-query.ts'

export interface SupportServices {
  config: Pick<Config, 'publicUrl'>
  branding: () => Pick<Branding, 'brand_name' | 'contact_email'>
  jobs: Pick<JobQueue, 'enqueue'>
  secretBox: SecretBox
  now: () => Date
}

const excerptLength = 160

export async function listSupportInbox(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listSupportInbox>,
): Promise<Output<typeof contract.listSupportInbox>> {
  const { q = '', state, user_id, page, page_size } = query
  const pattern = searchPattern(q)
  const filtered = ctx.db.query
    .selectFrom('support_threads as t')
    .innerJoin('profiles as p', 'p.id', 't.user_id')
    .$if(state !== undefined, (threads) => threads.where('t.state', '=', state!))
    .$if(user_id !== undefined, (threads) => threads.where('t.user_id', '=', user_id!))
    .$if(q.trim() !== '', (threads) =>
      threads.where(
        sql<boolean>`(lower(t.subject) like ${pattern} or lower(p.email) like ${pattern}
          or lower(p.display_name) like ${pattern} or exists (
            select from support_messages m where m.thread_id = t.id and lower(m.text) like ${pattern}))`,
      ),
    )
  const { total } = await filtered
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  const data = await filtered
    .select(['t.id', 't.subject', 't.state', 't.waiting_since', 't.last_message_at'])
    .select([
      supportPriority.as('priority'),
      sql<InboxRow['user']>`json_build_object('id', p.id, 'email', p.email,
        'display_name', p.display_name)`.as('user'),
      sql<number>`(select count(*) from support_messages m where m.thread_id = t.id)`.as(
        'message_count',
      ),
      sql<string>`(select left(m.text, ${excerptLength}) from support_messages m
         where m.thread_id = t.id order by m.created_at desc, m.id desc limit 1)`.as('excerpt'),
    ])
    .orderBy(sql`(t.state = 'open')`, 'desc')
    .orderBy(
      sql`case when t.state = 'open' then array_position('{yearly,premium,free}', ${supportPriority}) end`,
    )
    .orderBy('t.waiting_since')
    .orderBy('t.last_message_at', 'desc')
    .orderBy('t.id')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  const { open_count } = await ctx.db.query
    .selectFrom('support_threads')
    .select(sql<number>`count(*)`.as('open_count'))
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return { data, pagination: paginate(query, total), open_count }
}

export function getSupportThread(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.getSupportThread>,
): Promise<AdminThread> {
  return findAdminThread(ctx.db, params.id)
}

/**
 * Saves an answer and queues its email in the same transaction, so neither is lost if the mail server is unreachable.
 */
export async function answerSupportThread(
  services: SupportServices,
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.answerSupportThread>,
): Promise<AdminThread> {
  const now = ctx.now().toISOString()
  const { config, branding } = services
  return transaction(ctx.db, async (trx) => {
    const thread = await lockThread(trx, params.id)
    await addMessage(trx, {
      thread_id: params.id,
      is_answer: true,
      admin_id: ctx.actor.user_id,
      text: body.text,
      created_at: now,
    })
    const state = stateAfter(true, body.closes)
    await trx.query
      .updateTable('support_threads')
      .set({ state, waiting_since: null, last_message_at: now })
      .where('id', '=', params.id)
      .execute()
    const answered = await findAdminThread(trx, params.id)
    const { brand_name, contact_email } = branding()
    const site = { publicUrl: config.publicUrl, brandName: brand_name }
    const { subject } = thread
    const facts = { subject, text: body.text, replyTo: contact_email }
    await enqueueMail(trx, services, supportReplyMail(answered.user.email, site, facts))
    // The audit entry contains no copy of the answer.
    await writeAudit(ctx, trx, {
      action: 'create',
      entity: 'support',
      entity_id: params.id,
      after: { user_id: thread.user_id, characters: body.text.length, state },
    })
    return answered
  })
}

export async function changeSupportThread(
  ctx: MemberContext,
  { params, body }: ParsedInput<typeof contract.changeSupportThread>,
): Promise<AdminThread> {
  return transaction(ctx.db, async (trx) => {
    const thread = await lockThread(trx, params.id)
    const waiting_since =
      body.state === 'open' ? (thread.waiting_since ?? ctx.now().toISOString()) : null
    await trx.query
      .updateTable('support_threads')
      .set({ state: body.state, waiting_since })
      .where('id', '=', params.id)
      .execute()
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'support',
      entity_id: params.id,
      before: { user_id: thread.user_id, state: thread.state },
      after: { user_id: thread.user_id, state: body.state },
    })
    return findAdminThread(trx, params.id)
  })
}
