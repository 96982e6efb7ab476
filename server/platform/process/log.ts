import type { BaseLogger } from 'pino'

/** The log of background work: the server's log, or the terminal of a command-line tool. */
export type Log = Pick<BaseLogger, 'info' | 'warn' | 'error'>
