// The format of an export of the catalogue: the exported tables and columns, and their types. All code derives from
// this list: the export is queried from it, an import is validated with it, and docs/catalogue.schema.json is generated
// from it. A test fails if a table or column of the database is missing. docs/catalogue-export.md describes the files.
import * as z from 'zod/mini'
import { audiences } from '#contract/fields/availability.ts'
import { aiDisclosures } from '#contract/fields/ai-disclosure.ts'
import { creditRoles } from '#contract/fields/artist-credits.ts'
import { evidenceMaxBytes, evidenceMimes, maxEvidence } from '#contract/fields/evidence.ts'
import { pictureSizes } from '#contract/fields/pictures.ts'
import { releaseKinds } from '#contract/fields/release-fields.ts'
import { maxCategories, maxMoodLength, maxMoods } from '#contract/tracks.ts'

export const catalogueFormat = 'velour-catalogue'
/**
 * The version of the format. Incremented by changes that an older version of Velour could not import. New fields don't
 * count, because unknown fields are ignored.
 */
export const catalogueVersion = 1

const text = (maxLength: number) => z.string().check(z.maxLength(maxLength))
const name = text(200).check(z.minLength(1))
/** A time with its time zone, in PostgreSQL's format: `2026-11-21T09:30:00.123456+00:00`. */
const moment = z
  .string()
  .check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(?:Z|[+-]\d{2}:\d{2})$/))
const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))
const slug = text(100).check(z.minLength(1))
const count = z.number().check(z.int(), z.minimum(0))
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/))

const availability = {
  release_at: z.nullable(moment),
  release_zone: z.nullable(text(64)),
  early_access_days: count,
  early_access_until: z.nullable(moment),
  audience: z.enum(audiences),
}

/** Maps columns that are not exported to the reasons. */
type LeftOut = Readonly<Record<string, string>>

export interface ExportedTable {
  /** The types of the exported columns, by name. */
  columns: Readonly<Record<string, z.ZodMiniType>>
  /** The columns that are not exported, with the reasons. */
  leftOut: LeftOut
  /** The columns by which the exported rows are sorted. */
  order: string
  /** A condition on the table alias `t` that selects rows. If absent, all rows are exported. */
  where?: string
}

/** A table whose rows are nested in the rows of another table. */
export interface ExportedPart extends ExportedTable {
  table: string
  /** The indexed column that refers to the parent row. It is not exported. */
  parent: string
}

export interface ExportedDocument extends ExportedTable {
  table: string
  parts: Readonly<Record<string, ExportedPart>>
}

const edits: LeftOut = {
  version: 'counts edits in this service',
  changed_by: 'a person',
  changed_at: 'an edit in this service',
}
const owned: LeftOut = { owner_id: 'a person' }
const searched: LeftOut = { search_folded: 'computed from other columns' }
const searchedTrack: LeftOut = { ...searched, search_text: 'computed from other columns' }
const updated: LeftOut = { updated_at: 'an edit in this service' }

const pageSlugColumns = {
  slug: text(100).check(z.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)),
  is_current: z.boolean(),
}
/** Defines the nested table of current and former slugs. */
const definePageSlugs = (kind: 'track' | 'playlist'): ExportedPart => ({
  table: 'page_slugs',
  parent: 'item_id',
  columns: pageSlugColumns,
  leftOut: { kind: 'implied by the file' },
  order: 'slug',
  where: `t.kind = '${kind}'`,
})
const visibleTrack = 't.deleted_at is null'
const exportedTrack = (column: string) =>
  `${column} in (select id from tracks where deleted_at is null)`

/** The columns by which a track's evidence files are sorted. */
export const evidenceOrder = ['created_at', 'filename', 'sha256'] as const

