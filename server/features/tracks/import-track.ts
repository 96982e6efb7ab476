// Creates a track from an uploaded file. The title and artist come from the file's tags or name. Importing the same
// upload again returns the same track. A second track of the same recording is created only with `allow_duplicate`.
import { sql } from 'kysely'
import type { Output, ParsedInput } from '#contract/endpoint.ts'
import { batchMaxFiles } from '#contract/admin/track-imports.ts'
import type * as contract from '#contract/admin/track-imports.ts'
import { artistLine, type CreditInput } from '#contract/fields/artist-credits.ts'
import type { AiDisclosure } from '#contract/fields/ai-disclosure.ts'
import type { SideFile } from '#contract/fields/side-files.ts'
import { maxCategories } from '#contract/tracks.ts'
import { withoutAudit } from '../../platform/audit/audited-database.ts'
import { transaction, type Handle, type Transaction } from '../../platform/db/database.ts'
import { AppError } from '../../platform/operations/app-error.ts'
import type { MemberContext } from '../../platform/operations/context.ts'
import { isPermanentMediaError } from '../../platform/ffmpeg/media-error.ts'
import { storeUploadedPicture } from '../pictures/store-picture.ts'
import { resolveCredits, type ResolvedCredit } from '../credits/write-credits.ts'
import { readSideFiles, type SideFacts } from '../side-files/read-side-files.ts'
import type { AudioHeader, AudioTags } from '../../platform/ffmpeg/audio-header.ts'
import { computeAudioFingerprint } from '../../platform/ffmpeg/fingerprint-audio.ts'
import { probeAudio } from '../../platform/ffmpeg/probe.ts'
import type { PlatformServices } from '../../platform/start/platform-services.ts'
import { visibleToStaff } from '../ownership/owned-by.ts'
import { deleteUnusedUpload } from '../uploads/sweep-uploads.ts'
import { findCompleteUpload, useUpload, type FinishedUpload } from '../uploads/use-upload.ts'
import type { AdminTrackServices } from './admin-track-operations.ts'
import { findAdminTrack } from './admin-track-query.ts'
import { extractTrackFields, type ExtractedFields } from './extract-track-fields.ts'
import { insertTrack } from './insert-track.ts'
import { findBareId, isToolName, extractOrigin, type FileOrigin } from './extract-origin.ts'
import {
  findRecording,
  rejectKnownRecording,
  rejectKnownSource,
  rejectSameSound,
} from './known-recordings.ts'
import { saveFingerprint, type MeasuredFingerprint } from './track-fingerprints.ts'
import { selectTrackCategories, coverUrl } from './track-query.ts'

type Input = ParsedInput<typeof contract.importTrack>

export type ImportTrackServices = AdminTrackServices & Pick<PlatformServices, 'ffmpeg'>

/** Details from another server or from an archive's metadata. They take precedence over the file's tags. */
export interface ImportDetails {
  fields: Pick<
    AudioTags,
    | 'title'
    | 'artist'
    | 'album'
    | 'albumArtist'
    | 'disc'
    | 'trackNumber'
    | 'genre'
    | 'year'
    | 'lyrics'
  >
  /** Names or slugs of categories. Unknown ones are ignored. */
  categories: string[]
  moods: string[]
  tags: string[]
  /** If empty, a credit is created from the text in `artist`. */
  credits: CreditInput[]
  /** The record label of the album. */
  label?: string
  explicit?: boolean
  ai_disclosure?: AiDisclosure
}
const noDetails: ImportDetails = { fields: {}, categories: [], moods: [], tags: [], credits: [] }

