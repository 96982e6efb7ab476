// Classifies PostgreSQL's errors, for callers that convert an expected error to a response.

const serializationFailure = '40001'
const deadlockDetected = '40P01'

/** Name of the violated constraint or unique index. Undefined for every other error. */
export function getViolatedConstraint(error: unknown): string | undefined {
  return readText(error, 'constraint')
}

/** SQLSTATE of a database error, such as `23505`. Undefined for every other error. */
export function getSqlState(error: unknown): string | undefined {
  const code = readText(error, 'code')
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Whether the same transaction may succeed when it is retried. */
export function isRetryable(error: unknown): boolean {
  const state = getSqlState(error)
  return state === serializationFailure || state === deadlockDetected
}

const diskFull = '53100'

/** Whether the database could not write because its disk is full. */
export function isDiskFullError(error: unknown): boolean {
  return getSqlState(error) === diskFull
}

// Messages of lost connections for which the driver provides no code.
const lostConnection =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client (?:was closed|has encountered a connection error) and is not queryable)/

/**
 * Whether the database is unreachable, starting, shutting down or out of connections (PostgreSQL classes 08, 53,
 * 57P).
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (/^(?:08|53|57P)/.test(getSqlState(error) ?? '')) return true
  return error instanceof Error && lostConnection.test(error.message)
}

/**
 * Whether a value is well-formed but invalid, such as an impossible date in a forged cursor (PostgreSQL class 22).
 */
export function isInvalidValue(error: unknown): boolean {
  return getSqlState(error)?.startsWith('22') ?? false
}

function readText(error: unknown, key: string): string | undefined {
  if (!(error instanceof Error)) return undefined
  const value: unknown = Reflect.get(error, key)
  return typeof value === 'string' ? value : undefined
}
