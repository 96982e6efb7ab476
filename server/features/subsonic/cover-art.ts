// Cover pictures for Subsonic apps. The URL contains the picture's id, which changes with the picture, so apps may
// cache by URL.
import { deflateSync, crc32 } from 'node:zlib'
import { sql } from 'kysely'
import { isAvailable } from '../availability/availability.ts'
import { pictureSizes } from '#contract/fields/pictures.ts'
import { findAlbum } from './browsing.ts'
import { readArtists } from './artists.ts'
import { parseItemId } from './item-ids.ts'
import type { ResponseSender, SubsonicCall } from './subsonic-call.ts'

export const getCoverArt: ResponseSender = async (call) => {
  const { parameters, services, reply } = call
  const wanted = parameters.integer('size', { or: 1024, min: 1, max: 10_000 })
  const coverId = await findCover(call, parameters.required('id'))
  // Send a placeholder picture instead of an error, because older apps cannot handle errors here.
  if (coverId === null || (await services.hiddenCovers.has(coverId))) return sendPlaceholder(call)
  const size = pictureSizes.find((one) => one >= wanted) ?? pictureSizes.at(-1)!
  // Send a JPEG, because some desktop and car apps cannot decode WebP.
  return services.jpegs.send(reply, { kind: 'cover', id: coverId, size }, 'private, max-age=86400')
}

/** Finds a picture by its own id or by the id of an item that has a cover. Null if there is none. */
async function findCover({ ctx }: SubsonicCall, id: string): Promise<string | null> {
  const parsed = parseItemId(id)
  if (!parsed) return null
  const { kind, uuid } = parsed
  if (kind === 'artist') {
    const [artist] = await readArtists(ctx, sql`select ${uuid}::uuid as id, 1 as place`)
    return artist?.cover_id ?? null
  }
  if (kind === 'album') {
    const { coverArt } = await findAlbum(ctx, uuid)
    return typeof coverArt === 'string' ? (parseItemId(coverArt)?.uuid ?? null) : null
  }
  const { rows } = await selectCovers(uuid, kind).execute(ctx.db.query)
  return rows[0]?.id ?? null
}

function selectCovers(uuid: string, kind: 'song' | 'playlist' | 'cover') {
  if (kind === 'song') {
    return sql<{ id: string | null }>`
      select t.cover_id as id from tracks t where t.id = ${uuid}::uuid and ${isAvailable('t')}`
  }
  if (kind === 'cover') {
    return sql<{
      id: string | null
    }>`select id from images where id = ${uuid}::uuid and kind = 'cover'`
  }
  return sql<{ id: string | null }>`
    select coalesce(p.cover_id, s.cover_ids[1]) as id from playlists p
      join playlist_summaries s on s.playlist_id = p.id
     where p.id = ${uuid}::uuid and p.is_visible and (p.is_curated or p.is_public)`
}

function sendPlaceholder({ reply }: SubsonicCall) {
  return reply.header('cache-control', 'no-store').type('image/png').send(placeholder)
}

/** A PNG picture (ISO/IEC 15948) of 64 by 64 dark pixels. */
const placeholder = makePlaceholder(64, [42, 34, 48])

function makePlaceholder(side: number, color: readonly [number, number, number]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // Bit depth 8, color type RGB.
  header.set([8, 2, 0, 0, 0], 8)
  const row = Buffer.from([0, ...Array.from({ length: side }, () => color).flat()])
  const pixels = Buffer.concat(Array.from({ length: side }, () => row))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(pixels)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

function pngChunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}
