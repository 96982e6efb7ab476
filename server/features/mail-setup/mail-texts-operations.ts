// Lists, saves, previews and tests the owner's email texts, which replace the defaults.
import type * as contract from '#contract/admin/service/admin-mail-words.ts'
import type { MailWordsOfKind } from '#contract/admin/service/admin-mail-words.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import {
  findUnknownVariables,
  mailKindNames,
  mailKinds,
  listVariables,
  type MailKind,
  type MailWords,
} from '#contract/mail/mail-kinds.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import type { Config } from '../../platform/config/config.ts'
import { transaction, type Handle } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { chooseAccent, renderMailHtml, renderMailText } from '../../platform/mail/mail-layout.ts'
import { enqueueMail } from '../../platform/mail/mail-queue.ts'
import { createSampleMail } from '../../platform/mail/mail-samples.ts'
import { applyOwnerTexts } from '../../platform/mail/owner-texts.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import { mailLook, type Branding } from '../settings/branding.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'

export interface MailWordsServices {
  config: Config
  branding: () => Branding
  settings: SettingsCache
  jobs: Pick<JobQueue, 'enqueue'>
  secretBox: SecretBox
  now: () => Date
}

type Row = MailWords & { updated_at: string }

export async function listMailWords(
  services: MailWordsServices,
  ctx: MemberContext,
): Promise<Output<typeof contract.listMailWords>> {
  const rows = await ctx.db.query.selectFrom('mail_words').selectAll().execute()
  const data = mailKindNames.map((kind) =>
    present(services, ctx, kind, rows.find((row) => row.kind === kind) ?? null),
  )
  return { data }
}

export async function setMailWords(
  services: MailWordsServices,
  ctx: MemberContext,
  { params: { kind }, body }: ParsedInput<typeof contract.setMailWords>,
): Promise<MailWordsOfKind> {
  refuseUnknown(kind, body)
  const saved = await transaction(ctx.db, async (trx) => {
    const before = await readWords(trx, kind)
    const after = isDefault(body) ? null : { ...body, updated_at: ctx.now().toISOString() }
    if (after) {
      await trx.query
        .insertInto('mail_words')
        .values({ kind, ...after })
        .onConflict((conflict) => conflict.column('kind').doUpdateSet(after))
        .execute()
    } else {
      await trx.query.deleteFrom('mail_words').where('kind', '=', kind).execute()
    }
    await writeAudit(ctx, trx, {
      action: 'update',
      entity: 'settings',
      entity_id: `mail/${kind}`,
      before: audited(before),
      after: audited(after),
    })
    await notify(trx, 'settings')
    return after
  })
  await services.settings.reload()
  return present(services, ctx, kind, saved)
}

export async function previewMailWords(
  services: MailWordsServices,
  ctx: MemberContext,
  { params: { kind }, body }: ParsedInput<typeof contract.previewMailWords>,
): Promise<Output<typeof contract.previewMailWords>> {
  refuseUnknown(kind, body)
  const look = lookOf(services)
  const colors = { ...look, accent: chooseAccent(look, body.theme) }
  const mail = applyOwnerTexts(createSample(services, ctx, kind), body, colors)
  // Remove the style sheet, which the back office's content security policy blocks.
  const html = renderMailHtml(mail, look, body.theme).replace(/<style>[^<]*<\/style>/, '')
  return { subject: mail.subject, html, text: renderMailText(mail, look) }
}

export async function testMailWords(
  services: MailWordsServices,
  ctx: MemberContext,
  { params: { kind }, body }: ParsedInput<typeof contract.testMailWords>,
): Promise<void> {
  refuseUnknown(kind, body)
  const { own: _own, ...mail } = applyOwnerTexts(
    createSample(services, ctx, kind),
    body,
    lookOf(services),
  )
  await transaction(ctx.db, (trx) =>
    enqueueMail(trx, services, { ...mail, subject: `Test: ${mail.subject}` }),
  )
}

const lookOf = ({ config, branding, settings }: MailWordsServices) =>
  mailLook(config, branding(), settings.mail())

function createSample(
  { config, branding }: MailWordsServices,
  { actor }: MemberContext,
  kind: MailKind,
) {
  const site = { publicUrl: config.publicUrl, brandName: branding().brand_name }
  const mail = createSampleMail(kind, actor.email, site)
  return { ...mail, own: mail.own && { ...mail.own, values: { ...mail.own.values, name: 'Mia' } } }
}

function present(
  services: MailWordsServices,
  ctx: MemberContext,
  kind: MailKind,
  row: Row | null,
): MailWordsOfKind {
  const { subject, paragraphs, closing, own } = createSample(services, ctx, kind)
  const count = own?.replaces ?? 0
  return {
    kind,
    title: mailKinds[kind].title,
    variables: listVariables(kind),
    subject: row?.subject ?? null,
    opening: row?.opening ?? null,
    closing: row?.closing ?? null,
    updated_at: row?.updated_at ?? null,
    default_subject: subject,
    default_opening: paragraphs.slice(0, count).join('\n\n'),
    fixed: [...paragraphs.slice(count), closing],
  }
}

const isDefault = ({ subject, opening, closing }: MailWords) =>
  subject === null && opening === null && closing === null

/** Throws an error that lists the unknown variables, so that no member receives an email with a misspelled variable. */
function refuseUnknown(kind: MailKind, words: MailWords): void {
  const known = listVariables(kind)
    .map((name) => `{{${name}}}`)
    .join(', ')
  const details = (['subject', 'opening', 'closing'] as const).flatMap((field) =>
    findUnknownVariables(words[field] ?? '', kind).map((variable) => ({
      field: `body.${field}`,
      message: `${variable} is not a variable of this email. You can use ${known}.`,
    })),
  )
  if (details.length > 0) throw new AppError('invalid_input', { details })
}

async function readWords(handle: Handle, kind: MailKind): Promise<Row | null> {
  const row = await handle.query
    .selectFrom('mail_words')
    .select(['subject', 'opening', 'closing', 'updated_at'])
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

function audited(row: Row | null) {
  const { subject = null, opening = null, closing = null } = row ?? {}
  return { mail_subject: subject, mail_opening: opening, mail_closing: closing }
}
