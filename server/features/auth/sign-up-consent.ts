// Records the consent of new members to the terms that the sign-up form linked.
import { sql } from 'kysely'
import type { Handle } from '../../platform/db/database.ts'

/**
 * Does nothing without published terms. The address may belong to an older account, so only accounts of the last minute
 * count.
 */
export async function recordSignUpConsent(db: Handle, email: string): Promise<void> {
  await sql`
    insert into terms_consents (user_id, number, way)
    select p.id, v.number, 'sign_up'
      from profiles p, legal_pages l, legal_versions v
     where p.email = ${email} and p.created_at > now() - interval '1 minute'
       and l.slug = 'terms' and l.is_shown and v.slug = l.slug
     order by v.number desc limit 1
    on conflict do nothing`.execute(db.query)
}
