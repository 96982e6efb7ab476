// Announcements (emails from the owner to members) in the back office: drafts, previews, test emails and sending.
import { sql } from 'kysely'
import type * as contract from '#contract/announcements.ts'
import type { AnnouncementAudience } from '#contract/announcements.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { paginate } from '#contract/fields/pagination.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import { renderMailHtml, renderMailText } from '../../platform/mail/mail-layout.ts'
import { enqueueMail } from '../../platform/mail/mail-queue.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { NewsMailServices } from '../news/send-news-mails.ts'
import { createUnsubscribeLink } from '../news/unsubscribe.ts'
import { mailLook, type Branding } from '../settings/branding.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import type { Config } from '../../platform/config/config.ts'
import { composeAnnouncement } from './announcement-mail.ts'
import { selectAnnouncements, findAnnouncement, isRecipient } from './announcement-query.ts'

export interface AnnouncementServices extends NewsMailServices {
  config: Pick<Config, 'publicUrl' | 'brandName' | 'mailFrom' | 'isMailFromSet'>
  settings: Pick<SettingsCache, 'current' | 'mail'>
  branding: () => Branding
}

export async function listAnnouncements(
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.listAnnouncements>,
): Promise<Output<typeof contract.listAnnouncements>> {
  const { page, page_size } = query
  const { total } = await ctx.db.query
    .selectFrom('announcements')
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow()
  const data = await selectAnnouncements(ctx.db)
    .orderBy('a.created_at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(page_size)
    .offset((page - 1) * page_size)
    .execute()
  return { data, pagination: paginate(query, total) }
}

export async function createAnnouncement(
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.createAnnouncement>,
): Promise<Output<typeof contract.createAnnouncement>> {
  return transaction(ctx.db, async (trx) => {
    const { id } = await trx.query
      .insertInto('announcements')
      .values({ ...body, created_by: ctx.actor.user_id, created_at: ctx.now().toISOString() })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit(ctx, trx, id, 'create', toAuditFields(body))
    return findAnnouncement(trx, id)
  })
}

export async function updateAnnouncement(
  ctx: MemberContext,
  { params: { id }, body }: ParsedInput<typeof contract.updateAnnouncement>,
): Promise<Output<typeof contract.updateAnnouncement>> {
  return transaction(ctx.db, async (trx) => {
    await lockDraft(trx, id)
    await trx.query.updateTable('announcements').set(body).where('id', '=', id).execute()
    await audit(ctx, trx, id, 'update', toAuditFields(body))
    return findAnnouncement(trx, id)
  })
}

export async function deleteAnnouncement(
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.deleteAnnouncement>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const draft = await lockDraft(trx, id)
    await trx.query.deleteFrom('announcements').where('id', '=', id).execute()
    await audit(ctx, trx, id, 'delete', toAuditFields(draft))
  })
}

export async function previewAnnouncement(
  services: AnnouncementServices,
  ctx: MemberContext,
  { body }: ParsedInput<typeof contract.previewAnnouncement>,
): Promise<Output<typeof contract.previewAnnouncement>> {
  const { config, branding, settings } = services
  const mail = composeEmail(services, ctx, body)
  const look = mailLook(config, branding(), settings.mail())
  return { html: renderMailHtml(mail, look), text: renderMailText(mail, look) }
}

export async function testAnnouncement(
  services: AnnouncementServices,
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.testAnnouncement>,
): Promise<void> {
  const words = await findAnnouncement(ctx.db, id)
  const mail = composeEmail(services, ctx, { ...words, subject: `Test: ${words.subject}` })
  await transaction(ctx.db, (trx) => enqueueMail(trx, services, mail))
}

function composeEmail(
  { config, branding, secretBox }: AnnouncementServices,
  { actor }: MemberContext,
  words: { subject: string; body: string },
) {
  const { publicUrl } = config
  const site = { publicUrl, brandName: branding().brand_name }
  const link = createUnsubscribeLink({ publicUrl, secretBox }, actor.user_id, 'announcements')
  return composeAnnouncement(actor.email, words, site, link)
}

export async function countAnnouncementRecipients(
  { settings }: Pick<AnnouncementServices, 'settings'>,
  ctx: MemberContext,
  { query }: ParsedInput<typeof contract.countAnnouncementRecipients>,
): Promise<Output<typeof contract.countAnnouncementRecipients>> {
  const count = await countRecipients(ctx.db, query.audience)
  return { count, minutes: Math.ceil(count / settings.current().news_mails_per_minute) }
}

async function countRecipients(handle: Handle, audience: AnnouncementAudience): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from news_preferences n join profiles p on p.id = n.user_id
     where ${isRecipient(audience)}`.execute(handle.query)
  return rows[0]?.count ?? 0
}

/**
 * Stores the recipients and marks the announcement as sent; the worker then sends the emails. Throws
 * `announcement_sent` on a second call.
 */
export async function sendAnnouncement(
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.sendAnnouncement>,
): Promise<Output<typeof contract.sendAnnouncement>> {
  return transaction(ctx.db, async (trx) => {
    const draft = await lockDraft(trx, id)
    if (draft.body.trim() === '') throw new AppError('announcement_empty')
    const { rows } = await sql<{ user_id: string }>`
      insert into announcement_recipients (announcement_id, user_id)
      select ${id}, p.id from news_preferences n join profiles p on p.id = n.user_id
       where ${isRecipient(draft.audience)}
      returning user_id`.execute(trx.query)
    if (rows.length === 0) throw new AppError('announcement_no_recipients')
    await trx.query
      .updateTable('announcements')
      .set({ sent_at: ctx.now().toISOString(), recipient_count: rows.length })
      .where('id', '=', id)
      .execute()
    await audit(ctx, trx, id, 'publish', { ...toAuditFields(draft), recipients: rows.length })
    return findAnnouncement(trx, id)
  })
}

/** Locks and returns a draft. Throws `not_found` and `announcement_sent`. */
async function lockDraft(trx: Transaction, id: string) {
  const row = await trx.query
    .selectFrom('announcements')
    .select(['subject', 'body', 'audience', 'sent_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  if (row.sent_at !== null) throw new AppError('announcement_sent')
  return row
}

function toAuditFields({
  subject,
  body,
  audience,
}: {
  subject: string
  body: string
  audience: AnnouncementAudience
}) {
  return { subject, audience, characters: body.length }
}

function audit(
  ctx: MemberContext,
  trx: Transaction,
  entity_id: string,
  action: 'create' | 'update' | 'delete' | 'publish',
  facts: object,
): Promise<void> {
  const side = action === 'delete' ? { before: facts } : { after: facts }
  return writeAudit(ctx, trx, { action, entity: 'announcement', entity_id, ...side })
}
