// Imports from another instance of Velour over its Subsonic API: the imported data, the owner's decisions, and recovery
// after a crash.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  confirmImport,
  decideImportItems,
  listImportItems,
  listImports,
  retryImport,
  startServerImport,
  stopImport,
  type ImportItem,
  type ImportSummary,
} from '#contract/admin/imports.ts'
import { createGenre } from '#contract/admin/admin-genres.ts'
import { confirmReleaseProposals, listReleaseProposals } from '#contract/admin/admin-releases.ts'
import { getAdminTrack } from '#contract/admin/admin-tracks.ts'
import { transaction } from '../../platform/db/database.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { callOrThrow, createTestCatalogue } from '../catalogue/testing/catalogue-world.ts'
import { makeListener, type Listener } from '../subsonic/testing/listener.ts'
import { runImports, stopAbandonedImports } from './run-imports.ts'

let source: TestApp
let listener: Listener
let app: TestApp
let admin: Person

beforeAll(async () => {
  source = await createTestApp({ artistName: 'The Source' })
  await createTestCatalogue(source, await source.makePerson({ role: 'admin' }))
  listener = await makeListener(source, 'premium')
  app = await createTestApp({ importsFromPrivateAddresses: true })
  admin = await app.makePerson({ role: 'admin' })
})
afterAll(async () => {
  await app.close()
  await source.close()
})

const run = (signal = new AbortController().signal) =>
  runImports(app.services, { signal, isLastAttempt: false })

async function summaryOf(id: string): Promise<ImportSummary> {
  const { data } = await callOrThrow(admin, listImports, {})
  return data.find((one) => one.id === id)!
}

async function itemsOf(id: string): Promise<ImportItem[]> {
  return (await callOrThrow(admin, listImportItems, { params: { id }, query: {} })).data
}

async function start(login: { api_key: string } | { user: string; password: string }) {
  const body = { address: `${source.url}/rest/`, login }
  const { id } = await callOrThrow(admin, startServerImport, { body })
  await run()
  return summaryOf(id)
}

const loginOf = async (id: string) => {
  const row = await app.services.db.query
    .selectFrom('imports')
    .select('server_login_sealed')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.server_login_sealed
}

