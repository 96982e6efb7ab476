// The result of one check of `npm run doctor`, and helpers that all checks use.
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import type { ToolDatabase } from '../../platform/start/tool-database.ts'
import type { Database } from '../../platform/db/database.ts'
import type { SecretBox } from '../../platform/security/secret-box.ts'

export interface Finding {
  /** `note`: it works, with a remark, or it could not be checked. `problem`: the command exits with an error. */
  level: 'ok' | 'note' | 'problem'
  text: string
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const note = (text: string): Finding => ({ level: 'note', text })
export const problem = (text: string): Finding => ({ level: 'problem', text })

export interface CheckContext {
  config: Config
  log: FastifyBaseLogger
  /** Address to which a test email is sent. Null to send none. */
  mailTo: string | null
  /** Decrypts values in the database. Null if there is no SECRET yet, or if it cannot be read. */
  secretBox: SecretBox | null
  /** Whether the service of this installation is running on its port. */
  isRunning: boolean
  /** Null until the database check has connected. */
  database: ToolDatabase | null
  db: Database | null
  /** Whether the database has the table `installation`. */
  hasInstallation: boolean
  /** The server's time in its response from PUBLIC_URL, and the local time halfway through the request. */
  publicTime: { date: Date; localMs: number } | null
}

export const withoutDatabase = note('not checked, because the database is not open')