/** Throws the error codes of the endpoint's contract. A file without audio is rejected before anything is written. */
export async function importTrack(
  services: ImportTrackServices,
  ctx: MemberContext,
  { body }: Input,
  details = noDetails,
): Promise<Output<typeof contract.importTrack>> {
  const earlier = await findTrackOfUpload(ctx, body.audio_path)
  if (earlier) return { data: await findAdminTrack(ctx.db, earlier) }
  const owned = { path: body.audio_path, bucket: 'audio', userId: ctx.actor.user_id } as const
  try {
    const upload = await findCompleteUpload(ctx.db, owned)
    const isCompared =
      !body.allow_duplicate && !(await findRecording(ctx.db, ctx.actor, upload.sha256))
    const { header, fingerprint } = await analyzeUpload(services, ctx, upload, isCompared)
    const tags = { ...header.tags, ...details.fields }
    const side = readSideFiles(collectSideFiles(body))
    const fields = extractTrackFields(
      mergeSideFacts(tags, side),
      upload.filename,
      await chooseFallbackArtist(services, ctx),
    )
    const origin = extractOrigin(tags, side.text)
    return {
      data: await create(services, ctx, body, { fields, tags, origin, details, fingerprint }),
    }
  } catch (error) {
    // A client that lost the response may retry while its first request is still running. Return that request's track.
    const same =
      error instanceof AppError &&
      error.code === 'upload_used' &&
      (await findTrackOfUpload(ctx, body.audio_path))
    if (!same) throw error
    return { data: await findAdminTrack(ctx.db, same) }
  }
}

/**
 * The artist for a file whose tags and name contain none: the site's default artist or, for a creator, the creator's
 * oldest artist.
 */
async function chooseFallbackArtist(
  { branding }: ImportTrackServices,
  { db, actor }: MemberContext,
): Promise<string> {
  if (actor.role !== 'creator') return branding().artist_name
  const own = await db.query
    .selectFrom('artists')
    .select('name')
    .where('owner_id', '=', actor.user_id)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return own?.name ?? (actor.display_name.trim() || 'Unknown artist')
}

function collectSideFiles({ side_files = [], side_text }: Input['body']): SideFile[] {
  return side_text ? [{ kind: 'txt', text: side_text }, ...side_files] : side_files
}

/**
 * Adds the values from side files (texts uploaded with the audio) to the tags. Tags take precedence, except for lyrics:
 * those in side files may be timed.
 */
function mergeSideFacts(tags: AudioTags, { title, artist, lyrics }: SideFacts): AudioTags {
  return {
    ...tags,
    ...(!tags.title && title !== null && { title }),
    ...(!tags.artist && artist !== null && { artist }),
    ...(lyrics !== null && { lyrics }),
  }
}

/**
 * Measures an upload and reads its tags. An upload without audio is deleted immediately, because nothing will use it.
 */
async function analyzeUpload(
  { storage, ffmpeg }: ImportTrackServices,
  ctx: MemberContext,
  { id, storageKey }: FinishedUpload,
  isCompared: boolean,
): Promise<{ header: AudioHeader; fingerprint: MeasuredFingerprint | null }> {
  try {
    return await storage.withLocalFile(storageKey, async (path) => {
      const header = await probeAudio(path)
      const bytes = isCompared ? await computeAudioFingerprint(ffmpeg, { ...header, path }) : null
      return {
        header,
        fingerprint: bytes && { seconds: header.durationSeconds ?? 0, bytes },
      }
    })
  } catch (error) {
    if (isPermanentMediaError(error)) await deleteUnusedUpload(withoutAudit(ctx.db), id)
    throw error
  }
}

/** Finds the track that was created from this upload: the upload's path is the storage key of the track's source. */
async function findTrackOfUpload(
  { db, actor }: MemberContext,
  path: string,
): Promise<string | undefined> {
  const row = await db.query
    .selectFrom('tracks')
    .select('id')
    .where('source_key', '=', path)
    .where(visibleToStaff(actor, 'owner_id'))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.id
}

interface FoundInFile {
  fields: ExtractedFields
  tags: AudioTags
  origin: FileOrigin | null
  details: ImportDetails
  /** Null if the recording is not compared with others. */
  fingerprint: MeasuredFingerprint | null
}

