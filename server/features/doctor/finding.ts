// The result of one check, and helpers that all checks share.
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import type { ToolDatabase } from '../../platform/start/tool-database.ts'
import type { Database } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'

export interface Finding {
  /** `note`: works with a remark, or could not be checked. `problem`: makes the command fail. */
  level: 'ok' | 'note' | 'problem'
  text: string
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const note = (text: string): Finding => ({ level: 'note', text })
export const problem = (text: string): Finding => ({ level: 'problem', text })

export interface CheckContext {
  config: Config
  log: FastifyBaseLogger
  /** Recipient of a test message. Null to send none. */
  mailTo: string | null
  /** Null if there is no key yet, or if it cannot be read. */
  secretBox: SecretBox | null
  /** Whether this service is running on its port. */
  isRunning: boolean
  /** Null until the database check has opened it. */
  database: ToolDatabase | null
  db: Database | null
  /** Whether the table `installation` exists. */
  hasInstallation: boolean
  /** The time in the response from PUBLIC_URL, and the local time halfway through the request. */
  publicTime: { date: Date; localMs: number } | null
}

export const withoutDatabase = note('not checked, because the database is not open')