describe('an import from another service', () => {
  let first: ImportSummary

  test("lists the other service's songs, and downloads none before the owner confirms the list", async () => {
    await callOrThrow(admin, createGenre, { body: { name: 'Dream "Pop", slow' } })
    first = await start({ api_key: listener.key })
    expect(first).toMatchObject({ format: 'server', status: 'listed', server_url: source.url })
    const items = await itemsOf(first.id)
    expect(items.every(({ status }) => status === 'waiting')).toBe(true)
    expect(items.length).toBeGreaterThan(1)
    const tracks = await app.services.db.query.selectFrom('tracks').select('id').execute()
    expect(tracks).toEqual([])
    const sealed = await loginOf(first.id)
    expect(sealed).toMatch(/^v1\./)
    expect(sealed).not.toContain(listener.key)
  })

  test('imports recordings, covers, lyrics, credits, genres and labels as drafts', async () => {
    await callOrThrow(admin, confirmImport, { params: { id: first.id }, body: {} })
    await run()
    const { status, counts } = await summaryOf(first.id)
    const items = await itemsOf(first.id)
    expect([status, counts.failed]).toEqual(['done', 0])
    expect(counts.done).toBe(items.length)
    const slow = items.find(({ name }) => name.includes('Slow Light'))!
    const track = await callOrThrow(admin, getAdminTrack, { params: { id: slow.track_id! } })
    const [there] = (
      await source.services.db.query
        .selectFrom('tracks')
        .selectAll()
        .where('title', '=', 'Slow Light')
        .execute()
    ).slice(0, 1)
    expect(track).toMatchObject({
      title: 'Slow Light',
      artist: there!.artist,
      lyrics: there!.lyrics,
      genre: there!.genre,
      moods: expect.arrayContaining(there!.moods),
      ai_disclosure: there!.ai_disclosure,
      explicit: there!.explicit,
      is_published: false,
    })
    expect(track.cover_url).not.toBeNull()
    expect(await loginOf(first.id)).toBeNull()
  })

  test('proposes the releases with their labels', async () => {
    const { data } = await callOrThrow(admin, listReleaseProposals, { query: { batch: first.id } })
    expect(data).toMatchObject([{ title: 'Night: "Drive"/1', label: 'Label' }])
    const keys = data.map(({ key }) => key)
    const confirmation = await callOrThrow(admin, confirmReleaseProposals, { body: { keys } })
    expect(confirmation.data[0]).toMatchObject({ title: 'Night: "Drive"/1', label: 'Label' })
  })

  test("recognizes songs of an earlier import by their ids, and waits for the owner's decision on them", async () => {
    const again = await start({ user: listener.email, password: listener.key })
    expect([again.status, again.counts.waiting]).toEqual(['listed', 0])
    const items = await itemsOf(again.id)
    expect(items.every(({ known }) => known?.by === 'source')).toBe(true)
    await callOrThrow(admin, confirmImport, {
      params: { id: again.id },
      body: { leave_out: [items[0]!.position] },
    })
    await run()
    const asking = await summaryOf(again.id)
    expect([asking.status, asking.counts.left_out]).toEqual(['asking', 1])
    const decide = { params: { id: again.id }, body: { decision: 'keep' as const } }
    await callOrThrow(admin, decideImportItems, decide)
    await run()
    const end = await summaryOf(again.id)
    expect([end.status, end.counts.done]).toEqual(['done', items.length - 1])
    expect(await loginOf(again.id)).toBeNull()
  })

  test('recognizes recordings that sound like an existing track', async () => {
    // Make the earlier imports look like file imports, so that song ids are not compared.
    await app.services.db.query.updateTable('imports').set({ server_url: null }).execute()
    const { id, counts } = await start({ api_key: listener.key })
    expect(counts.known).toBe(0)
    await callOrThrow(admin, confirmImport, { params: { id }, body: {} })
    await run()
    const items = await itemsOf(id)
    expect(items.map(({ status }) => status)).toEqual(items.map(() => 'known'))
    await callOrThrow(admin, stopImport, { params: { id } })
    expect(await loginOf(id)).toBeNull()
  })
})

/** Whether a database statement is waiting for a lock. */
async function isBlocked(): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    app.services.db.query,
  )
  return rows.length > 0
}

test('continues after a crash without importing a track twice', async () => {
  await app.services.db.query.deleteFrom('imports').execute()
  await app.services.db.query.deleteFrom('tracks').execute()
  const { id } = await start({ api_key: listener.key })
  await callOrThrow(admin, confirmImport, { params: { id }, body: {} })
  const [first] = await itemsOf(id)
  const killed = new AbortController()
  // Abort the job while it waits for the lock on its first item's row.
  const { outcome } = await transaction(app.services.db, async (trx) => {
    await sql`select from import_items where import_id = ${id} and path = ${first!.path} for update`.execute(
      trx.query,
    )
    const running = run(killed.signal).then(() => 'finished', String)
    await expect.poll(isBlocked, { interval: 10, timeout: 60_000 }).toBe(true)
    killed.abort(new Error('killed'))
    return { outcome: running }
  })
  expect(await outcome).toContain('killed')
  const broken = await summaryOf(id)
  expect(broken.status).toBe('running')
  await app.services.db.query
    .updateTable('import_items')
    .set({ status: 'waiting', track_id: null })
    .where('import_id', '=', id)
    .execute()
  await run()
  const { status, counts } = await summaryOf(id)
  expect([status, counts.waiting, counts.known]).toEqual(['done', 0, 0])
  const tracks = await app.services.db.query.selectFrom('tracks').select('id').execute()
  expect(tracks.length).toBe(counts.done)
})

