// Evidence files of tracks: stored unchanged, visible to admins only, and included in file checks and backups.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isStaffAccess } from '#contract/access.ts'
import { listAuditLog } from '#contract/admin/admin-audit.ts'
import { changeAdminTracks, restoreTracks } from '#contract/admin/admin-tracks.ts'
import {
  addTrackEvidence,
  deleteTrackEvidence,
  downloadTrackEvidence,
  listTrackEvidence,
} from '#contract/admin/track-evidence.ts'
import { evidenceMaxBytes } from '#contract/fields/evidence.ts'
import { createSignedUpload } from '#contract/uploads.ts'
import { withClient } from '../../platform/db/with-client.ts'
import { buildConnectionConfig } from '../../platform/db/connection-config.ts'
import { findContractEndpoints } from '../../testing/contract-endpoints.ts'
import { makeTracks } from '../../testing/feature-app.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { readOwnedKeys } from '../backup/backup-schema.ts'
import { purgeDeletions } from '../deletions/purge-deletions.ts'
import { findUnknownKeys, syncStoredFiles } from '../file-checks/owned-files.ts'

let app: TestApp
let admin: Person
let member: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  member = await app.makePerson({ tier: 'premium' })
})
afterAll(() => app.close())

const pdf = Buffer.from('%PDF-1.7\n1 0 obj <</Type /Catalog>> endobj\n\x80\x81\n%%EOF\n', 'latin1')
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
const text = Buffer.from('Receipt 42\r\nPro plan, März 2026\n')

async function upload(bytes: Buffer, filename = 'receipt.pdf', mime = 'application/pdf') {
  const body = { bucket: 'evidence', filename, mime, size: bytes.length } as const
  const signed = (await admin.call(createSignedUpload, { body })).body
  const headers = {
    cookie: admin.cookie,
    'upload-token': signed.uploadToken,
    'content-type': 'application/octet-stream',
  }
  const target = new URL(signed.uploadUrl, app.url)
  const sent = await fetch(target, { method: 'PUT', headers, body: new Uint8Array(bytes) })
  expect(sent.status).toBe(204)
  return signed.path
}
const newTrack = async () => (await makeTracks(app.services.db, 1))[0]!
const add = async (id: string, bytes = pdf, filename?: string, mime?: string) =>
  admin.call(addTrackEvidence, {
    params: { id },
    body: { path: await upload(bytes, filename, mime) },
  })
const list = async (id: string) =>
  (await admin.call(listTrackEvidence, { params: { id } })).body.data
const addressOf = (id: string, evidence_id: string) =>
  downloadTrackEvidence.path.replace(':id', id).replace(':evidence_id', evidence_id)
const download = (address: string, cookie = admin.cookie) =>
  fetch(new URL(address, app.url), { headers: { cookie } })

test('returns an evidence file unchanged, as a download that browsers do not render', async () => {
  const id = await newTrack()
  const { body } = await add(id, pdf, 'Quittung „März“.pdf')
  expect(body).toMatchObject({
    filename: 'Quittung „März“.pdf',
    mime: 'application/pdf',
    byte_size: pdf.length,
    sha256: createHash('sha256').update(pdf).digest('hex'),
  })
  expect(await list(id)).toEqual([body])
  const response = await download(addressOf(id, body.id))
  expect(Buffer.from(await response.arrayBuffer())).toEqual(pdf)
  const headers = Object.fromEntries(response.headers)
  expect(headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  expect(headers['content-disposition']).toMatch(/^attachment; .*filename\*=UTF-8''Quittung%20%E2/)
})

test.each([
  ['a PNG picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1]), 'image/png'],
  ['a JPEG photo', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2]), 'image/jpeg'],
  ['a text file', text, 'text/plain'],
  ['markup (stored as text)', svg, 'text/plain'],
])('detects the type of %s from its bytes', async (_, bytes, mime) => {
  const { body } = await add(await newTrack(), bytes, 'named.pdf', 'application/pdf')
  expect(body.mime).toBe(mime)
})

test('rejects files of other types and stores nothing', async () => {
  const id = await newTrack()
  for (const bytes of [
    Buffer.from('MZ\0\0'),
    Buffer.from([0xff, 0xfe, 0x41]),
    Buffer.from('a\0b'),
  ]) {
    expect((await add(id, bytes)).code).toBe('unsupported_evidence')
  }
  const sign = async (more: object, who = admin) =>
    (
      await who.call(createSignedUpload, {
        body: { bucket: 'evidence', filename: 'a.pdf', mime: 'application/pdf', size: 1, ...more },
      })
    ).code
  expect(await sign({ mime: 'image/svg+xml' })).toBe('unsupported_evidence')
  expect(await sign({ size: evidenceMaxBytes + 1 })).toBe('payload_too_large')
  expect(await sign({ size: 0 })).toBe('file_empty')
  expect(await sign({}, member)).toBe('forbidden')
  expect(await list(id)).toEqual([])
})

