// Reads the list of published legal pages, and the newest version of the terms that requires consent. Cached together
// with the settings.
import { sql } from 'kysely'
import type { LegalLink } from '#contract/legal.ts'
import type { Handle } from '../../platform/db/database.ts'

export interface LegalIndex {
  pages: LegalLink[]
  /** The version of the terms to which members must consent. Null if none requires consent. */
  consentNumber: number | null
}

export async function readLegalIndex(handle: Handle): Promise<LegalIndex> {
  const { rows } = await sql<LegalLink & { consent_number: number | null }>`
    select p.slug, newest.title, asking.consent_number
      from legal_pages p
      join lateral (select title from legal_versions v
                     where v.slug = p.slug order by number desc limit 1) newest on true,
      lateral (select max(number) as consent_number from legal_versions v
                where v.slug = p.slug and v.asks_consent) asking
     where p.is_shown order by lower(newest.title), p.slug`.execute(handle.query)
  return {
    pages: rows.map(({ slug, title }) => ({ slug, title })),
    consentNumber: rows.find(({ slug }) => slug === 'terms')?.consent_number ?? null,
  }
}
