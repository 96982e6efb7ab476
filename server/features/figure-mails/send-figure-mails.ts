// Emails a week's statistics to each admin. Each admin gets one email per week, even if several instances run this.
import { sql } from 'kysely'
import type { Config } from '../../platform/config/config.ts'
import { transaction, type Database } from '../../platform/db/database.ts'
import type { JobQueue } from '../../platform/jobs/job-queue.ts'
import { figuresMail } from '../../platform/mail/admin-mails.ts'
import { enqueueTrackedMail } from '../../platform/mail/mail-queue.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import { addDays, toUtcDay } from '../insights/roll-up-insights.ts'
import { createUnsubscribeLink } from '../news/unsubscribe.ts'
import { listMailableAdmins } from '../people/admin-addresses.ts'
import type { Branding } from '../settings/branding.ts'
import type { SettingsCache } from '../settings/settings-cache.ts'
import { readWeeklyFigures, type Week } from './weekly-figures.ts'

export interface FigureMailServices {
  db: Database
  config: Pick<Config, 'publicUrl'>
  branding: () => Pick<Branding, 'brand_name'>
  settings: Pick<SettingsCache, 'mail'>
  jobs: Pick<JobQueue, 'enqueue'>
  secretBox: SecretBox
  now: () => Date
}

const sendHour = 8
const hourMs = 3600_000
/**
 * How many days after the due day the email is still sent, in case the service was down. After that, the email is
 * skipped.
 */
const lateDays = 2
/**
 * Minimum number of days between two emails to an admin. When the weekday is changed, two reported weeks could overlap.
 */
const restDays = 4

/** Returns the seven days before the due day, or null if no email is due. */
export function findDueWeek(now: Date, weekday: number): Week | null {
  const due = new Date(now.getTime() - sendHour * hourMs)
  const today = ((due.getUTCDay() + 6) % 7) + 1
  const late = (today - weekday + 7) % 7
  if (late > lateDays) return null
  const day = addDays(toUtcDay(due), -late)
  return { start: addDays(day, -7), end: addDays(day, -1) }
}

/** Enqueues the due emails; called by the sweep. Returns how many. */
export async function sendFigureMails(services: FigureMailServices, now: Date): Promise<number> {
  const { db, settings } = services
  const { weekly_figures, figures_weekday } = settings.mail()
  const week = weekly_figures ? findDueWeek(now, figures_weekday) : null
  if (!week) return 0
  const people = await listDue(db, week)
  if (people.length === 0) return 0
  const facts = { ...week, ...(await readWeeklyFigures(db, week, now)) }
  let sent = 0
  for (const person of people) if (await sendTo(services, person, facts)) sent += 1
  return sent
}

async function listDue(db: Database, { start }: Week) {
  const admins = await listMailableAdmins(db)
  // Skip admins who joined after the week, because they have nothing to compare.
  const done = await sql<{ user_id: string }>`
    select r.user_id from user_roles r join profiles p on p.id = r.user_id
     where r.role = 'admin' and p.created_at >= ${start}::date + 7
    union
    select user_id from figure_mail_refusals
    union
    select user_id from figure_mails
     where week = ${start}::date or sent_at > now() - make_interval(days => ${restDays}::int)`.execute(
    db.query,
  )
  const doneIds = new Set(done.rows.map(({ user_id }) => user_id))
  return admins.filter(({ id }) => !doneIds.has(id))
}

/** Records the email and enqueues it in one transaction, so that only one instance sends it. */
function sendTo(
  services: FigureMailServices,
  { id, email }: { id: string; email: string },
  facts: Omit<Parameters<typeof figuresMail>[2], 'unsubscribe'>,
): Promise<boolean> {
  const { config, branding, secretBox } = services
  const site = { publicUrl: config.publicUrl, brandName: branding().brand_name }
  return transaction(services.db, async (trx) => {
    const claimed = await trx.query
      .insertInto('figure_mails')
      .values({ user_id: id, week: facts.start })
      .onConflict((conflict) => conflict.columns(['user_id', 'week']).doNothing())
      .returning('user_id')
      .executeTakeFirst()
    if (!claimed) return false
    const link = createUnsubscribeLink({ publicUrl: config.publicUrl, secretBox }, id, 'figures')
    const mail = figuresMail(email, site, { ...facts, unsubscribe: link })
    await enqueueTrackedMail(trx, services, mail, { user_id: id, kind: 'figures' })
    return true
  })
}