test('an upload can become only one evidence file, and a track accepts at most ten', async () => {
  const id = await newTrack()
  const path = await upload(pdf)
  const use = () => admin.call(addTrackEvidence, { params: { id }, body: { path } })
  const both = await Promise.all([use(), use()])
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  for (let count = 1; count < 10; count += 1) expect((await add(id)).status).toBe(201)
  expect((await add(id)).code).toBe('too_much_evidence')
  expect(await list(id)).toHaveLength(10)
})

test('only admins can read an evidence file, its name and the number of files', async () => {
  const secret = 'palimpsest'
  const id = await newTrack()
  const { body } = await add(id, Buffer.from(secret), `${secret}.txt`, 'text/plain')
  const address = addressOf(id, body.id)
  expect((await download(address, member.cookie)).status).toBe(403)
  expect((await download(address, '')).status).toBe(401)
  const { storage_key } = await app.services.db.query
    .selectFrom('track_evidence')
    .select('storage_key')
    .where('id', '=', body.id)
    .executeTakeFirstOrThrow()
  for (const who of [admin.cookie, member.cookie, '']) {
    expect((await download(`/media/${storage_key}`, who)).status).toBe(404)
  }
  const other = await newTrack()
  expect((await download(addressOf(other, body.id))).status).toBe(404)
  const reads = (await findContractEndpoints()).filter(
    ({ endpoint }) =>
      endpoint.method === 'GET' && !isStaffAccess(endpoint.access) && !endpoint.produces,
  )
  for (const { endpoint, name } of reads) {
    const response = await member.send('GET', endpoint.path.replaceAll(/:\w+/g, id))
    expect(JSON.stringify(response.body ?? null), name).not.toContain(secret)
  }
  const audit = await admin.call(listAuditLog, { query: {} })
  expect(JSON.stringify(audit.body)).not.toContain(secret)
})

test('file checks and backups include evidence files', async () => {
  const id = await newTrack()
  await add(id)
  const { db, connectionString } = app.services
  const { storage_key: key } = await db.query
    .selectFrom('track_evidence')
    .select('storage_key')
    .where('track_id', '=', id)
    .executeTakeFirstOrThrow()
  expect(await findUnknownKeys(db, [key])).toEqual([])
  await syncStoredFiles(db)
  const stored = await db.query
    .selectFrom('stored_files')
    .select(['byte_size', 'sha256'])
    .where('storage_key', '=', key)
    .executeTakeFirst()
  expect(stored).toEqual({
    byte_size: pdf.length,
    sha256: createHash('sha256').update(pdf).digest('hex'),
  })
  const { keys } = await withClient(buildConnectionConfig(connectionString), readOwnedKeys)
  expect(keys).toContain(key)
})

test('an evidence file is deleted immediately, or with its track once the track can no longer be restored', async () => {
  const { db } = app.services
  const garbage = async (key: string) =>
    (
      await db.query
        .selectFrom('storage_garbage')
        .selectAll()
        .where('storage_key', '=', key)
        .execute()
    ).length
  const keyOf = async (evidenceId: string) =>
    (
      await db.query
        .selectFrom('track_evidence')
        .select('storage_key')
        .where('id', '=', evidenceId)
        .executeTakeFirstOrThrow()
    ).storage_key
  const id = await newTrack()
  const [one, two] = [(await add(id)).body, (await add(id, text)).body]
  const [first, second] = [await keyOf(one.id), await keyOf(two.id)]
  await admin.call(deleteTrackEvidence, { params: { id, evidence_id: one.id } })
  expect(await list(id)).toEqual([two])
  expect(await garbage(first)).toBe(1)
  await admin.call(changeAdminTracks, { body: { action: 'delete', id } })
  expect((await download(addressOf(id, two.id))).status).toBe(404)
  await admin.call(restoreTracks, { body: { ids: [id] } })
  expect((await download(addressOf(id, two.id))).status).toBe(200)
  await admin.call(changeAdminTracks, { body: { action: 'delete', id } })
  await db.query
    .updateTable('deletions')
    .set({ undo_until: new Date(0).toISOString() })
    .where('entity_id', '=', id)
    .execute()
  await purgeDeletions(db)
  expect(await garbage(second)).toBe(1)
})
