// For tests: the emails in the queue of a test app.
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { mail as mailSchema, type Mail } from '../platform/mail/mail-texts.ts'
import type { TestApp } from './test-app.ts'

/** Returns the queued emails, oldest first. */
export async function readQueuedMails({ services }: Pick<TestApp, 'services'>): Promise<Mail[]> {
  const { rows } = await sql<{ sealed: string }>`
    select data->>'sealed_mail' as sealed from jobs.job where name = 'send-mail'
     order by created_on, id`.execute(services.db.query)
  return rows.map(({ sealed }) =>
    z.parse(mailSchema, JSON.parse(services.secretBox.open(sealed) ?? 'null')),
  )
}