async function create(
  services: ImportTrackServices,
  ctx: MemberContext,
  body: Input['body'],
  { fields, tags, origin, details, fingerprint }: FoundInFile,
) {
  const cover = await storeUploadedPicture(services.pictures, ctx, body.cover_path, 'cover')
  return transaction(ctx.db, async (trx) => {
    const source = await useUpload(trx, {
      path: body.audio_path,
      bucket: 'audio',
      userId: ctx.actor.user_id,
    })
    if (!body.allow_duplicate) {
      await rejectKnownRecording(trx, ctx.actor, source.sha256)
      if (origin?.source_id) await rejectKnownSource(trx, ctx.actor, origin)
      if (fingerprint) await rejectSameSound(trx, ctx.actor, fingerprint)
    }
    const { genre: taggedGenre, ...named } = fields
    const { genre, found_genre } = await chooseGenre(trx, taggedGenre, origin)
    const credits = await resolveGivenCredits(trx, details)
    const values = {
      ...named,
      ...(credits && { artist: artistLine(credits) }),
      ...(await findExistingLabels(trx, details)),
      tags: [...new Set([...named.tags, ...details.tags])],
      genre,
      found_genre,
      // For a generated song, the comment is stored in the private origin, not in the public description.
      ...(origin && { description: null }),
      import_batch: body.batch,
      ...(cover && { cover_id: await cover.claim(trx) }),
      ...(details.explicit && { explicit: true }),
      ...(details.ai_disclosure && { ai_disclosure: details.ai_disclosure }),
      ...(origin && { ai_disclosure: 'ai_generated' as const, ai_tool: formatTool(origin) }),
    }
    const track = await insertTrack(services, ctx, trx, source, values, credits)
    // Save the fingerprint before processing, so that the next file of the batch is already compared with it.
    if (fingerprint) await saveFingerprint(trx, track.id, fingerprint)
    const storedTags = { ...(origin ? removeToolNames(tags) : tags), label: details.label }
    await saveFileTags(trx, track.id, storedTags, body.folder ?? null)
    if (origin) {
      await trx.query
        .insertInto('track_origins')
        .values({ track_id: track.id, ...origin, parts: JSON.stringify({ music: 'generated' }) })
        .execute()
    }
    return track
  })
}

/** The given categories that exist, in the given order, and the given moods. */
async function findExistingLabels(trx: Transaction, { categories, moods }: ImportDetails) {
  const wanted = categories.map((name) => name.toLowerCase())
  const { rows } = await sql<{ category: string }>`
    select category from (
      select c.category, min(w.place) as place
        from category_metadata c
        join unnest(${wanted}::text[]) with ordinality w (name, place)
          on w.name in (lower(c.category), lower(c.display_name))
       group by c.category) found
     order by place`.execute(trx.query)
  const [category = null, ...more_categories] = rows.map((row) => row.category)
  return { category, more_categories: more_categories.slice(0, maxCategories - 1), moods }
}

/** Null if no credits are given or the resulting artist line would be too long. */
async function resolveGivenCredits(
  trx: Transaction,
  { credits }: ImportDetails,
): Promise<ResolvedCredit[] | null> {
  if (credits.length === 0) return null
  return resolveCredits(trx, credits).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'artist_line_too_long') return null
    throw error
  })
}

function formatTool({ tool, model }: FileOrigin): string {
  return [tool, model].filter(Boolean).join(' ')
}

