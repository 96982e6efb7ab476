import type { BaseLogger } from 'pino'

/** What background work writes to; the server's log, or a tool's terminal. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>
