// Handles the job that generates the share card of a page: two pictures and, for tracks, a video of the cover with the
// preview.
import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { PageKind } from '#contract/public-pages.ts'
import {
  transaction,
  type Database,
  type Handle,
  type Transaction,
} from '../../platform/db/database.ts'
import { notify } from '../../platform/events/event-bus.ts'
import { filmSeconds, renderCardFilm } from '../../platform/ffmpeg/card-film.ts'
import type { Ffmpeg } from '../../platform/ffmpeg/ffmpeg.ts'
import { MediaError } from '../../platform/ffmpeg/media-error.ts'
import { processCard } from '../../platform/pictures/images.ts'
import type { Card } from '../../platform/pictures/draw-card.ts'
import { hashBytes, hashFile } from '../../platform/storage/hash-file.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { discardKeys, reserveKeys } from '../../platform/storage/storage-garbage.ts'
import { claimFiles, type StoredFile } from '../../platform/storage/stored-files.ts'
import { pictureKey } from '../pictures/store-picture.ts'
import { readPage, type PageFacts } from '../public-pages/page-facts.ts'
import { findPageById } from '../public-pages/find-page.ts'
import type { ReadBranding } from '../settings/branding.ts'
import { cardContent, hashContent, type CardContent } from './card-content.ts'

export interface CardServices {
  db: Database
  storage: Storage
  ffmpeg: Ffmpeg
  branding: ReadBranding
  log: FastifyBaseLogger
}

interface Item {
  kind: PageKind
  item_id: string
}

/** Generates a card. Does nothing if the item no longer has a public page, or if the card is up to date. */
export async function makeCard(
  services: CardServices,
  { kind, item_id }: Item,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  const { db, branding } = services
  const found = await findPageById(db, kind, item_id)
  const facts = found && (await readPage(db, found, { withLyrics: false }))
  if (!facts) return
  const content = cardContent(facts, branding())
  const hash = hashContent(content)
  if ((await readCardRow(db, { kind, item_id }))?.content_hash === hash) return
  const card = await processCard({
    ...content,
    cover: await readCover(services, content),
    logo: await readLogo(services),
  })
  const files = await storeFiles(services, facts, card, { hash, signal })
  await transaction(db, async (trx) => {
    await adoptCard(trx, { kind, item_id }, hash, files)
    // Evict cached pages, because they contain the URLs of the card.
    await notify(trx, 'tracks', kind === 'track' ? item_id : undefined)
  })
}

export function readCardRow(db: Handle, { kind, item_id }: Item) {
  return db.query
    .selectFrom('share_cards')
    .selectAll()
    .where('kind', '=', kind)
    .where('item_id', '=', item_id)
    .executeTakeFirst()
}

/** Reads the largest stored size of the cover. Null if there is none, or if it cannot be read. */
async function readCover({ storage, log }: CardServices, { cover_id }: CardContent) {
  if (!cover_id) return null
  try {
    return await storage.read(pictureKey('cover', cover_id, 1024, 'webp'))
  } catch (error) {
    log.warn({ err: error, cover_id }, 'a cover could not be read; its card is drawn without it')
    return null
  }
}

/** Reads the service's logo. Null if there is none, or if it cannot be read. */
async function readLogo({ storage, log, branding }: CardServices): Promise<Uint8Array | null> {
  const { logo } = branding()
  if (!logo) return null
  try {
    return await storage.read(logo.url.replace('/media/', ''))
  } catch (error) {
    log.warn({ err: error }, 'the logo could not be read; a card is drawn without it')
    return null
  }
}

interface CardFiles {
  wide: StoredFile
  square: StoredFile
  film: StoredFile | null
}

async function storeFiles(
  services: CardServices,
  facts: PageFacts,
  card: Card,
  { hash, signal }: { hash: string; signal: AbortSignal },
): Promise<CardFiles> {
  const { db, storage } = services
  const key = (name: string) => `cards/${facts.kind}/${facts.id}/${hash}-${name}`
  const put = async (name: string, bytes: Uint8Array): Promise<StoredFile> => {
    const storageKey = key(name)
    await reserveKeys(db, [storageKey])
    await storage.put(storageKey, bytes)
    return { storageKey, byteSize: bytes.byteLength, sha256: hashBytes(bytes) }
  }
  return {
    wide: await put('wide.jpg', card.wide),
    square: await put('square.jpg', card.square),
    film: await storeFilm(services, facts, card, { storageKey: key('film.mp4'), signal }),
  }
}

/**
 * Encodes and stores the video. Null if there is no preview, or if this ffmpeg cannot encode the video: a link preview
 * needs no video.
 */
async function storeFilm(
  { db, storage, ffmpeg, log }: CardServices,
  { kind, id }: PageFacts,
  card: Card,
  { storageKey, signal }: { storageKey: string; signal: AbortSignal },
): Promise<StoredFile | null> {
  if (kind !== 'track') return null
  const preview = await db.query
    .selectFrom('renditions')
    .select(['storage_key', 'duration_seconds'])
    .where('track_id', '=', id)
    .where('kind', '=', 'preview')
    .executeTakeFirst()
  if (!preview) return null
  try {
    return await storage.withLocalFile(preview.storage_key, (path) =>
      storage.withScratchFolder(async (folder) => {
        const picture = join(folder, 'picture.jpg')
        const output = join(folder, 'film.mp4')
        await writeFile(picture, card.square)
        const previewSeconds = Math.min(filmSeconds, preview.duration_seconds)
        await renderCardFilm(ffmpeg, { picture, preview: path, previewSeconds, output, signal })
        await reserveKeys(db, [storageKey])
        const sha256 = await hashFile(output)
        const { byteSize } = await storage.putFile(storageKey, output)
        return { storageKey, byteSize, sha256 }
      }),
    )
  } catch (error) {
    if (!(error instanceof MediaError)) throw error
    log.warn({ err: error, track_id: id }, 'the video of a link preview could not be encoded')
    return null
  }
}

async function adoptCard(
  trx: Transaction,
  item: Item,
  content_hash: string,
  { wide, square, film }: CardFiles,
): Promise<void> {
  const before = await trx.query
    .selectFrom('share_cards')
    .select(['wide_key', 'square_key', 'video_key'])
    .where('kind', '=', item.kind)
    .where('item_id', '=', item.item_id)
    .forUpdate()
    .executeTakeFirst()
  const files = [wide, square, ...(film ? [film] : [])]
  await claimFiles(trx, files)
  const keys = {
    wide_key: wide.storageKey,
    square_key: square.storageKey,
    video_key: film?.storageKey ?? null,
  }
  await trx.query
    .insertInto('share_cards')
    .values({ ...item, content_hash, ...keys })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'item_id'])
        .doUpdateSet({ content_hash, ...keys, made_at: new Date().toISOString() }),
    )
    .execute()
  const now = new Set(files.map(({ storageKey }) => storageKey))
  await discardKeys(
    trx,
    listCardKeys(before).filter((key) => !now.has(key)),
  )
}

export function listCardKeys(
  row: { wide_key: string; square_key: string; video_key: string | null } | undefined,
): string[] {
  return row ? [row.wide_key, row.square_key, row.video_key].filter((key) => key !== null) : []
}