/** Stores the tags and the folder of a file, from which releases are proposed. Both are untrusted input. */
async function saveFileTags(
  trx: Transaction,
  track_id: string,
  { album, albumArtist, disc, trackNumber, year, label }: AudioTags & { label: string | undefined },
  folder: string | null,
): Promise<void> {
  if (!album && !folder) return
  const within = (value: number | undefined, min: number, max: number) =>
    value !== undefined && Number.isInteger(value) && value >= min && value <= max ? value : null
  await trx.query
    .insertInto('track_file_tags')
    .values({
      track_id,
      album: album ?? null,
      album_artist: albumArtist ?? null,
      disc: within(disc, 1, 100),
      track_number: within(trackNumber, 1, 9999),
      year: within(year, 1000, 9999),
      folder: folder || null,
      label: label ?? null,
    })
    .execute()
}

/**
 * Tools for generated songs write the generator's name as album and album artist of every song. Suno itself writes the
 * title as the album, and both takes of a prompt have the same title. Neither is a real album.
 */
function removeToolNames(given: AudioTags): AudioTags {
  const { album, albumArtist, ...tags } = given
  const isOwn = album !== undefined && !isToolName(album) && findBareId(given) === undefined
  return {
    ...tags,
    ...(isOwn && { album }),
    ...(albumArtist !== undefined && !isToolName(albumArtist) && { albumArtist }),
  }
}

const maxFoundGenre = 40

/**
 * Chooses a genre for the track. The genre tag of a generated song often contains its whole style: use the first part
 * that is a known genre.
 */
async function chooseGenre(
  trx: Transaction,
  tagged: string | null,
  origin: FileOrigin | null,
): Promise<{ genre: string | null; found_genre: string | null }> {
  if (tagged === null) return { genre: null, found_genre: null }
  const parts = origin
    ? tagged
        .split(/[,;]/)
        .map((part) => part.trim())
        .filter(
          (part) => part !== '' && !isToolName(part) && !/^ai[ -](?:generated|music)$/i.test(part),
        )
    : [tagged]
  // Look up the whole tag before its parts: a genre's name may contain a comma.
  for (const part of new Set([tagged, ...parts])) {
    const genre = await findGenreName(trx, part)
    if (genre !== null) return { genre, found_genre: null }
  }
  const [first = null] = parts
  const isName = first !== null && (!origin || first.length <= maxFoundGenre)
  return { genre: null, found_genre: isName ? first : null }
}

async function findGenreName(db: Handle, name: string): Promise<string | null> {
  const row = await db.query
    .selectFrom('genres')
    .select('name')
    .where(sql<boolean>`lower(name) = lower(${name})`)
    .executeTakeFirst()
  return row?.name ?? null
}

/** Lists the tracks of one import batch. */
export async function listImportedTracks(
  ctx: MemberContext,
  { params }: ParsedInput<typeof contract.listImportedTracks>,
): Promise<Output<typeof contract.listImportedTracks>> {
  const data = await ctx.db.query
    .selectFrom('tracks as t')
    .leftJoin('images as cover', 'cover.id', 't.cover_id')
    .leftJoin('track_file_tags as f', 'f.track_id', 't.id')
    .select([
      't.id',
      't.title',
      't.artist',
      't.category',
      selectTrackCategories('t').as('categories'),
      't.moods',
      't.genre',
      't.tags',
      't.explicit',
      't.ai_disclosure',
      't.duration',
      't.loudness_lufs',
      't.true_peak_dbtp',
      coverUrl('t.cover_id').as('cover_url'),
      'cover.tint as cover_tint',
      'cover.placeholder as cover_placeholder',
      't.is_published',
      't.publish_when_ready',
      't.processing_status',
      't.processing_progress',
      't.processing_error',
      't.found_genre',
      't.release_at',
      't.release_zone',
      't.early_access_days',
      't.audience',
      sql<string | null>`coalesce(f.folder, f.album)`.as('folder'),
    ])
    .where('t.import_batch', '=', params.id)
    .where(visibleToStaff(ctx.actor, 't.owner_id'))
    .where('t.deleted_at', 'is', null)
    .orderBy('t.created_at')
    .orderBy('t.id')
    .limit(batchMaxFiles)
    .execute()
  return { data }
}
