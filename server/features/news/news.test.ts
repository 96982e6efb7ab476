// Tests news about tracks and releases, from the publication to the mailbox of a local mail server.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { followArtist } from '#contract/artists.ts'
import { getNewsPreferences, updateNewsPreferences } from '#contract/news.ts'
import { updateAdminTrack } from '#contract/admin/admin-tracks.ts'
import { sendQueuedMail } from '../../platform/mail/mail-queue.ts'
import { readQueuedMails } from '../../testing/queued-mails.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { publishDueTracks } from '../tracks/publish-due-tracks.ts'
import { openNews } from './open-news.ts'
import { sendNewsMails } from './send-news-mails.ts'

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(() => app.close())
beforeEach(async () => {
  const { query } = app.services.db
  await query.deleteFrom('news_preferences').execute()
  await query.deleteFrom('tracked_mails').execute()
  await query.deleteFrom('news_items').execute()
  await sql`delete from jobs.job`.execute(query)
})

interface Reader {
  tier?: 'premium'
  release_mail?: 'each' | 'weekly' | 'off'
  follows_everything?: boolean
  confirmed?: boolean
}

async function makeReader({ tier, confirmed = true, ...choices }: Reader = {}): Promise<Person> {
  const person = await app.makePerson({ tier: tier ?? 'free' })
  await app.services.db.query
    .updateTable('profiles')
    .set({ email_verified: confirmed })
    .where('id', '=', person.id)
    .execute()
  const body = { release_mail: 'each', follows_everything: true, ...choices } as const
  expect((await person.call(updateNewsPreferences, { body })).status).toBe(200)
  return person
}

