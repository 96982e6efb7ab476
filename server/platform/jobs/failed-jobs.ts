// Jobs that have used up their retries, read from pg-boss's own table. An admin can retry or discard them.
import { sql } from 'kysely'
import { maxFailedJobs, type FailedJob } from '#contract/admin/admin-system.ts'
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

/** Returns the newest failed jobs without their payloads, because a link in an email gives access to an account. */
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
     limit ${maxFailedJobs}`.execute(handle.query)
  return {
    total: rows[0]?.total ?? 0,
    data: rows.map(({ total: _total, ...job }) => job),
  }
}

/** Puts a job back into the queue with all its retries. Without an id, all failed jobs. Returns the retried jobs. */
export async function requeueFailedJobs(
  trx: Transaction,
  jobs: Pick<JobQueue, 'enqueueAgain'>,
  id: string | null,
): Promise<FailedRow[]> {
  const rows = await deleteFailedJobs(trx, id)
  for (const { name, data, priority } of rows) await jobs.enqueueAgain(trx, name, data, priority)
  return rows
}

/** Deletes the job and returns it. Returns an empty list if it does not exist. */
export async function deleteFailedJob(trx: Transaction, id: string): Promise<FailedRow[]> {
  return deleteFailedJobs(trx, id)
}

/** Deletes and returns the rows in one statement, so that only one of two concurrent callers gets a row. */
async function deleteFailedJobs(trx: Transaction, id: string | null): Promise<FailedRow[]> {
  const { rows } = await sql<FailedRow>`
    delete from jobs.job
     where state = 'failed' and name = any(${jobNames})
       and (${id}::uuid is null or id = ${id}::uuid)
    returning id, name, data, priority`.execute(trx.query)
  return rows
}
