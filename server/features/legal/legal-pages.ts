// Legal pages in the back office: drafts that admins edit, and published versions that never change.
import { sql } from 'kysely'
import type * as contract from '#contract/admin/admin-legal.ts'
import type { AdminLegalPage } from '#contract/admin/admin-legal.ts'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { isUnfinished } from '#contract/legal-templates.ts'
import { changedBy, refuseStale } from '../../platform/audit/changed-meanwhile.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'

export interface LegalServices {
  settings: SettingsCache
}

export async function listLegalPages(
  ctx: MemberContext,
): Promise<Output<typeof contract.listLegalPages>> {
  return { data: await readPages(ctx.db) }
}

export async function saveLegalPage(
  services: LegalServices,
  ctx: MemberContext,
  { params: { slug }, body }: ParsedInput<typeof contract.saveLegalPage>,
): Promise<AdminLegalPage> {
  const { version, ...fields } = body
  const saved = await transaction(ctx.db, async (trx) => {
    await trx.query
      .insertInto('legal_pages')
      .values({ slug, ...fields, ...changedBy(ctx) })
      .onConflict((conflict) => conflict.column('slug').doNothing())
      .execute()
    const before = await lockPage(trx, slug)
    await refuseStale(trx, before, version, () => findLegalPage(trx, slug))
    await trx.query
      .updateTable('legal_pages')
      .set({ ...fields, ...changedBy(ctx) })
      .where('slug', '=', slug)
      .execute()
    await audit(ctx, trx, slug, 'update', {
      before: toAuditValues(before),
      after: toAuditValues(fields),
    })
    return findLegalPage(trx, slug)
  })
  await services.settings.reload()
  return saved
}

/** Publishes the current draft of a legal page as its next version. */
export async function publishLegalPage(
  services: LegalServices,
  ctx: MemberContext,
  { params: { slug }, body }: ParsedInput<typeof contract.publishLegalPage>,
): Promise<AdminLegalPage> {
  const published = await transaction(ctx.db, async (trx) => {
    const page = await lockPage(trx, slug)
    await refuseStale(trx, page, body.version, () => findLegalPage(trx, slug))
    if (isUnfinished(page.draft) || page.draft.trim() === '') {
      throw new AppError('legal_page_unfinished')
    }
    const asks_consent = slug === 'terms' && body.asks_consent === true
    const { number } = await trx.query
      .insertInto('legal_versions')
      .values({
        slug,
        number: sql<number>`(select coalesce(max(number), 0) + 1 from legal_versions where slug = ${slug})`,
        title: page.title,
        body: page.draft,
        asks_consent,
        published_at: ctx.now().toISOString(),
        published_by: ctx.actor.user_id,
      })
      .returning('number')
      .executeTakeFirstOrThrow()
    await trx.query
      .updateTable('legal_pages')
      .set({ is_shown: true, ...changedBy(ctx) })
      .where('slug', '=', slug)
      .execute()
    await audit(ctx, trx, slug, 'publish', { after: { number, title: page.title, asks_consent } })
    return findLegalPage(trx, slug)
  })
  await services.settings.reload()
  return published
}

export async function deleteLegalPage(
  services: LegalServices,
  ctx: MemberContext,
  { params: { slug } }: ParsedInput<typeof contract.deleteLegalPage>,
): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const page = await lockPage(trx, slug)
    if ((await findLegalPage(trx, slug)).versions.length > 0)
      throw new AppError('legal_page_published')
    await trx.query.deleteFrom('legal_pages').where('slug', '=', slug).execute()
    await audit(ctx, trx, slug, 'delete', { before: toAuditValues(page) })
  })
  await services.settings.reload()
}

async function lockPage(trx: Transaction, slug: string) {
  const page = await trx.query
    .selectFrom('legal_pages')
    .selectAll()
    .where('slug', '=', slug)
    .forUpdate()
    .executeTakeFirst()
  if (!page) throw new AppError('legal_page_not_found')
  return page
}

/** The values for an audit entry. They do not contain the text, because published versions are never deleted. */
function toAuditValues({
  title,
  draft,
  is_shown,
}: {
  title: string
  draft: string
  is_shown?: boolean | undefined
}) {
  return { title, characters: draft.length, ...(is_shown !== undefined && { is_shown }) }
}

async function audit(
  ctx: MemberContext,
  trx: Transaction,
  slug: string,
  action: 'update' | 'publish' | 'delete',
  facts: { before?: object; after?: object },
): Promise<void> {
  const entry = { action, entity: 'settings', entity_id: `legal/${slug}` } as const
  await writeAudit(ctx, trx, { ...entry, ...facts })
  await notify(trx, 'settings')
}

async function findLegalPage(handle: Handle, slug: string): Promise<AdminLegalPage> {
  const [page] = await readPages(handle, slug)
  if (!page) throw new AppError('legal_page_not_found')
  return page
}

async function readPages(handle: Handle, slug: string | null = null): Promise<AdminLegalPage[]> {
  const { rows } = await sql<AdminLegalPage>`
    select p.slug, p.title, p.draft, p.is_shown, p.version,
           coalesce(newest.title <> p.title or newest.body <> p.draft, true) as is_changed,
           (select coalesce(json_agg(json_build_object('number', v.number, 'title', v.title,
                   'published_at', to_char(v.published_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                   'asks_consent', v.asks_consent,
                   'consents', (select count(*) from terms_consents c
                                 where c.slug = v.slug and c.number = v.number)) order by v.number desc), '[]')
              from legal_versions v where v.slug = p.slug) as versions
      from legal_pages p
      left join lateral (select title, body from legal_versions v
                          where v.slug = p.slug order by number desc limit 1) newest on true
     where ${slug}::text is null or p.slug = ${slug}
     order by p.created_at, p.slug`.execute(handle.query)
  return rows
}
