// Jobs that used up their tries: read from the queue's own table, and put back or forgotten when an admin says so.
import { sql } from 'kysely'
import { failedJobsListed, type FailedJob } from '#contract/admin-system.ts'
import type { Handle, Transaction } from '../db/database.ts'
import { jobNames } from './job-kinds.ts'
import type { JobQueue } from './job-queue.ts'

interface FailedRow {
  id: string
  name: string
  data: unknown
  priority: number
}

const errorMaxLength = 500
const toolLogMaxLength = 2000

/** The newest of them, without what they carry: a mail's link is a key to an account. */
export async function listFailedJobs(
  handle: Handle,
): Promise<{ total: number; data: FailedJob[] }> {
  const { rows } = await sql<FailedJob & { total: number }>`
    select j.id, j.name as job, t.title as track_title, t.id as track_id,
           left(coalesce(j.output->>'message', j.output->'value'->>'message', 'No reason was given.'),
                ${errorMaxLength}::int) as error,
           right(coalesce(j.output->>'toolLog', ''), ${toolLogMaxLength}::int) as tool_log,
           j.retry_count + 1 as tries,
           coalesce(j.completed_on, j.created_on) as failed_at,
           count(*) over () as total
      from jobs.job j
      left join tracks t on t.id::text = j.data->>'track_id' and t.deleted_at is null
     where j.state = 'failed' and j.name = any(${jobNames})
     order by j.completed_on desc nulls last, j.id
     limit ${failedJobsListed}`.execute(handle.query)
  return {
    total: rows[0]?.total ?? 0,
    data: rows.map(({ total: _total, ...job }) => job),
  }
}

/** Puts it (null: all) into the queue again, with all tries before it. Returns what it found. */
export async function retryFailedJobs(
  trx: Transaction,
  jobs: Pick<JobQueue, 'enqueueAgain'>,
  id: string | null,
): Promise<FailedRow[]> {
  const rows = await takeOut(trx, id)
  for (const { name, data, priority } of rows) await jobs.enqueueAgain(trx, name, data, priority)
  return rows
}

/** Forgets it. Returns it, or nothing when it was not there. */
export async function discardFailedJob(trx: Transaction, id: string): Promise<FailedRow[]> {
  return takeOut(trx, id)
}

/** Of two who take out the same one, one finds nothing. */
async function takeOut(trx: Transaction, id: string | null): Promise<FailedRow[]> {
  const { rows } = await sql<FailedRow>`
    delete from jobs.job
     where state = 'failed' and name = any(${jobNames})
       and (${id}::uuid is null or id = ${id}::uuid)
    returning id, name, data, priority`.execute(trx.query)
  return rows
}
