// Lists the stored files that were damaged at their last check, with the tracks and pictures to which they belong.
import { sql } from 'kysely'
import {
  maxDamagedFiles,
  fileProblems,
  type DamagedFile,
  type FileCheckStatus,
} from '#contract/fields/stored-files.ts'
import type { Handle } from '../../platform/db/database.ts'

const damaged = sql<DamagedFile>`
  select distinct on (s.storage_key) s.storage_key, s.problem,
         coalesce(r.kind, i.kind, case when e.id is not null then 'evidence' end,
                  case when s.storage_key like 'branding/%' then 'branding' end, 'source') as kind,
         t.id as track_id,
         coalesce(t.title, p.title, c.display_name, a.name) as title,
         case when r.id is not null then coalesce(src.problem is null and t.source_key is not null, false)
              when i.id is not null then exists (
                select from stored_files o
                 where o.storage_key like i.kind || 's/' || i.id || '/%' and o.problem is null)
              else false end as can_repair
    from stored_files s
    left join renditions r on r.storage_key = s.storage_key
    left join images i on i.id = case
         when s.storage_key ~ '^(covers|avatars)/' then split_part(s.storage_key, '/', 2)::uuid end
    left join track_evidence e on e.storage_key = s.storage_key
    left join tracks t on t.source_key = s.storage_key or t.id = r.track_id or t.id = e.track_id or t.cover_id = i.id
    left join playlists p on p.cover_id = i.id
    left join category_metadata c on c.cover_id = i.id
    left join artists a on a.picture_id = i.id
    left join stored_files src on src.storage_key = t.source_key
   where s.problem is not null and (r.id is not null or i.id is not null or t.id is not null or s.storage_key like 'branding/%')
   order by s.storage_key`

export async function listDamagedFiles(
  handle: Handle,
  limit: number | null = null,
): Promise<DamagedFile[]> {
  const { rows } = await sql<DamagedFile>`
    select * from (${damaged}) d order by title nulls last, storage_key limit ${limit}`.execute(
    handle.query,
  )
  return rows
}

export async function readFileCheckStatus(handle: Handle): Promise<FileCheckStatus> {
  const last_check = await handle.query
    .selectFrom('file_checks')
    .select(['started_at', 'finished_at', 'checked_count', 'orphan_count'])
    .orderBy('finished_at', (order) => order.desc().nullsLast())
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const all = await listDamagedFiles(handle)
  const [missing, wrong_size, wrong_bytes] = fileProblems.map(
    (problem) => all.filter((file) => file.problem === problem).length,
  )
  return {
    last_check: last_check ?? null,
    damaged: {
      total: all.length,
      repairable: all.filter((file) => file.can_repair).length,
      missing: missing!,
      wrong_size: wrong_size!,
      wrong_bytes: wrong_bytes!,
      data: all.slice(0, maxDamagedFiles),
    },
  }
}
