// The log of a process. More people can read it than the database. So only message, stack and some properties of an
// error are logged, without the rows, headers and bodies that libraries attach to errors.
import pino, { type Logger } from 'pino'
import type { Config } from '../config/config.ts'
import { getSqlState } from '../db/database-error.ts'
import { formatForPerson } from './terminal-log.ts'

/**
 * Properties of an error that are logged in addition to message and stack. Others may be sensitive: PostgreSQL's
 * `detail` contains whole rows, Stripe's `raw` a response.
 */
const loggedProperties = [
  'code',
  'constraint',
  'table',
  'column',
  'errno',
  'syscall',
  'address',
  'port',
  'status',
  'statusCode',
  'responseCode',
  'exitCode',
  'queue',
  'toolLog',
] as const

/** Logs JSON, or plain lines if the output is a terminal. */
export function createServerLog(
  level: NonNullable<Config['logLevel']>,
  { forPerson = false }: { forPerson?: boolean } = {},
): Logger {
  const options = {
    level,
    redact: ['req.headers.cookie', 'req.headers.authorization', '*.password', '*.token'],
    serializers: { err: describeError },
  }
  if (!forPerson) return pino(options)
  return pino(options, {
    write: (line: string) => void process.stderr.write(formatForPerson(line)),
  })
}

/** Logs an uncaught error like every other error. It still ends the process. */
export function logCrashes(log: Logger): void {
  process.on('uncaughtException', (error: unknown) => {
    log.fatal({ err: error }, 'the server crashed')
    process.exit(1)
  })
}

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) {
    return isErrorLike(error) ? describeError(errorFrom(error)) : { message: typeof error }
  }
  const { type, message, stack } = pino.stdSerializers.err(error)
  const hide = valueHider(error)
  const facts = loggedProperties.flatMap((name) => {
    const value: unknown = Reflect.get(error, name)
    return ['string', 'number'].includes(typeof value) ? [[name, value] as const] : []
  })
  return { type, message: hide(message), stack: hide(stack ?? ''), ...Object.fromEntries(facts) }
}

/** pg-boss emits copies of its errors as plain objects. */
function isErrorLike(error: unknown): error is { message: string; stack?: unknown } {
  return (
    typeof error === 'object' &&
    error !== null &&
    'message' in error &&
    typeof error.message === 'string'
  )
}

function errorFrom(fields: { message: string; stack?: unknown }): Error {
  const { message, stack, ...rest } = fields
  const error = Object.assign(new Error(message), rest)
  error.stack = typeof stack === 'string' ? stack : ''
  return error
}

/** Removes values from messages of PostgreSQL, such as `invalid input syntax for type uuid: "…"`. */
function valueHider(error: Error): (text: string) => string {
  const states = [error, error.cause].map((one) => getSqlState(one) ?? '')
  if (!states.some((state) => state.startsWith('22'))) return (text) => text
  return (text) => text.replaceAll(/: "[^]*?"(?=\n|$)/g, ': "…"')
}
