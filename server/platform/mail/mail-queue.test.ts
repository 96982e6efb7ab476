import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import { getPerson } from '#contract/admin/admin-people.ts'
import { requestPasswordReset, resetPassword } from '#contract/auth.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { startTestSmtp, type TestSmtp } from '../../testing/test-smtp.ts'
import { startWorker } from '../../worker.ts'
import { createMailQueue } from './mail-queue.ts'
import { confirmAddressMail } from './mail-texts.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

async function startSite(
  smtpOptions: Parameters<typeof startTestSmtp>[0] = {},
): Promise<{ smtp: TestSmtp; site: TestApp; work: () => Promise<void> }> {
  const smtp = await startTestSmtp(smtpOptions)
  closers.push(smtp.close)
  const site = await createTestApp({ smtpUrl: smtp.url })
  closers.push(site.close)
  return {
    smtp,
    site,
    async work() {
      const worker = await startWorker(site.services)
      closers.push(worker.stop)
    },
  }
}

const requestReset = (site: TestApp, email: string) =>
  site.nobody.call(requestPasswordReset, { body: { email } })

async function mailJobs(site: TestApp): Promise<string[]> {
  const jobs = sql<{
    job: string
  }>`select row_to_json(j)::text as job from jobs.job j where name = 'send-mail'`
  return (await jobs.execute(site.services.db.query)).rows.map(({ job }) => job)
}

test('sends an email after two refusals, and deletes it from the queue', async () => {
  const { site, smtp, work } = await startSite({ refusals: 2 })
  const mia = await site.makePerson()
  expect((await requestReset(site, mia.email)).status).toBe(200)
  const waiting = await mailJobs(site)
  expect(waiting).toHaveLength(1)
  // The queued job contains neither the email address nor the link in readable form.
  expect(waiting[0]).not.toMatch(/token=|velour\.test/)

  await work()
  await expect.poll(() => smtp.received.length, { timeout: 15_000 }).toBe(1)
  expect(smtp.offered()).toBe(3)
  expect(smtp.received[0]?.recipients).toEqual([mia.email])
  await expect.poll(() => mailJobs(site)).toEqual([])
  const mail = await smtp.received[0]?.mail
  const token = new URL(/https?:\S+/.exec(mail?.text ?? '')?.[0] ?? '').searchParams.get('token')
  const body = { token: token ?? '', newPassword: 'a brand new password' }
  expect((await site.nobody.call(resetPassword, { body })).status).toBe(200)
})

test('gives up an email to an unknown address immediately and records it for admins', async () => {
  const { site, work } = await startSite({ unknownAddress: 'person-1@velour.test' })
  const mia = await site.makePerson()
  const boss = await site.makePerson({ role: 'admin' })
  await work()
  await requestReset(site, mia.email)
  const entries = async () => {
    const { body } = await boss.call(listAuditLog, {
      query: { entity: 'user', actor_id: 'system' },
    })
    return body.data
  }
  await expect.poll(entries, { timeout: 5000 }).toMatchObject([
    {
      actor_id: null,
      action: 'update',
      entity_id: mia.id,
      after: { undelivered_mail: 'Choose a new Velour password' },
    },
  ])
  // The audit log stores no email address. The person's name is added when entries are listed.
  const stored = (await entries()).map(({ before, after }) => [before, after])
  expect(JSON.stringify(stored)).not.toContain(mia.email)
  await expect.poll(() => mailJobs(site)).toEqual([])
  // Admins see the invalid address on the person's page.
  const { body: person } = await boss.call(getPerson, { params: { id: mia.id } })
  expect(person.mail_refusal).toMatchObject({ refusals: 1, is_suspended: false })
  expect(person.mail_refusal?.reason).toContain('no (address) here')
})

test('does not send an email whose link has expired', async () => {
  const { site, smtp, work } = await startSite()
  const yesterday = new Date(Date.now() - 25 * 3600 * 1000)
  const { db, jobs, secretBox } = site.services
  const mails = createMailQueue({
    db,
    jobs,
    secretBox,
    mailer: { sendsBySmtp: true },
    now: () => yesterday,
  })
  await mails.send(confirmAddressMail('late@example.com', 'Velour', 'https://music.example'))
  await work()
  await expect.poll(() => mailJobs(site), { timeout: 5000 }).toEqual([])
  expect(smtp.offered()).toBe(0)
})

test('responds to a reset request while the mail server does not respond', async () => {
  const { site, work } = await startSite({ silent: true })
  const mia = await site.makePerson()
  await work()
  expect((await requestReset(site, mia.email)).status).toBe(200)
  expect((await requestReset(site, 'stranger@example.com')).status).toBe(200)
  // The email is still queued, so neither response waited for the mail server.
  expect(await mailJobs(site)).toHaveLength(1)
})
