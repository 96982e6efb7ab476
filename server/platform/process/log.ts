import type { BaseLogger } from 'pino'

/** The log that background work writes to: the server's log, or a tool's terminal. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>
