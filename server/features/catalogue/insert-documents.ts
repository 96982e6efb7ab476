// Inserts the documents of an export. Can be repeated: existing rows are kept. Ids are preserved, so that links and
// references stay valid. If another row has the same name, that row is used instead.
import { sql } from 'kysely'
import type { EvidenceMime } from '#contract/fields/evidence.ts'
import { triggerLocks } from '../../platform/db/advisory-locks.ts'
import type { Transaction } from '../../platform/db/database.ts'
import { chooseSlug } from '../releases/release-slug.ts'
import {
  catalogueDocuments,
  type CatalogueDocument,
  type DocumentName,
  type ExportedDocument,
  type ExportedPart,
} from './catalogue-format.ts'

/** Maps ids in an export to ids of existing rows: an artist with the same name, or a track with the same recording. */
export type ExistingIds = ReadonlyMap<string, string>

/** Inserts rows and returns their number. With `skipExisting`, rows whose key already exists are skipped. */
async function insertRows(
  trx: Transaction,
  { table, columns }: Pick<ExportedPart, 'table' | 'columns'>,
  rows: readonly object[],
  { extra = [], skipExisting = false }: { extra?: readonly string[]; skipExisting?: boolean } = {},
): Promise<number> {
  if (rows.length === 0) return 0
  const names = [...Object.keys(columns), ...extra].map((column) => sql.ref(column))
  const { numAffectedRows } = await sql`
    insert into ${sql.table(table)} (${sql.join(names)})
    select ${sql.join(names)}
      from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
    ${skipExisting ? sql`on conflict do nothing` : sql``}`.execute(trx.query)
  return Number(numAffectedRows ?? 0)
}

function getPart(name: DocumentName, part: string): ExportedPart {
  const { parts }: ExportedDocument = catalogueDocuments[name]
  return parts[part]!
}

/** Inserts the nested rows of a document, with the id of their parent row. */
async function insertPart(
  trx: Transaction,
  name: DocumentName,
  part: string,
  rows: readonly object[],
  parentId: string,
  options: { skipExisting?: boolean } = {},
): Promise<void> {
  const spec = getPart(name, part)
  const whole = rows.map((row) => ({ ...row, [spec.parent]: parentId }))
  await insertRows(trx, spec, whole, { ...options, extra: [spec.parent] })
}

export function insertGenres(
  trx: Transaction,
  genres: readonly CatalogueDocument<'genres'>[],
): Promise<number> {
  return insertRows(trx, catalogueDocuments.genres, genres, { skipExisting: true })
}

export async function insertCategories(
  trx: Transaction,
  categories: readonly CatalogueDocument<'categories'>[],
): Promise<number> {
  const pictures = await findPictures(
    trx,
    categories.map(({ cover_id }) => cover_id),
  )
  const rows = categories.map((one) => ({ ...one, cover_id: pictures.get(one.cover_id) }))
  return insertRows(trx, catalogueDocuments.categories, rows, { skipExisting: true })
}

/** Maps the id of each existing picture to itself. A missing picture has no entry, so its id is stored as null. */
async function findPictures(
  trx: Transaction,
  ids: readonly (string | null)[],
): Promise<Map<string | null, string>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return new Map()
  const rows = await trx.query.selectFrom('images').select('id').where('id', 'in', wanted).execute()
  return new Map(rows.map(({ id }) => [id, id]))
}

/** Inserts artists. If an existing artist has the same name, adds its id to `existingIds` instead. */
export async function insertArtists(
  trx: Transaction,
  artists: readonly CatalogueDocument<'artists'>[],
  existingIds: Map<string, string>,
): Promise<number> {
  await sql`select pg_advisory_xact_lock(${triggerLocks.newArtists})`.execute(trx.query)
  const pictures = await findPictures(
    trx,
    artists.map(({ picture_id }) => picture_id),
  )
  let insertedCount = 0
  for (const { aliases, slugs, merges, ...artist } of artists) {
    const here = await findExistingArtist(trx, artist)
    if (here !== null) {
      if (here !== artist.id) existingIds.set(artist.id, here)
      continue
    }
    const { rows } = await sql<{ slug: string }>`
      select case when exists (select from artists where slug = ${artist.slug})
                    or exists (select from artist_slugs where slug = ${artist.slug})
             then free_artist_slug(${artist.name}) else ${artist.slug} end as slug`.execute(
      trx.query,
    )
    const row = { ...artist, slug: rows[0]!.slug, picture_id: pictures.get(artist.picture_id) }
    insertedCount += await insertRows(trx, catalogueDocuments.artists, [row])
    await insertFormerNames(trx, artist.id, { aliases, slugs, merges })
  }
  return insertedCount
}