test('reports that the server rejected the credentials', async () => {
  const wrong = await start({ api_key: 'not-a-key' })
  expect([wrong.status, wrong.problem]).toEqual(['failed', 'The server rejected this API key.'])
  expect(await loginOf(wrong.id)).toBeNull()
  const password = await start({ user: listener.email, password: 'wrong' })
  expect(password.problem).toBe('The server rejected this user name or password.')
})

test("fails each song with the server's reason if the account has no right to download", async () => {
  await app.services.db.query.deleteFrom('imports').execute()
  const free = await makeListener(source, 'free')
  const { id } = await start({ api_key: free.key })
  await callOrThrow(admin, confirmImport, { params: { id }, body: {} })
  await run()
  const { status, counts } = await summaryOf(id)
  expect([status, counts.done]).toEqual(['done', 0])
  expect((await itemsOf(id))[0]!.reason).toMatch(/^The server reports: /)
  // The credentials stay stored, so a retry can succeed once the account has the right to download.
  expect((await summaryOf(id)).can_retry).toBe(true)
  expect(await loginOf(id)).not.toBeNull()
  await app.services.db.query.deleteFrom('tracks').execute()
  await source.asOwner(
    `update profiles set subscription_status = 'active', subscription_tier = 'monthly' where email = '${free.email}'`,
  )
  const [first] = await itemsOf(id)
  const retry = (positions?: number[]) =>
    admin.call(retryImport, { params: { id }, body: { ...(positions && { positions }) } })
  expect((await retry([first!.position])).body).toMatchObject({ status: 'waiting' })
  await run()
  expect((await summaryOf(id)).counts).toMatchObject({ done: 1 })
  await retry()
  await run()
  const end = await summaryOf(id)
  expect([end.status, end.counts.failed, end.can_retry]).toEqual(['done', 0, false])
  expect(await loginOf(id)).toBeNull()
  expect((await retry()).code).toBe('import_nothing_to_retry')
})

test('deletes the credentials of an import with failed songs after 30 days', async () => {
  const free = await makeListener(source, 'free')
  await app.services.db.query.deleteFrom('tracks').execute()
  const { id } = await start({ api_key: free.key })
  await callOrThrow(admin, confirmImport, { params: { id }, body: {} })
  await run()
  expect(await loginOf(id)).not.toBeNull()
  await app.asOwner(`update imports set created_at = now() - interval '31 days' where id = '${id}'`)
  await stopAbandonedImports(app.services.db)
  expect(await summaryOf(id)).toMatchObject({ status: 'done', can_retry: false })
  expect(await loginOf(id)).toBeNull()
})

test('stops an unconfirmed import after 30 days and deletes its credentials', async () => {
  const { id } = await start({ api_key: listener.key })
  await app.asOwner(`update imports set created_at = now() - interval '31 days' where id = '${id}'`)
  await stopAbandonedImports(app.services.db)
  expect((await summaryOf(id)).status).toBe('stopped')
  expect(await loginOf(id)).toBeNull()
  const code = (await admin.call(confirmImport, { params: { id }, body: {} })).code
  expect(code).toBe('import_over')
})

test('can be started only by admins, and rejects private addresses unless the owner allows them', async () => {
  const body = { address: source.url, login: { api_key: 'key' } }
  const member = await app.makePerson()
  expect((await member.call(startServerImport, { body })).status).toBe(403)
  const owner = await source.makePerson({ role: 'admin' })
  const refusals = [
    ['http://127.0.0.1:4533', 'import_url_private'],
    ['https://169.254.169.254/latest', 'import_url_private'],
    ['https://[::1]/', 'import_url_private'],
    ['https://10.0.0.5', 'import_url_private'],
    ['https://user:word@music.example', 'import_url_refused'],
    ['ftp://music.example', 'invalid_input'],
  ] as const
  for (const [address, code] of refusals) {
    const response = await owner.call(startServerImport, { body: { ...body, address } })
    expect([address, response.code]).toEqual([address, code])
  }
})
