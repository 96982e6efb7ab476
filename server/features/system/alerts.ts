// Sends alerts by email and webhook: when a condition becomes true, once a day while it stays true, and when it becomes
// false. The state is in the database, so that several instances send each alert only once.
import { sql } from 'kysely'
import type { SystemStatus } from '#contract/admin/admin-system.ts'
import { demoAccounts } from '#contract/demo.ts'
import type { Branding } from '../settings/branding.ts'
import { transaction, type Database, type Transaction } from '../../platform/db/database.ts'
import { enqueueMail } from '../../platform/mail/mail-queue.ts'
import { alertMail } from '../../platform/mail/mail-texts.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import { alertConditions, type AlertCondition, type AlertServices } from './alert-conditions.ts'

export interface AlertNotice {
  name: string
  state: 'began' | 'continues' | 'resolved'
  message: string
  began_at: string
}

/** Slightly shorter than the time between two checks by one worker. */
const checkEvery = '55 seconds'
const remindAfter = '1 day'
const webhookTimeoutMs = 10_000

/** Runs the checks. Only one instance runs them in each minute; other calls do nothing. */
export async function checkAlerts(
  services: AlertServices & Pick<PlatformServices, 'jobs'>,
  conditions: readonly AlertCondition[] = alertConditions,
): Promise<void> {
  const { config, db, log } = services
  if (!(await claimRound(db))) return
  for (const condition of conditions) {
    const { name } = condition
    try {
      const message = await condition.check(services)
      const notice = await transaction(db, async (trx) => {
        const due = await saveState(trx, condition, message)
        if (due) await mailOwners(trx, services, condition.title, due)
        return due
      })
      if (notice === null) continue
      log.warn({ alert: name, state: notice.state }, notice.message)
      if (config.alertWebhook !== null) await postWebhook(services, config.alertWebhook, notice)
    } catch (error) {
      log.warn({ err: error, alert: name }, 'an alert could not be checked')
    }
  }
}

export async function listAlerts(db: Database): Promise<SystemStatus['alerts']> {
  const alerts = await db.query
    .selectFrom('alerts')
    .select(['name', 'message', 'began_at'])
    .orderBy('began_at')
    .orderBy('name')
    .execute()
  return alerts.map((alert) => ({ ...alert, title: getTitle(alert.name) }))
}

/** An instance of another version may have stored a condition that this version does not know. */
function getTitle(name: string): string {
  const known = alertConditions.find((condition) => condition.name === name)
  return known?.title ?? name.replaceAll('_', ' ')
}

async function claimRound(db: Database): Promise<boolean> {
  const { rows } = await sql`
    insert into alert_rounds default values
    on conflict (is_only) do update set checked_at = now()
      where alert_rounds.checked_at < now() - ${checkEvery}::interval
    returning is_only`.execute(db.query)
  return rows.length > 0
}

/**
 * Saves the result of a check and returns the notice to send, if any. A condition that is true in only one check may be
 * transient and is not reported.
 */
async function saveState(
  trx: Transaction,
  { name, resolved }: Pick<AlertCondition, 'name' | 'resolved'>,
  message: string | null,
): Promise<AlertNotice | null> {
  const known = await trx.query
    .selectFrom('alerts')
    .select(['began_at', 'notified_at'])
    .select(
      sql<boolean>`notified_at is null or notified_at < now() - ${remindAfter}::interval`.as(
        'is_due',
      ),
    )
    .where('name', '=', name)
    .forUpdate()
    .executeTakeFirst()
  if (!known) {
    if (message !== null) await trx.query.insertInto('alerts').values({ name, message }).execute()
    return null
  }
  const { began_at, notified_at, is_due } = known
  if (message === null) {
    await trx.query.deleteFrom('alerts').where('name', '=', name).execute()
    return notified_at === null ? null : { name, state: 'resolved', message: resolved, began_at }
  }
  await trx.query
    .updateTable('alerts')
    .set({ message, ...(is_due && { notified_at: sql<string>`now()` }) })
    .where('name', '=', name)
    .execute()
  if (!is_due) return null
  return { name, state: notified_at === null ? 'began' : 'continues', message, began_at }
}

async function mailOwners(
  trx: Transaction,
  services: AlertServices,
  title: string,
  notice: AlertNotice,
): Promise<void> {
  const site = {
    publicUrl: services.config.publicUrl,
    brandName: services.branding().brand_name,
  }
  const addresses = services.config.alertMailTo ?? (await findAdminAddresses(trx))
  for (const to of addresses) {
    await enqueueMail(trx, services, alertMail(to, site, title, notice))
  }
}

/** The email addresses of admins. Demo accounts are left out, because they have no mailbox. */
async function findAdminAddresses(trx: Transaction): Promise<string[]> {
  const admins = await trx.query
    .selectFrom('user_roles as r')
    .innerJoin('profiles as p', 'p.id', 'r.user_id')
    .select('p.email')
    .where('r.role', '=', 'admin')
    .where('p.banned_at', 'is', null)
    .orderBy('p.email')
    .execute()
  return admins
    .map(({ email }) => email)
    .filter((email) => !demoAccounts.some((account) => account.email === email))
}

/** Calls the webhook. Its URL may contain a token, so only its host is logged. */
async function postWebhook(
  { config, branding, log, now }: AlertServices,
  address: string,
  notice: AlertNotice,
): Promise<void> {
  const { host } = new URL(address)
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...describeService({ config, branding }),
        ...notice,
        at: now().toISOString(),
        text: formatText(branding(), notice),
      }),
      redirect: 'manual',
      signal: AbortSignal.timeout(webhookTimeoutMs),
    })
    await response.body?.cancel()
    if (response.ok) return
    log.warn(
      { host, status: response.status, alert: notice.name },
      'ALERT_WEBHOOK refused an alert',
    )
  } catch (error) {
    const reason =
      error instanceof Error
        ? error.cause instanceof Error
          ? error.cause.message
          : error.message
        : ''
    log.warn({ host, reason, alert: notice.name }, 'ALERT_WEBHOOK does not respond')
  }
}

const describeService = ({ config, branding }: Pick<AlertServices, 'config' | 'branding'>) => ({
  service: branding().brand_name,
  url: config.publicUrl,
})

/** Formats the field that Slack, Mattermost and others display. */
const formatText = ({ brand_name }: Branding, { message }: AlertNotice) =>
  `${brand_name}: ${message.replaceAll('\n', ' ')}`
