// Slugs of releases. A release keeps its former slugs, so that old links work.
import { sql } from 'kysely'
import { toSlug } from '#contract/fields/slug.ts'
import { lockByName, lockNames } from '../../platform/db/advisory-locks.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Derives a slug from the title that no release has or had. Concurrent callers wait until this transaction ends. */
export async function chooseSlug(trx: Transaction, title: string): Promise<string> {
  await lockByName(trx, lockNames.releaseSlugs())
  const derived = toSlug(title)
  const base = derived === '' || uuid.test(derived) ? `release${derived && '-'}${derived}` : derived
  const { rows } = await sql<{ slug: string }>`
    select slug from releases where slug = ${base} or slug like ${`${base}-%`}
    union select slug from release_slugs where slug = ${base} or slug like ${`${base}-%`}`.execute(
    trx.query,
  )
  const taken = new Set(rows.map(({ slug }) => slug))
  let slug = base
  for (let number = 2; taken.has(slug); number++) slug = `${base}-${number}`
  return slug
}

/**
 * Changes a release's slug. Throws `release_slug_taken` if another release has or had the new one. The old slug
 * redirects to the release afterwards.
 */
export async function changeSlug(
  trx: Transaction,
  release: { id: string; slug: string },
  slug: string,
): Promise<void> {
  if (slug === release.slug) return
  await lockByName(trx, lockNames.releaseSlugs())
  const { rows } = await sql`
    select from releases where slug = ${slug}
    union all select from release_slugs where slug = ${slug} and release_id <> ${release.id}`.execute(
    trx.query,
  )
  if (rows.length > 0 || uuid.test(slug)) throw new AppError('release_slug_taken')
  await trx.query.deleteFrom('release_slugs').where('slug', '=', slug).execute()
  await trx.query
    .insertInto('release_slugs')
    .values({ slug: release.slug, release_id: release.id })
    .execute()
  await trx.query.updateTable('releases').set({ slug }).where('id', '=', release.id).execute()
}
