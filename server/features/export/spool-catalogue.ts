// Writes all rows of an export from one database snapshot to local files. This is fast, so no transaction stays open
// while gigabytes of recordings are sent.
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { extname, join, parse } from 'node:path'
import { finished } from 'node:stream/promises'
import type { EvidenceMime } from '#contract/fields/evidence.ts'
import { pictureSizes } from '#contract/fields/pictures.ts'
import type { Database, Transaction } from '../../platform/db/database.ts'
import { transaction } from '../../platform/db/database.ts'
import {
  documentNames,
  evidenceOrder,
  type CatalogueDocument,
  type CatalogueIndex,
  type DocumentName,
  type PictureFile,
} from '../catalogue/catalogue-format.ts'
import { readDocuments } from '../catalogue/document-queries.ts'
import { pictureKey } from '../pictures/store-picture.ts'
import {
  toArtistCells,
  byteOrderMark,
  csvHeads,
  formatCsvLine,
  formatM3u,
  toPlaylistCells,
  toReleaseCells,
  toTrackCells,
  type ListedTrack,
  type PlaceOnRelease,
} from './export-lists.ts'
import { createPaths, toSafeFileName } from './file-paths.ts'

export interface Spooled {
  counts: CatalogueIndex['counts']
  /** Finished local files, by their path in the export. */
  files: { path: string; localPath: string }[]
  /** Path of a local file with one line of JSON (SpooledObject) for each stored object. */
  objectList: string
}

export interface SpooledObject {
  path: string
  key: string
}

export async function spoolCatalogue(db: Database, folder: string): Promise<Spooled> {
  return transaction(db, (trx) => spoolSnapshot(trx, folder), { isolation: 'repeatable read' })
}

async function spoolSnapshot(trx: Transaction, folder: string): Promise<Spooled> {
  const writer = await openWriter(folder)
  const spool = { trx, writer, choosePath: createPaths(), counts: {} as Spooled['counts'] }
  const names = await readPlaces(trx)
  const listed = new Map<string, ListedTrack>()
  for (const name of documentNames) {
    let count = 0
    for await (const row of readDocuments(trx, name)) {
      count += 1
      await writeDocument(spool, name, row, { places: names, listed })
    }
    spool.counts[name] = count
    if (count === 0) await writer.write(`catalogue/${name}.jsonl`, '')
  }
  return { counts: spool.counts, ...(await writer.close()) }
}

interface Spool {
  trx: Transaction
  writer: SpoolWriter
  choosePath: ReturnType<typeof createPaths>
}

interface Known {
  /** The first release of each track, and the track's position on it. */
  places: ReadonlyMap<string, PlaceOnRelease>
  listed: Map<string, ListedTrack>
}

async function writeDocument(
  { trx, writer, choosePath }: Spool,
  name: DocumentName,
  { document, source_key }: { document: string; source_key: string | null },
  { places, listed }: Known,
): Promise<void> {
  const row: unknown = JSON.parse(document)
  const csv = async (kind: keyof typeof csvHeads, cells: Parameters<typeof formatCsvLine>[0]) =>
    writer.write(
      `tables/${kind}.csv`,
      formatCsvLine(cells),
      byteOrderMark + formatCsvLine(csvHeads[kind]),
    )
  const listTracks = (ids: readonly string[]) => ids.flatMap((id) => listed.get(id) ?? [])
  const whole = row as CatalogueDocument<typeof name>
  let written: object = whole
  switch (name) {
    case 'pictures': {
      const picture = row as CatalogueDocument<'pictures'>
      written = { ...picture, files: await writePictureFiles(trx, writer, picture) }
      break
    }
    case 'artists':
      await csv('artists', toArtistCells(row as CatalogueDocument<'artists'>))
      break
    case 'tracks': {
      const track = row as CatalogueDocument<'tracks'>
      const place = places.get(track.id)
      const path = source_key === null ? null : buildTrackPath(choosePath, track, place, source_key)
      if (path !== null) await writer.writeObject({ path, key: source_key! })
      const file = path === null ? null : toExportedFile(track, path)
      const evidence = await writeEvidenceFiles(trx, writer, choosePath, track)
      written = { ...track, evidence, file }
      listed.set(track.id, { path, title: track.title, artist: track.artist })
      await csv('tracks', toTrackCells({ ...track, file }, place))
      break
    }
    case 'releases': {
      const release = row as CatalogueDocument<'releases'>
      const tracks = listTracks(release.tracks.map(({ track_id }) => track_id))
      const path = choosePath('releases', toSafeFileName(release.title), '.m3u8')
      await writer.writeWhole(path, formatM3u(release.title, tracks))
      await csv('releases', toReleaseCells(release))
      break
    }
    case 'playlists': {
      const playlist = row as CatalogueDocument<'playlists'>
      const tracks = listTracks(playlist.tracks.map(({ track_id }) => track_id))
      const path = choosePath('playlists', toSafeFileName(playlist.title), '.m3u8')
      await writer.writeWhole(path, formatM3u(playlist.title, tracks))
      await csv('playlists', toPlaylistCells(playlist))
      break
    }
    case 'genres':
    case 'categories':
  }
  await writer.write(`catalogue/${name}.jsonl`, `${JSON.stringify(written)}\n`)
}

function toExportedFile(
  { source_bytes, source_sha256 }: CatalogueDocument<'tracks'>,
  path: string,
): CatalogueDocument<'tracks'>['file'] {
  return { path, byte_size: source_bytes ?? 0, sha256: source_sha256 ?? '' }
}