/** The files of an export by name, in import order: referenced rows come before the rows that refer to them. */
export const catalogueDocuments = {
  genres: {
    table: 'genres',
    columns: { id: z.uuid(), name: text(80).check(z.minLength(1)) },
    leftOut: {},
    order: 'name',
    parts: {},
  },
  pictures: {
    table: 'images',
    columns: {
      id: z.uuid(),
      kind: z.enum(['cover', 'avatar']),
      tint: text(20),
      placeholder: text(5000),
      width: count,
      height: count,
      created_at: moment,
    },
    leftOut: {},
    order: 'id',
    where: `t.id in (
      select cover_id from tracks where deleted_at is null union select cover_id from releases where deleted_at is null
      union select cover_id from playlists where is_curated union select cover_id from category_metadata
      union select picture_id from artists)`,
    parts: {},
  },
  categories: {
    table: 'category_metadata',
    columns: {
      id: z.uuid(),
      category: text(100).check(z.minLength(1)),
      display_name: name,
      description: z.nullable(text(50_000)),
      cover_id: z.nullable(z.uuid()),
      is_visible: z.boolean(),
      sort_order: z.number(),
      created_at: moment,
    },
    leftOut: edits,
    order: 'sort_order, category',
    parts: {},
  },
  artists: {
    table: 'artists',
    columns: {
      id: z.uuid(),
      name,
      slug,
      sort_name: z.nullable(name),
      biography: z.nullable(text(50_000)),
      picture_id: z.nullable(z.uuid()),
      links: z.array(z.looseObject({})).check(z.maxLength(10)),
      has_page: z._default(z.boolean(), true),
      created_at: moment,
    },
    leftOut: { ...edits, ...updated, ...owned, ...searched },
    order: 'name',
    parts: {
      aliases: {
        table: 'artist_aliases',
        parent: 'artist_id',
        columns: { name },
        leftOut: {},
        order: 'name',
      },
      slugs: {
        table: 'artist_slugs',
        parent: 'artist_id',
        columns: { slug },
        leftOut: {},
        order: 'slug',
      },
      merges: {
        table: 'artist_merges',
        parent: 'artist_id',
        columns: { id: z.uuid() },
        leftOut: {},
        order: 'id',
      },
    },
  },
  tracks: {
    table: 'tracks',
    columns: {
      id: z.uuid(),
      title: name,
      artist: text(1000).check(z.minLength(1)),
      category: z.nullable(text(100)),
      more_categories: z._default(z.array(text(100)).check(z.maxLength(maxCategories - 1)), []),
      moods: z._default(z.array(text(maxMoodLength)).check(z.maxLength(maxMoods)), []),
      genre: z.nullable(text(80)),
      description: z.nullable(text(50_000)),
      lyrics: z.nullable(text(50_000)),
      tags: z.array(text(200)),
      explicit: z.boolean(),
      cover_id: z.nullable(z.uuid()),
      is_published: z.boolean(),
      publish_when_ready: z.boolean(),
      ai_disclosure: z.enum(aiDisclosures),
      ai_tool: z.nullable(text(1000)),
      credits: z.nullable(text(50_000)),
      found_genre: z.nullable(text(80)),
      source_mime: z.nullable(text(100)),
      source_bytes: z.nullable(count),
      source_sha256: z.nullable(sha256),
      created_at: moment,
      ...availability,
    },
    leftOut: {
      ...edits,
      ...updated,
      ...owned,
      ...searchedTrack,
      duration: 'measured again by the import',
      loudness_lufs: 'measured again by the import',
      true_peak_dbtp: 'measured again by the import',
      peaks: 'measured again by the import',
      processing_status: 'a state of this service',
      processing_progress: 'a state of this service',
      processing_error: 'a state of this service',
      source_key: 'a storage key of this service',
      import_batch: 'an upload batch of this service',
      deleted_at: 'deleted tracks are left out',
    },
    order: 'created_at, id',
    where: visibleTrack,
    parts: {
      credited: {
        table: 'track_credits',
        parent: 'track_id',
        columns: {
          position: z.number().check(z.int()),
          artist_id: z.uuid(),
          role: z.enum(creditRoles),
          credited_as: z.nullable(name),
          joiner: text(20),
        },
        leftOut: {},
        order: 'position',
      },
      origin: {
        table: 'track_origins',
        parent: 'track_id',
        columns: {
          tool: z.nullable(text(100)),
          model: z.nullable(text(100)),
          plan_at_creation: z.nullable(text(100)),
          created_at_source: z.nullable(moment),
          source_id: z.nullable(text(200)),
          source_url: z.nullable(text(1000)),
          prompt: z.nullable(text(10_000)),
          style: z.nullable(text(5000)),
          negative_style: z.nullable(text(5000)),
          seed: z.nullable(text(100)),
          parts: z.record(text(20), text(20)),
          rights_note: z.nullable(text(5000)),
        },
        leftOut: { ...edits, ...updated },
        order: 'track_id',
      },
      file_tags: {
        table: 'track_file_tags',
        parent: 'track_id',
        columns: {
          album: z.nullable(text(200)),
          album_artist: z.nullable(text(200)),
          disc: z.nullable(count),
          track_number: z.nullable(count),
          year: z.nullable(count),
          folder: z.nullable(text(200)),
          label: z._default(z.nullable(text(200)), null),
          dismissed_at: z.nullable(moment),
        },
        leftOut: {},
        order: 'track_id',
      },
      versions: {
        table: 'track_versions',
        parent: 'track_id',
        columns: { group_id: z.uuid() },
        leftOut: { linked_at: 'a change in this service' },
        order: 'track_id',
      },
      evidence: {
        table: 'track_evidence',
        parent: 'track_id',
        columns: {
          filename: text(255).check(z.minLength(1)),
          mime: z.enum(evidenceMimes),
          byte_size: count.check(z.minimum(1), z.maximum(evidenceMaxBytes)),
          sha256,
          created_at: moment,
        },
        leftOut: {
          id: 'a row of this service',
          storage_key: 'a storage key of this service',
          created_by: 'a person',
        },
        order: evidenceOrder.join(', '),
      },
      page_slugs: definePageSlugs('track'),
    },
  },
  releases: {
    table: 'releases',
    columns: {
      id: z.uuid(),
      kind: z.enum(releaseKinds),
      title: name,
      slug,
      cover_id: z.nullable(z.uuid()),
      description: z.nullable(text(50_000)),
      release_date: z.nullable(day),
      label: z.nullable(text(200)),
      upc: z.nullable(text(13)),
      is_published: z.boolean(),
      created_at: moment,
      ...availability,
    },
    leftOut: {
      ...edits,
      ...updated,
      ...owned,
      ...searched,
      artist: 'computed from the credits',
      released_on: 'computed from other columns',
      tracks_changed_at: 'an edit in this service',
      deleted_at: 'deleted releases are left out',
    },
    order: 'created_at, id',
    where: 't.deleted_at is null',
    parts: {
      slugs: {
        table: 'release_slugs',
        parent: 'release_id',
        columns: { slug },
        leftOut: {},
        order: 'slug',
      },
      credited: {
        table: 'release_credits',
        parent: 'release_id',
        columns: { position: count, artist_id: z.uuid(), joiner: text(20) },
        leftOut: {},
        order: 'position',
      },
      tracks: {
        table: 'release_tracks',
        parent: 'release_id',
        columns: { track_id: z.uuid(), disc: count, position: count },
        leftOut: {},
        order: 'disc, position',
        where: exportedTrack('t.track_id'),
      },
    },
  },
  playlists: {
    table: 'playlists',
    columns: {
      id: z.uuid(),
      title: name,
      description: z.nullable(text(50_000)),
      cover_id: z.nullable(z.uuid()),
      is_public: z.boolean(),
      is_curated: z.literal(true),
      is_visible: z.boolean(),
      created_at: moment,
      ...availability,
    },
    leftOut: {
      ...edits,
      ...updated,
      ...searched,
      created_by: 'a person',
      rules: 'only playlists of members have rules',
    },
    order: 'created_at, id',
    // Only curated playlists are exported, because the others belong to members.
    where: 't.is_curated',
    parts: {
      tracks: {
        table: 'playlist_tracks',
        parent: 'playlist_id',
        columns: { track_id: z.uuid(), order_index: count, created_at: moment },
        leftOut: { id: 'an id of this service', added_by: 'a person' },
        order: 'order_index',
        where: exportedTrack('t.track_id'),
      },
      page_slugs: definePageSlugs('playlist'),
    },
  },
} satisfies Record<string, ExportedDocument>

