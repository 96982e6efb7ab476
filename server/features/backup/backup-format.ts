// A backup is one tar file, so that standard tools can read it. Its entries, in this order:
//   velour-backup.json         format, version and schema
//   secret                     the key of the data folder, unless it is set in the environment
//   jobs.json                  queued jobs, except emails
//   database/TABLE.copy.gz     rows as PostgreSQL's COPY writes text, columns as listed in the first file
//   objects/KEY                audio and pictures
//   velour-backup-end.json     size and SHA-256 of all entries before it; without it the file is incomplete
import * as z from 'zod/mini'
import { OperatorError } from '../../platform/config/operator-error.ts'

export const backupFormat = 1
export const startEntry = 'velour-backup.json'
export const endEntry = 'velour-backup-end.json'
export const secretEntry = 'secret'
export const jobsEntry = 'jobs.json'
export const objectPrefix = 'objects/'
export const tableEntry = (table: string) => `database/${table}.copy.gz`

const migration = z.object({ name: z.string(), sha256: z.string() })

export const backupStart = z.object({
  format: z.literal(backupFormat),
  velour_version: z.string(),
  /** The Git commit of Velour. Null if unknown. Backups of older versions do not contain this field. */
  velour_commit: z.optional(z.nullable(z.string())),
  created_at: z.iso.datetime(),
  /** A known text, encrypted with the SECRET of the service. Backups of older versions do not contain this field. */
  secret_check: z.optional(z.string()),
  /** The migrations that created the database schema, in this order. */
  migrations: z.array(migration).check(z.minLength(1)),
  /** Sorted for the restore: referenced tables precede the tables that refer to them. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
})
export type BackupStart = z.infer<typeof backupStart>

export const backupJobs = z.array(
  z.object({ name: z.string(), payload: z.unknown(), priority: z.number() }),
)

export const backupEnd = z.object({
  entries: z.array(z.object({ name: z.string(), byte_size: z.number(), sha256: z.string() })),
  /** Number of rows of each table, counted in the same snapshot as the rows. */
  rows: z.record(z.string(), z.number()),
  /** Keys of objects that the database refers to but the storage does not contain. */
  missing_objects: z.array(z.string()),
})
export type BackupEnd = z.infer<typeof backupEnd>

/** An error while creating or restoring a backup, with a message that tells the operator what to do. */
export class BackupError extends OperatorError {}
