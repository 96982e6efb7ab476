// Records the consent of new members to the terms linked in the sign-up form.
import { sql } from 'kysely'
import type { Handle } from '../../platform/db/database.ts'

/**
 * Does nothing if no terms are published. The address may belong to an older account, so this only applies to accounts
 * created within the last minute.
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