export type DocumentName = keyof typeof catalogueDocuments
export const documentNames = Object.keys(catalogueDocuments) as DocumentName[]

/** A reference to a file of the export, by its path in the archive. */
const exportedFile = z.object({ path: text(1000), byte_size: count, sha256 })
export type ExportedFile = z.infer<typeof exportedFile>

/** A reference to the file of one size of a picture. */
const pictureFile = z.extend(exportedFile, {
  size: z.literal(pictureSizes),
  format: z.enum(['avif', 'webp']),
})
export type PictureFile = z.infer<typeof pictureFile>

const columnsOf = <D extends { columns: object }>({ columns }: D): D['columns'] => columns
const { genres, pictures, categories, artists, tracks, releases, playlists } = catalogueDocuments
const listOf = <D extends { columns: Readonly<Record<string, z.ZodMiniType>> }>(part: D) =>
  z.array(z.object(columnsOf(part)))

/** If absent, the import derives a slug from the title. */
const pageSlugs = z._default(z.array(z.object(pageSlugColumns)), [])

/** The schemas of one line in each file. Fields that were added after the first version have a default. */
export const documentSchemas = {
  genres: z.object(genres.columns),
  pictures: z.object({ ...pictures.columns, files: z.array(pictureFile).check(z.maxLength(12)) }),
  categories: z.object(categories.columns),
  artists: z.object({
    ...artists.columns,
    aliases: listOf(artists.parts.aliases),
    slugs: listOf(artists.parts.slugs),
    merges: listOf(artists.parts.merges),
  }),
  tracks: z.object({
    ...tracks.columns,
    credited: listOf(tracks.parts.credited),
    origin: listOf(tracks.parts.origin).check(z.maxLength(1)),
    file_tags: listOf(tracks.parts.file_tags).check(z.maxLength(1)),
    versions: z._default(listOf(tracks.parts.versions).check(z.maxLength(1)), []),
    evidence: z._default(
      z
        .array(z.extend(exportedFile, tracks.parts.evidence.columns))
        .check(z.maxLength(maxEvidence)),
      [],
    ),
    page_slugs: pageSlugs,
    /** The unchanged recording. Null if the track has no recording. */
    file: z.nullable(exportedFile),
  }),
  releases: z.object({
    ...releases.columns,
    slugs: listOf(releases.parts.slugs),
    credited: listOf(releases.parts.credited),
    tracks: listOf(releases.parts.tracks),
  }),
  playlists: z.object({
    ...playlists.columns,
    tracks: listOf(playlists.parts.tracks),
    page_slugs: pageSlugs,
  }),
} satisfies Record<DocumentName, z.ZodMiniType>

export type CatalogueDocument<N extends DocumentName> = z.infer<(typeof documentSchemas)[N]>

export const catalogueIndex = z.object({
  format: z.literal(catalogueFormat),
  version: z.number().check(z.int(), z.minimum(1)),
  exported_at: moment,
  /** The name of the service. */
  service: z.string(),
  /** The number of lines in each file below `catalogue/`. */
  counts: z.record(z.string(), count),
})
export type CatalogueIndex = z.infer<typeof catalogueIndex>

export const indexPath = 'catalogue.json'
export const documentPath = (document: DocumentName) => `catalogue/${document}.jsonl`

/** The JSON Schema of catalogue.json and of one line in each other file. */
export function catalogueJsonSchema(): object {
  const schemaOf = (schema: z.ZodMiniType) => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema) as Record<string, unknown>
    return rest
  }
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'A catalogue exported from Velour',
    $ref: '#/$defs/index',
    $defs: {
      index: schemaOf(catalogueIndex),
      ...Object.fromEntries(documentNames.map((one) => [one, schemaOf(documentSchemas[one])])),
    },
  }
}
