// The last result of sending an email, shared by all instances.
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { readMailFailure } from './mail-failure.ts'
import { isPermanentRefusal } from './mailer.ts'

/** Updates the row at most once a minute while many emails are sent. */
export async function saveSent(db: Database): Promise<void> {
  await sql`
    update mail_state set sent_at = now(), failed_at = null, reason = null, reply = null
     where failed_at is not null or sent_at is null or sent_at < now() - interval '1 minute'`.execute(
    db.query,
  )
}

/** Saves a failure of the mail server. The refusal of a single recipient is not one. */
export async function saveFailure(db: Database, error: unknown): Promise<void> {
  if (isPermanentRefusal(error)) return
  const { reason, reply } = readMailFailure(error)
  await sql`update mail_state set failed_at = now(), reason = ${reason}, reply = ${reply}`.execute(
    db.query,
  )
}