async function findExistingArtist(
  trx: Transaction,
  { id, name }: Pick<CatalogueDocument<'artists'>, 'id' | 'name'>,
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from artists where id = ${id}
    union all select id from artists where name = ${name}
    union all select artist_id from artist_aliases where name = ${name}
    union all select artist_id from artist_merges where id = ${id} limit 1`.execute(trx.query)
  return rows[0]?.id ?? null
}

/** Inserts former names and slugs of artists. Skips those that another existing artist has. */
async function insertFormerNames(
  trx: Transaction,
  id: string,
  { aliases, slugs, merges }: Pick<CatalogueDocument<'artists'>, 'aliases' | 'slugs' | 'merges'>,
): Promise<void> {
  const { rows } = await sql<{ taken: string }>`
    select name as taken from artists where name = any(${aliases.map(({ name }) => name)}::text[])
    union all select slug from artists where slug = any(${slugs.map(({ slug }) => slug)}::text[])`.execute(
    trx.query,
  )
  const taken = new Set(rows.map((row) => row.taken))
  const free = aliases.filter(({ name }) => !taken.has(name))
  const freeSlugs = slugs.filter(({ slug }) => !taken.has(slug))
  await insertPart(trx, 'artists', 'aliases', free, id, { skipExisting: true })
  await insertPart(trx, 'artists', 'slugs', freeSlugs, id, { skipExisting: true })
  await insertPart(trx, 'artists', 'merges', merges, id, { skipExisting: true })
}

export interface TrackSource {
  source_key: string | null
  import_batch: string
}

/** An evidence file whose content is already stored. */
export interface StoredEvidence {
  filename: string
  mime: EvidenceMime
  byte_size: number
  sha256: string
  created_at: string
  storage_key: string
  created_by: string | null
}

/** Inserts a track. A track that was published in the export is published once it is processed. */
export async function insertTrackDocument(
  trx: Transaction,
  document: CatalogueDocument<'tracks'>,
  { evidence, ...source }: TrackSource & { evidence: readonly StoredEvidence[] },
  existingIds: ExistingIds,
): Promise<void> {
  const { credited, origin, file_tags, versions, page_slugs, file: _, ...track } = document
  const pictures = await findPictures(trx, [track.cover_id])
  const row = {
    ...track,
    ...(await findExistingLabels(trx, track)),
    ...source,
    cover_id: pictures.get(track.cover_id) ?? null,
    is_published: false,
    publish_when_ready: track.is_published || track.publish_when_ready,
  }
  await insertRows(trx, catalogueDocuments.tracks, [row], {
    extra: ['source_key', 'import_batch'],
  })
  const credits = credited.map((credit) => ({
    ...credit,
    artist_id: existingIds.get(credit.artist_id) ?? credit.artist_id,
  }))
  await insertPart(trx, 'tracks', 'credited', credits, track.id)
  await insertPart(trx, 'tracks', 'origin', origin, track.id)
  await insertPart(trx, 'tracks', 'file_tags', file_tags, track.id)
  await insertPart(trx, 'tracks', 'versions', versions, track.id)
  const whole = evidence.map((one) => ({ ...one, track_id: track.id }))
  await insertRows(trx, catalogueDocuments.tracks.parts.evidence, whole, {
    extra: ['track_id', 'storage_key', 'created_by'],
  })
  await insertPageSlugs(trx, 'track', track, page_slugs)
}

/** Returns the track's genre and categories that exist in this service, in order. */
async function findExistingLabels(
  trx: Transaction,
  {
    category,
    more_categories,
    genre,
  }: Pick<CatalogueDocument<'tracks'>, 'category' | 'more_categories' | 'genre'>,
): Promise<{ genre: string | null; category: string | null; more_categories: string[] }> {
  const wanted = category === null ? [] : [category, ...more_categories]
  const { rows } = await sql<{ genre: string | null; categories: string[] }>`
    select (select name from genres where name = ${genre}) as genre,
           array(select c.category from category_metadata c
                   join unnest(${wanted}::text[]) with ordinality w (category, place) using (category)
                  order by w.place) as categories`.execute(trx.query)
  const [first = null, ...others] = rows[0]!.categories
  return { genre: rows[0]!.genre, category: first, more_categories: others }
}

/**
 * Replaces the slug that the trigger chose with the exported ones. Slugs that are already used in this service are
 * skipped.
 */
async function insertPageSlugs(
  trx: Transaction,
  kind: 'track' | 'playlist',
  { id, title }: { id: string; title: string },
  slugs: CatalogueDocument<'tracks'>['page_slugs'],
): Promise<void> {
  const current = slugs.find(({ is_current }) => is_current)?.slug
  if (current === undefined) return
  const former = slugs.filter(({ slug }) => slug !== current).map(({ slug }) => slug)
  await sql`delete from page_slugs where kind = ${kind} and item_id = ${id} and is_current`.execute(
    trx.query,
  )
  await sql`
    insert into page_slugs (kind, slug, item_id, is_current)
    select ${kind}, slug, ${id}::uuid, slug = ${current}
      from (select distinct unnest(${[current, ...former]}::text[]) as slug) slugs
    on conflict (kind, slug) do update set is_current = excluded.is_current
      where page_slugs.item_id = excluded.item_id`.execute(trx.query)
  await sql`
    select claim_page_slug(${kind}, ${id}, ${title})
     where not exists (select from page_slugs
                        where kind = ${kind} and item_id = ${id} and is_current)`.execute(trx.query)
}

export async function insertReleases(
  trx: Transaction,
  releases: readonly CatalogueDocument<'releases'>[],
  existingIds: ExistingIds,
): Promise<number> {
  const pictures = await findPictures(
    trx,
    releases.map(({ cover_id }) => cover_id),
  )
  let insertedCount = 0
  for (const { slugs, credited, tracks, ...release } of releases) {
    const { rows } = await sql<{ is_here: boolean; is_taken: boolean }>`
      select exists (select from releases where id = ${release.id}) as is_here,
             exists (select from releases where slug = ${release.slug})
             or exists (select from release_slugs where slug = ${release.slug}) as is_taken`.execute(
      trx.query,
    )
    if (rows[0]!.is_here) continue
    const slug = rows[0]!.is_taken ? await chooseSlug(trx, release.title) : release.slug
    const row = { ...release, slug, cover_id: pictures.get(release.cover_id) }
    insertedCount += await insertRows(trx, catalogueDocuments.releases, [row])
    const here = await mapToExistingTracks(trx, tracks, existingIds)
    const credits = uniqueBy(
      credited.map((credit) => ({
        ...credit,
        artist_id: existingIds.get(credit.artist_id) ?? credit.artist_id,
      })),
      ({ artist_id }) => artist_id,
    )
    await insertPart(trx, 'releases', 'credited', credits, release.id)
    await insertPart(trx, 'releases', 'tracks', here, release.id)
    await insertReleaseSlugs(trx, release.id, slugs)
  }
  return insertedCount
}

async function insertReleaseSlugs(
  trx: Transaction,
  id: string,
  slugs: readonly { slug: string }[],
): Promise<void> {
  const { rows } = await sql<{ slug: string }>`
    select slug from releases where slug = any(${slugs.map(({ slug }) => slug)}::text[])`.execute(
    trx.query,
  )
  const taken = new Set(rows.map(({ slug }) => slug))
  const free = slugs.filter(({ slug }) => !taken.has(slug))
  await insertPart(trx, 'releases', 'slugs', free, id, { skipExisting: true })
}

/** Inserts playlists. The admin who starts the import becomes their creator. */
export async function insertPlaylists(
  trx: Transaction,
  playlists: readonly CatalogueDocument<'playlists'>[],
  existingIds: ExistingIds,
  created_by: string | null,
): Promise<number> {
  const pictures = await findPictures(
    trx,
    playlists.map(({ cover_id }) => cover_id),
  )
  let insertedCount = 0
  for (const { tracks, page_slugs, ...playlist } of playlists) {
    const row = { ...playlist, cover_id: pictures.get(playlist.cover_id), created_by }
    const inserted = await insertRows(trx, catalogueDocuments.playlists, [row], {
      extra: ['created_by'],
      skipExisting: true,
    })
    if (inserted === 0) continue
    insertedCount += inserted
    const here = await mapToExistingTracks(trx, tracks, existingIds)
    await insertPart(trx, 'playlists', 'tracks', here, playlist.id)
    await insertPageSlugs(trx, 'playlist', playlist, page_slugs)
  }
  return insertedCount
}

/** Maps entries to tracks of this service. Removes duplicates, and tracks that don't exist here. */
async function mapToExistingTracks<Entry extends { track_id: string }>(
  trx: Transaction,
  entries: readonly Entry[],
  existingIds: ExistingIds,
): Promise<Entry[]> {
  const mapped = entries.map((entry) => ({
    ...entry,
    track_id: existingIds.get(entry.track_id) ?? entry.track_id,
  }))
  if (mapped.length === 0) return []
  const rows = await trx.query
    .selectFrom('tracks')
    .select('id')
    .where(
      'id',
      'in',
      mapped.map(({ track_id }) => track_id),
    )
    .where('deleted_at', 'is', null)
    .execute()
  const here = new Set(rows.map(({ id }) => id))
  const present = mapped.filter(({ track_id }) => here.has(track_id))
  return uniqueBy(present, ({ track_id }) => track_id)
}

function uniqueBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const seen = new Set<string>()
  return items.filter((item) => !seen.has(keyOf(item)) && seen.add(keyOf(item)))
}