/**
 * Creates a track's path: `music/Mira/Night Drive/03 Slow Light.wav`, or `music/Mira/Slow Light.wav` if the track is on
 * no release.
 */
function buildTrackPath(
  choosePath: Spool['choosePath'],
  { title, artist }: CatalogueDocument<'tracks'>,
  place: PlaceOnRelease | undefined,
  key: string,
): string {
  const folder = ['music', toSafeFileName(artist), ...(place ? [toSafeFileName(place.title)] : [])]
  const disc = place && place.disc > 1 ? `${place.disc}-` : ''
  const number = place ? `${disc}${String(place.position).padStart(2, '0')} ` : ''
  return choosePath(folder.join('/'), toSafeFileName(number + title), extname(key).slice(0, 6))
}

const extensionOf: Readonly<Record<EvidenceMime, string>> = {
  'application/pdf': '.pdf',
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'text/plain': '.txt',
}

/** Adds evidence files with paths such as `evidence/Mira/Slow Light/receipt.pdf`. */
async function writeEvidenceFiles(
  trx: Transaction,
  writer: SpoolWriter,
  choosePath: Spool['choosePath'],
  { id, title, artist, evidence }: CatalogueDocument<'tracks'>,
): Promise<CatalogueDocument<'tracks'>['evidence']> {
  if (evidence.length === 0) return []
  const rows = await trx.query
    .selectFrom('track_evidence')
    .select('storage_key')
    .where('track_id', '=', id)
    .orderBy(evidenceOrder[0])
    .orderBy(evidenceOrder[1])
    .orderBy(evidenceOrder[2])
    .execute()
  const folder = `evidence/${toSafeFileName(artist)}/${toSafeFileName(title)}`
  const files: CatalogueDocument<'tracks'>['evidence'] = []
  for (const [at, one] of evidence.entries()) {
    const name = toSafeFileName(parse(one.filename).name)
    const path = choosePath(folder, name, extensionOf[one.mime])
    await writer.writeObject({ path, key: rows[at]!.storage_key })
    files.push({ ...one, path })
  }
  return files
}

async function writePictureFiles(
  trx: Transaction,
  writer: SpoolWriter,
  { id, kind }: CatalogueDocument<'pictures'>,
): Promise<PictureFile[]> {
  const sizes = pictureSizes.flatMap((size) =>
    (['avif', 'webp'] as const).map((format) => {
      const path = `pictures/${id}/${size}.${format}`
      return { path, key: pictureKey(kind, id, size, format), size, format }
    }),
  )
  const rows = await trx.query
    .selectFrom('stored_files')
    .select(['storage_key', 'byte_size', 'sha256'])
    .where(
      'storage_key',
      'in',
      sizes.map(({ key }) => key),
    )
    .execute()
  const stored = new Map(rows.map((row) => [row.storage_key, row]))
  const files: PictureFile[] = []
  for (const { path, key, size, format } of sizes) {
    const { byte_size, sha256 } = stored.get(key) ?? {}
    if (!byte_size || !sha256) continue
    await writer.writeObject({ path, key })
    files.push({ path, byte_size, sha256, size, format })
  }
  return files
}

async function readPlaces(trx: Transaction): Promise<Map<string, PlaceOnRelease>> {
  const rows = await trx.query
    .selectFrom('release_tracks as e')
    .innerJoin('releases as r', 'r.id', 'e.release_id')
    .distinctOn('e.track_id')
    .select(['e.track_id', 'r.title', 'e.disc', 'e.position'])
    .where('r.deleted_at', 'is', null)
    .orderBy('e.track_id')
    .orderBy('r.is_published', 'desc')
    .orderBy('r.created_at')
    .orderBy('r.id')
    .execute()
  return new Map(rows.map(({ track_id, ...place }) => [track_id, place]))
}

interface SpoolWriter {
  /** Appends text to a file. A new file starts with `head`. */
  write: (path: string, text: string, head?: string) => Promise<void>
  writeWhole: (path: string, text: string) => Promise<void>
  writeObject: (object: SpooledObject) => Promise<void>
  close: () => Promise<Pick<Spooled, 'files' | 'objectList'>>
}

async function openWriter(folder: string): Promise<SpoolWriter> {
  const streams = new Map<string, { stream: WriteStream; localPath: string }>()
  const whole: Spooled['files'] = []
  const open = (path: string, localPath: string) => {
    const stream = createWriteStream(localPath)
    streams.set(path, { stream, localPath })
    return stream
  }
  await mkdir(join(folder, 'lists'))
  const append = async (stream: WriteStream, text: string) => {
    if (!stream.write(text)) await once(stream, 'drain')
  }
  const close = async (stream: WriteStream) => {
    stream.end()
    await finished(stream)
  }
  const objectList = join(folder, 'objects.jsonl')
  const objects = createWriteStream(objectList)
  return {
    async write(path, text, head) {
      const known = streams.get(path)?.stream
      const stream = known ?? open(path, join(folder, path.replaceAll('/', '-')))
      if (!known && head !== undefined) await append(stream, head)
      await append(stream, text)
    },
    async writeWhole(path, text) {
      const localPath = join(folder, 'lists', String(whole.length))
      const stream = createWriteStream(localPath)
      await append(stream, text)
      await close(stream)
      whole.push({ path, localPath })
    },
    writeObject: (object) => append(objects, `${JSON.stringify(object)}\n`),
    async close() {
      await close(objects)
      for (const { stream } of streams.values()) await close(stream)
      const files = [...streams].map(([path, { localPath }]) => ({ path, localPath }))
      return { files: [...files, ...whole], objectList }
    },
  }
}