async function makeTrack(title: string, values: object = {}): Promise<string> {
  const row = { title, artist: 'Ada', is_published: true, processing_status: 'ready' as const }
  const { id } = await app.services.db.query
    .insertInto('tracks')
    .values({ ...row, ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function makeRelease(title: string, trackId: string): Promise<string> {
  const { query } = app.services.db
  const { rows } = await sql<{ id: string }>`
    insert into releases (kind, title, artist, slug, is_published)
    values ('album', ${title}, 'Ada', ${title.toLowerCase().replaceAll(' ', '-')}, false)
    returning id`.execute(query)
  const id = rows[0]!.id
  await sql`insert into release_tracks (release_id, track_id, disc, position) values (${id}, ${trackId}, 1, 1)`.execute(
    query,
  )
  return id
}

const now = () => sql<string>`now()`
/** Runs the worker's steps: opens news items, and sends the emails. */
async function work(): Promise<void> {
  await openNews(app.services.db)
  while ((await sendNewsMails(app.services)) > 0);
}
const mails = async () =>
  (await readQueuedMails(app)).map(({ to, subject, items }) => ({
    to,
    subject,
    titles: items?.map(({ title }) => title),
  }))
/** Moves sent emails into the past, beyond the minimum interval between two emails to one person. */
const later = (interval = '11 minutes') =>
  sql`update tracked_mails set created_at = created_at - ${interval}::interval`.execute(
    app.services.db.query,
  )

test('emails a published track once to members who consented, and to nobody else', async () => {
  const all = await makeReader()
  await makeReader({ release_mail: 'off' })
  await makeReader({ confirmed: false })
  await makeReader({ follows_everything: false })
  const id = await makeTrack('First light')
  await work()
  expect(await mails()).toEqual([
    { to: all.email, subject: 'New on Velour: First light', titles: ['First light'] },
  ])
  await later()
  for (const is_published of [false, true]) {
    await app.services.db.query
      .updateTable('tracks')
      .set({ is_published })
      .where('id', '=', id)
      .execute()
  }
  await work()
  expect(await mails()).toHaveLength(1)
})

test('a follower of an artist gets no news about other artists, and none about tracks published before', async () => {
  const before = await makeTrack('Before', { artist: 'Cleo' })
  const person = await makeReader({ follows_everything: false })
  const { id } = await app.services.db.query
    .selectFrom('artists')
    .select('id')
    .where('name', '=', 'Cleo')
    .executeTakeFirstOrThrow()
  await openNews(app.services.db)
  await person.call(followArtist, { params: { id } })
  await makeTrack('Other', { artist: 'Dora' })
  await makeTrack('After', { artist: 'Bo feat. Cleo' })
  await sql`insert into track_credits (track_id, position, artist_id, role)
    select id, 9, ${id}, 'featured' from tracks where title = 'After'`.execute(
    app.services.db.query,
  )
  await work()
  expect((await mails()).map(({ titles }) => titles)).toEqual([['After']])
  expect(before).toBeTruthy()
})

test('sends news of early access to Premium members first, and to other members when it ends', async () => {
  const premium = await makeReader({ tier: 'premium' })
  const free = await makeReader()
  const early = { audience: 'members', early_access_days: 7 }
  const id = await makeTrack('Soon', {
    ...early,
    early_access_until: sql`now() + interval '7 days'`,
  })
  await work()
  expect((await mails()).map(({ to }) => to)).toEqual([premium.email])
  await later()
  await work()
  expect(await mails()).toHaveLength(1)
  await app.services.db.query
    .updateTable('tracks')
    .set({ early_access_until: now() })
    .where('id', '=', id)
    .execute()
  await work()
  expect((await mails()).map(({ to }) => to)).toEqual([premium.email, free.email])
})

test('never sends news of Premium-only tracks to free members', async () => {
  const premium = await makeReader({ tier: 'premium' })
  await makeReader()
  await makeTrack('Only', { audience: 'premium' })
  await work()
  await later()
  await work()
  expect((await mails()).map(({ to }) => to)).toEqual([premium.email])
})

test('sends news of a scheduled track at its release date and time', async () => {
  await makeReader()
  const id = await makeTrack('Scheduled', {
    is_published: false,
    release_at: sql`now() + interval '1 hour'`,
    release_zone: 'UTC',
  })
  await work()
  expect(await mails()).toEqual([])
  await app.services.db.query
    .updateTable('tracks')
    .set({ release_at: sql`now() - interval '1 second'` })
    .where('id', '=', id)
    .execute()
  await publishDueTracks(app.services.db, new Date())
  await work()
  expect((await mails()).map(({ titles }) => titles)).toEqual([['Scheduled']])
})

test('sends one news item for a release, and none for its tracks', async () => {
  await makeReader()
  const track = await makeTrack('On the album', { is_published: false })
  const release = await makeRelease('The Album', track)
  const { query } = app.services.db
  await query
    .updateTable('releases')
    .set({ is_published: true })
    .where('id', '=', release)
    .execute()
  await work()
  // There is no news of the release yet, because members would see it without tracks.
  expect(await mails()).toEqual([])
  await query.updateTable('tracks').set({ is_published: true }).where('id', '=', track).execute()
  await work()
  expect((await mails()).map(({ titles }) => titles)).toEqual([['The Album']])
})

test('omits a track that is unpublished again before the email is created', async () => {
  const person = await makeReader()
  const [kept, hidden] = [await makeTrack('Kept'), await makeTrack('Hidden')]
  await openNews(app.services.db)
  const body = { title: 'Hidden', is_published: false }
  await admin.call(updateAdminTrack, { params: { id: hidden }, body: body as never })
  await work()
  expect(await mails()).toEqual([
    { to: person.email, subject: 'New on Velour: Kept', titles: ['Kept'] },
  ])
  await later()
  await admin.call(updateAdminTrack, {
    params: { id: hidden },
    body: { title: 'Hidden', is_published: true } as never,
  })
  await work()
  expect(await mails()).toHaveLength(1)
  expect(kept).toBeTruthy()
})

test('combines publications within a short time into one email that lists at most twenty items', async () => {
  await makeReader()
  for (let at = 0; at < 23; at += 1) await makeTrack(`Many ${at}`)
  await work()
  const [mail, ...others] = await readQueuedMails(app)
  expect(others).toEqual([])
  expect(mail?.items).toHaveLength(20)
  expect(mail?.subject).toBe('23 new releases on Velour')
  await makeTrack('Right after')
  await work()
  expect(await mails()).toHaveLength(1)
  await later()
  await work()
  expect((await mails())[1]?.titles).toEqual(['Right after'])
})

test('sends the digest once a week, and skips a week without news', async () => {
  const person = await makeReader({ release_mail: 'weekly' })
  const { query } = app.services.db
  const due = () =>
    query
      .updateTable('news_preferences')
      .set({ next_digest_at: sql<string>`now() - interval '1 hour'` })
      .execute()
  const next = async () =>
    (await query.selectFrom('news_preferences').select('next_digest_at').executeTakeFirstOrThrow())
      .next_digest_at!
  const first = new Date(await next())
  expect([first.getUTCDay(), first.getUTCHours(), first > new Date()]).toEqual([5, 8, true])
  await due()
  await work()
  expect(await mails()).toEqual([])
  expect(new Date(await next()) > new Date()).toBe(true)
  await makeTrack('Monday')
  await makeTrack('Tuesday')
  await work()
  expect(await mails()).toEqual([])
  await due()
  await work()
  await work()
  expect(await mails()).toEqual([
    {
      to: person.email,
      subject: '2 new releases on Velour this week',
      titles: ['Tuesday', 'Monday'],
    },
  ])
})

test('several workers together send at most the configured number of emails per minute', async () => {
  const { query } = app.services.db
  await query.updateTable('settings').set({ news_mails_per_minute: 12 }).execute()
  await app.services.settings.reload()
  for (let at = 0; at < 16; at += 1) await makeReader()
  await makeTrack('For many')
  await openNews(app.services.db)
  // Only one of two concurrent runs gets the lock. Each run sends a twelfth of the limit per minute.
  for (let round = 0; round < 20; round += 1) {
    const sent = await Promise.all([sendNewsMails(app.services), sendNewsMails(app.services)])
    expect(Math.max(...sent)).toBeLessThanOrEqual(1)
  }
  expect(await mails()).toHaveLength(12)
  await later()
  await query.updateTable('settings').set({ news_mails_per_minute: 60 }).execute()
  await app.services.settings.reload()
  await work()
  const people = (await mails()).map(({ to }) => to)
  expect(new Set(people).size).toBe(16)
  expect(people).toHaveLength(16)
})

test('opens the news of a large import in batches, and stops between two batches on shutdown', async () => {
  const { db } = app.services
  const person = await makeReader()
  await sql`
    insert into tracks (title, artist, is_published, processing_status)
    select 'Imported ' || i, 'Ada', true, 'ready' from generate_series(1, 450) i`.execute(db.query)
  const stopping = new AbortController()
  const first = openNews(db, stopping.signal)
  stopping.abort()
  expect(await first).toBe(200)
  expect(await openNews(db, stopping.signal)).toBe(0)
  expect(await openNews(db)).toBe(250)
  const { count } = await db.query
    .selectFrom('news_deliveries')
    .select(sql<number>`count(distinct item_id)`.as('count'))
    .where('user_id', '=', person.id)
    .executeTakeFirstOrThrow()
  expect(count).toBe(450)
})

test('records each consent with its channel, and cancels pending emails when a consent is withdrawn', async () => {
  const person = await makeReader()
  const choose = (body: object) => person.call(updateNewsPreferences, { body })
  await makeTrack('In the queue')
  await work()
  await makeTrack('Waiting')
  await openNews(app.services.db)
  await choose({ release_mail: 'off' })
  await choose({ release_mail: 'off', announcements: true })
  expect((await person.call(getNewsPreferences, {})).body).toEqual({
    follows_everything: true,
    release_mail: 'off',
    announcements: true,
    mail_problem: null,
    followed_count: 0,
  })
  const { query } = app.services.db
  const consents = await query
    .selectFrom('news_consents')
    .select(['kind', 'choice', 'way'])
    .where('user_id', '=', person.id)
    .orderBy('id')
    .execute()
  expect(consents).toEqual([
    { kind: 'release_mail', choice: 'each', way: 'profile' },
    { kind: 'release_mail', choice: 'off', way: 'profile' },
    { kind: 'announcements', choice: 'on', way: 'profile' },
  ])
  const states = await query.selectFrom('tracked_mails').select('state').execute()
  expect(states).toEqual([{ state: 'canceled' }])
  await choose({ release_mail: 'each' })
  await later()
  await work()
  expect(await mails()).toHaveLength(1)
})

/** Returns the data of the only queued email job. */
async function readQueuedJob() {
  const { rows } = await sql<{ data: { sealed_mail: string; expires_at: string } }>`
    select data from jobs.job where name = 'send-mail'`.execute(app.services.db.query)
  return rows[0]!.data
}
const state = async () =>
  (await app.services.db.query.selectFrom('tracked_mails').select('state').executeTakeFirst())
    ?.state

test('does not send an email twice if the process is killed while sending', async () => {
  await makeReader()
  await makeTrack('Once')
  await work()
  const job = await readQueuedJob()
  let handed = 0
  const mailer = { send: () => new Promise<never>(() => (handed += 1)) }
  // Do not await this: simulate a process that is killed while sending. The queue then runs the job again.
  void sendQueuedMail({ ...app.services, mailer }, job, { isLastAttempt: false })
  await expect.poll(() => handed).toBe(1)
  await sendQueuedMail({ ...app.services, mailer }, job, { isLastAttempt: false })
  expect([handed, await state()]).toEqual([1, 'sending'])
})

test('retries an email that the mail server did not accept, but not one that it may have accepted', async () => {
  await makeReader()
  await makeTrack('Try')
  await work()
  const job = await readQueuedJob()
  const failing = (error: object) => ({
    ...app.services,
    mailer: { send: () => Promise.reject(Object.assign(new Error('no'), error)) },
  })
  const away = failing({ code: 'ESOCKET', command: 'CONN' })
  await expect(sendQueuedMail(away, job, { isLastAttempt: false })).rejects.toThrow('no')
  expect(await state()).toBe('queued')
  const busy = failing({ code: 'EMESSAGE', responseCode: 451, command: 'DATA' })
  await expect(sendQueuedMail(busy, job, { isLastAttempt: false })).rejects.toThrow('no')
  await sendQueuedMail(failing({ code: 'ETIMEDOUT', command: 'DATA' }), job, {
    isLastAttempt: false,
  })
  expect(await state()).toBe('failed')
})

test('suspends an address after the mail server has rejected it permanently three times in a row', async () => {
  const person = await makeReader()
  const refusal = { code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }
  const refusing = {
    ...app.services,
    mailer: {
      send: () => Promise.reject(Object.assign(new Error(`no ${person.email} here`), refusal)),
    },
  }
  const { query } = app.services.db
  for (let time = 1; time <= 4; time += 1) {
    await makeTrack(`Refused ${time}`)
    await work()
    const jobs = await mails()
    expect(jobs).toHaveLength(time <= 3 ? 1 : 0)
    if (time <= 3) await sendQueuedMail(refusing, await readQueuedJob(), { isLastAttempt: false })
    await sql`delete from jobs.job`.execute(query)
    await later()
  }
  const row = await query.selectFrom('refused_addresses').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ refusals: 3, reason: 'no (address) here' })
  expect(row.suspended_at).not.toBeNull()
  expect((await person.call(getNewsPreferences, {})).body.mail_problem).toBe('suspended')
})
