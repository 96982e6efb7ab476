// Lists the stored objects that belong to rows, and adds them to `stored_files`, because older versions don't insert
// there.
import { sql } from 'kysely'
import { pictureSizes } from '#contract/fields/pictures.ts'
import { emblemFiles } from '../../platform/pictures/emblem-names.ts'
import type { Handle } from '../../platform/db/database.ts'

/** All objects that belong to rows, with the size and hash from the row. */
const ownedFiles = sql`
  select source_key as key, source_bytes as byte_size, source_sha256 as sha256
    from tracks where source_key is not null
  union all
  select storage_key, byte_size, null from renditions
  union all
  select storage_key, byte_size, sha256 from track_evidence
  union all
  select key, null, null from spots, unnest(array[source_key, audio_key]) key where key is not null
   union all
  select key, null, null from share_cards, unnest(array[wide_key, square_key, video_key]) key where key is not null
  union all
  select 'branding/' || id || '/' || file, null, null
    from (select logo_id as id, ${sql.lit(`{${emblemFiles.logo.join(',')}}`)}::text[] as files from branding
          union all select icon_id, ${sql.lit(`{${emblemFiles.icon.join(',')}}`)}::text[] from branding) e, unnest(files) file
   where id is not null
  union all
  select i.kind || 's/' || i.id || '/' || size || '.' || format, null, null
    from images i, unnest(${sql.lit(`{${pictureSizes.join(',')}}`)}::int[]) size, unnest('{avif,webp}'::text[]) format`

/** Inserts missing rows into `stored_files`, and deletes rows of objects that no longer belong to anything. */
export async function syncStoredFiles(handle: Handle): Promise<void> {
  await sql`
    insert into stored_files (storage_key, byte_size, sha256)
    select key, byte_size, sha256 from (${ownedFiles}) owned
     where not exists (select from stored_files s where s.storage_key = owned.key)
    on conflict (storage_key) do nothing`.execute(handle.query)
  await sql`
    delete from stored_files s
     where not exists (select from (${ownedFiles}) owned where owned.key = s.storage_key)`.execute(
    handle.query,
  )
}

/** Whether the object `key` belongs to a row or an upload, or is reserved. */
const isKnown = sql<boolean>`(
  exists (select from tracks where source_key = key)
  or exists (select from renditions where storage_key = key)
  or exists (select from track_evidence where storage_key = key)
  or exists (select from spots where source_key = key or audio_key = key)
  or exists (select from share_cards where wide_key = key or square_key = key or video_key = key)
  or exists (select from branding where key like 'branding/' || logo_id || '/%' or key like 'branding/' || icon_id || '/%')
  or exists (select from images where id = case
       when key ~ '^(covers|avatars)/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/'
       then split_part(key, '/', 2)::uuid end)
  or exists (select from uploads where path = key and status <> 'used')
  or exists (select from storage_garbage where storage_key = key))`

/** Returns the keys of objects that no row refers to. */
export async function findUnknownKeys(handle: Handle, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from unnest(${keys}::text[]) key where not ${isKnown}`.execute(handle.query)
  return rows.map(({ key }) => key)
}
