// Imports the songs of another server. The songs are listed first, and the owner confirms the list. Then each song is
// downloaded and imported like a file of an archive. The progress is stored in the import's items, so a job continues
// after a crash.
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { SideFile } from '#contract/fields/side-files.ts'
import { uploadMaxBytes } from '#contract/uploads.ts'
import type { Database } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'
import type { ImportDetails } from '../tracks/import-track.ts'
import { ImportError } from './archive-error.ts'
import { forEachItem, markOwnTrackDone, type ImportJob } from './import-archive.ts'
import { importFile } from './import-file.ts'
import {
  insertItems,
  isRunning,
  type ItemResult,
  type ItemRow,
  type NewItem,
} from './import-rows.ts'
import { listRemoteSongs } from './list-server-songs.ts'
import type { SourceConfig } from './server-address.ts'
import { createServerClient, type ServerClient, type ServerLogin } from './server-client.ts'
import { UnavailableItemError, TemporaryServerError } from './server-error.ts'
import { readServerLyrics } from './server-lyrics.ts'
import type { ServerSong } from './server-song.ts'

export interface ServerImportServices {
  config: SourceConfig
  secretBox: SecretBox
}

type ServerJob = Omit<ImportJob, 'services'> & {
  services: ImportJob['services'] & ServerImportServices
}

const loginSchema = z.union([
  z.object({ user: z.string(), password: z.string() }),
  z.object({ api_key: z.string() }),
])

export const sealLogin = ({ secretBox }: ServerImportServices, login: ServerLogin): string =>
  secretBox.seal(JSON.stringify(login))

function openLogin({ services, row }: ServerJob): ServerLogin {
  const text = row.server_login_sealed && services.secretBox.open(row.server_login_sealed)
  if (!text)
    throw new ImportError('The sign-in details are no longer stored. Start the import again.')
  return loginSchema.parse(JSON.parse(text))
}

/** The JSON in an item's column `data`. */
interface SongData {
  cover: string | null
  suffix: string
  details: ImportDetails
}

class StoppedError extends Error {}

/** Returns whether the import is finished. If it is not, the owner has to confirm the list of songs first. */
export async function importServer(job: ServerJob): Promise<boolean> {
  const { services, row } = job
  const stop = new AbortController()
  const watching = setInterval(() => void stopWithImport(services.db, row.id, stop), stopCheckMs)
  const client = createServerClient({
    config: services.config,
    url: row.server_url ?? '',
    login: openLogin(job),
    signal: AbortSignal.any([job.signal, stop.signal]),
  })
  try {
    if (row.format === null) {
      await listItems(job, client)
      return false
    }
    await importSongs(job, client)
    return true
  } catch (error) {
    if (stop.signal.aborted) return true
    throw error
  } finally {
    clearInterval(watching)
    client.close()
  }
}

const stopCheckMs = 2000

/** Aborts a running download when an admin stops the import. */
async function stopWithImport(db: Database, id: string, stop: AbortController): Promise<void> {
  // Ignore database errors in this check: the import itself will fail with them.
  if (!(await isRunning(db, id).catch(() => true))) stop.abort(new StoppedError())
}

async function listItems({ services: { db }, row, signal }: ServerJob, client: ServerClient) {
  const songs = await listRemoteSongs(client, async () => signal.throwIfAborted())
  if (songs.length === 0) throw new ImportError('There is no music on this server.')
  const known = await findEarlierImports(db, row.server_url ?? '')
  await insertItems(
    db,
    row.id,
    'server',
    songs.map((song) => toItem(song, known.get(song.id))),
  )
  await db.query
    .updateTable('imports')
    .set({ status: 'listed' })
    .where('id', '=', row.id)
    .where('status', '=', 'running')
    .execute()
}

/** Maps song ids of this server to the existing tracks that were imported from these songs. */
async function findEarlierImports(db: Database, url: string): Promise<Map<string, string>> {
  const rows = await db.query
    .selectFrom('import_items as e')
    .innerJoin('imports as i', 'i.id', 'e.import_id')
    .innerJoin('tracks as t', 't.id', 'e.track_id')
    .select(['e.path', 't.id'])
    .where('i.server_url', '=', url)
    .where('t.deleted_at', 'is', null)
    .execute()
  return new Map(rows.map(({ path, id }) => [path, id]))
}

function toItem(song: ServerSong, knownTrackId: string | undefined): NewItem {
  const { details, coverId, suffix } = song
  const { title, artist, album } = details.fields
  const data: SongData = { cover: coverId ?? null, suffix, details }
  const name = [artist, title].filter(Boolean).join(' – ') + (album ? ` (${album})` : '')
  const item: NewItem = { kind: 'recording', path: song.id, name, data }
  if (knownTrackId === undefined) return item
  return { ...item, status: 'known', known_track_id: knownTrackId, known_by: 'source' }
}

/** After this many failed songs in a row, the import ends, because the server is probably down. */
const maxFailuresInRow = 10

async function importSongs(job: ServerJob, client: ServerClient): Promise<void> {
  let failures = 0
  await forEachItem(job, 'recording', async (item) => {
    try {
      const result = await importSong(job, client, item)
      failures = 0
      return result
    } catch (error) {
      if (error instanceof UnavailableItemError) return { status: 'failed', reason: error.message }
      if (!(error instanceof TemporaryServerError) || ++failures >= maxFailuresInRow) throw error
      return { status: 'failed', reason: error.message }
    }
  })
}

async function importSong(
  { services, ctx, row }: ServerJob,
  client: ServerClient,
  item: ItemRow,
): Promise<ItemResult> {
  const { cover, suffix, details } = item.data as SongData
  return services.storage.withScratchFolder(async (scratch) => {
    const localPath = join(scratch, 'recording')
    const id = item.path
    const type = await client.download(
      'download',
      { id },
      { path: localPath, maxBytes: uploadMaxBytes.audio },
    )
    const lyrics = await readServerLyrics(client, id)
    const result = await importFile(services, ctx, {
      localPath,
      filename: `${details.fields.title ?? 'Song'}.${suffixes[type] ?? suffix}`,
      batch: row.id,
      folder: null,
      sideFiles: lyrics ? ([lyrics] satisfies SideFile[]) : [],
      details,
      cover: cover === null ? null : await downloadCover(client, cover, join(scratch, 'cover')),
      decision: item.decision,
      knownTrackId: item.known_track_id,
    })
    return markOwnTrackDone(services, row.id, result)
  })
}

const suffixes: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/aac': 'aac',
  'audio/ogg': 'ogg',
  'audio/opus': 'opus',
  'audio/aiff': 'aiff',
  'audio/x-aiff': 'aiff',
}

/** Null if the server has no cover for the song or sends something that is not a picture. */
async function downloadCover(
  client: ServerClient,
  id: string,
  path: string,
): Promise<string | null> {
  try {
    const type = await client.download(
      'getCoverArt',
      { id },
      { path, maxBytes: uploadMaxBytes.covers },
    )
    return type.startsWith('image/') || type === 'application/octet-stream' ? path : null
  } catch (error) {
    if (error instanceof UnavailableItemError) return null
    throw error
  }
}
