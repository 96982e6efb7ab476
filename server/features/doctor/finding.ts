// The result of one check, and helpers that the checks share.
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import type { ToolDatabase } from '../../platform/start/tool-database.ts'
import type { Database } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'

export interface Finding {
  /** `note`: it works, or could not be checked. `problem`: the command fails. */
  level: 'ok' | 'note' | 'problem'
  text: string
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const note = (text: string): Finding => ({ level: 'note', text })
export const problem = (text: string): Finding => ({ level: 'problem', text })

export interface CheckContext {
  config: Config
  log: FastifyBaseLogger
  /** Address for a test mail. Null: none is sent. */
  mailTo: string | null
  /** Null: there is no key yet, or it cannot be read. */
  secretBox: SecretBox | null
  /** Whether this service is running on its port. */
  isRunning: boolean
  /** Set by the check of the database. */
  database: ToolDatabase | null
  db: Database | null
  /** Whether the table `installation` exists. */
  hasInstallation: boolean
  /** Time in the response from PUBLIC_URL, and the local time in the middle of the request. */
  publicTime: { date: Date; localMs: number } | null
}

export const withoutDatabase = note('not checked, because the database is not open')
