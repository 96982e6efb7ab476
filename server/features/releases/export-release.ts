// Exports one release as a tar file: the unchanged recordings, the cover, and a description in JSON.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import { pack, type Pack } from 'tar-stream'
import type * as contract from '#contract/admin/admin-releases.ts'
import type { AdminReleaseDetail } from '#contract/admin/admin-releases.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import { writeAudit } from '../../platform/audit/write-audit.ts'
import { transaction, type Handle } from '../../platform/db/database.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { readObjectStream } from '../../platform/storage/read-object.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { findAdminRelease } from './admin-release-query.ts'

interface ExportedFile {
  name: string
  key: string
}

interface Source {
  id: string
  source_key: string | null
  source_sha256: string | null
  description: string | null
  genre: string | null
  lyrics: string | null
  credits: string | null
  tags: string[]
  ai_tool: string | null
}

/**
 * Exports a release without the private origin records of its tracks, because exports are passed on to distributors and
 * other people.
 */
export async function exportRelease(
  ctx: MemberContext,
  { params: { id } }: ParsedInput<typeof contract.exportRelease>,
  reply: FastifyReply,
  { storage }: { storage: Storage },
): Promise<FastifyReply> {
  const release = await findAdminRelease(ctx.db, id)
  const sources = await readSources(ctx.db, id)
  const files = await listFiles(ctx.db, release, sources)
  await transaction(ctx.db, (trx) =>
    writeAudit(ctx, trx, {
      action: 'export',
      entity: 'release',
      entity_id: id,
      after: { title: release.title },
    }),
  )
  const disconnected = new AbortController()
  reply.raw.once('close', () => disconnected.abort(new Error('the download was canceled')))
  const tar = pack()
  writeTar(tar, { storage, files, json: describe(release, sources) }, disconnected.signal).catch(
    (error: unknown) => {
      if (!disconnected.signal.aborted)
        ctx.log.warn({ err: error, release: id }, 'an export was aborted')
      tar.destroy(error instanceof Error ? error : new Error(String(error)))
    },
  )
  return reply
    .header('content-type', 'application/x-tar')
    .header('content-disposition', `attachment; filename="${release.slug}.tar"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(tar, { objectMode: false }))
}

function readSources(handle: Handle, id: string): Promise<Source[]> {
  return handle.query
    .selectFrom('release_tracks as e')
    .innerJoin('tracks as t', 't.id', 'e.track_id')
    .select([
      't.id',
      't.source_key',
      't.source_sha256',
      't.description',
      't.genre',
      't.lyrics',
      't.credits',
      't.tags',
      't.ai_tool',
    ])
    .where('e.release_id', '=', id)
    .where('t.deleted_at', 'is', null)
    .execute()
}

/**
 * Lists the recordings with file names such as `1-03 Title.wav`. The disc number is included only if there are several
 * discs.
 */
async function listFiles(
  handle: Handle,
  { tracks, cover_url }: AdminReleaseDetail,
  sources: readonly Source[],
): Promise<ExportedFile[]> {
  const keys = new Map(sources.map(({ id, source_key }) => [id, source_key]))
  const hasDiscs = new Set(tracks.map(({ disc }) => disc)).size > 1
  const recordings = tracks.flatMap(({ id, title, disc, position }) => {
    const key = keys.get(id)
    if (!key) return []
    const number = `${hasDiscs ? `${disc}-` : ''}${String(position).padStart(2, '0')}`
    return [{ name: `${number} ${toFileName(title)}${/\.\w{1,5}$/.exec(key)?.[0] ?? ''}`, key }]
  })
  const coverId = /\/media\/covers\/([\w-]+)\//.exec(cover_url ?? '')?.[1]
  if (coverId === undefined) return recordings
  const key = `covers/${coverId}/1024.webp`
  const { rows } = await sql`
    select from stored_files where storage_key = ${key} and problem is null`.execute(handle.query)
  return rows.length > 0 ? [...recordings, { name: 'cover.webp', key }] : recordings
}

/** Replaces characters that Windows, macOS or Linux do not allow in file names. */
function toFileName(title: string): string {
  const clean = title
    .replaceAll(/[\p{Cc}<>:"/\\|?*]/gu, '_')
    .slice(0, 100)
    .toWellFormed()
    .replace(/^\.+|[. ]+$/g, '')
  return clean || 'Untitled'
}

/** Used for a track that was deleted between the two queries above. */
const noSource = { id: '', source_key: null }

function describe(release: AdminReleaseDetail, sources: readonly Source[]): string {
  const facts = new Map(sources.map((source) => [source.id, source]))
  const { tracks, cover_url: _, cover_tint: __, cover_placeholder: ___, ...about } = release
  const described = tracks.map((track) => {
    const { id: _id, source_key: _key, ...source } = facts.get(track.id) ?? noSource
    const { disc, position, title, artist, duration, explicit, ai_disclosure } = track
    return { disc, position, title, artist, duration, explicit, ai_disclosure, ...source }
  })
  return `${JSON.stringify({ ...about, tracks: described }, null, 2)}\n`
}

interface Contents {
  storage: Storage
  files: readonly ExportedFile[]
  json: string
}

/** Writes the archive one file at a time, in constant memory. */
async function writeTar(
  tar: Pack,
  { storage, files, json }: Contents,
  disconnected: AbortSignal,
): Promise<void> {
  const cancelled = new Promise<never>((_, reject) => {
    disconnected.addEventListener('abort', () => reject(disconnected.reason), { once: true })
  })
  cancelled.catch(() => {})
  const add = async (name: string, size: number, body: Readable) => {
    const copying = pipeline(body, tar.entry({ name, size, mode: 0o644 }))
    copying.catch(() => {})
    await Promise.race([copying, cancelled])
  }
  const text = Buffer.from(json)
  await add('release.json', text.byteLength, Readable.from([text]))
  for (const { name, key } of files) {
    const object = await storage.open(key)
    try {
      await add(name, object.byteSize, readObjectStream(object))
    } finally {
      await object.close()
    }
  }
  tar.finalize()
}
