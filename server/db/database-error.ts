// What PostgreSQL's errors say, for callers that turn an expected one into an answer.

const serializationFailure = '40001'
const deadlockDetected = '40P01'

/** Name of the constraint or unique index that refused the change; undefined for every other error. */
export function constraintOf(error: unknown): string | undefined {
  return readText(error, 'constraint')
}

/** SQLSTATE of a database error, such as `23505`; undefined for every other error. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = readText(error, 'code')
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** True when the same transaction may well succeed on another try. */
export function isRetryable(error: unknown): boolean {
  const state = sqlStateOf(error)
  return state === serializationFailure || state === deadlockDetected
}

const diskFull = '53100'

/** The database could not write because its disk has no room left. */
export function isOutOfRoom(error: unknown): boolean {
  return sqlStateOf(error) === diskFull
}

// To some of the ways in which a connection ends the driver gives words only.
const lostConnection =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Client (?:was closed|has encountered a connection error) and is not queryable)/

/** The database is away, starting, shutting down, or out of connections (PostgreSQL classes 08, 53, 57P). */
export function isDatabaseAway(error: unknown): boolean {
  if (/^(?:08|53|57P)/.test(sqlStateOf(error) ?? '')) return true
  return error instanceof Error && lostConnection.test(error.message)
}

/** A value of the right shape that is none, such as a date in a made-up cursor (PostgreSQL class 22). */
export function isRefusedValue(error: unknown): boolean {
  return sqlStateOf(error)?.startsWith('22') ?? false
}

function readText(error: unknown, key: string): string | undefined {
  if (!(error instanceof Error)) return undefined
  const value: unknown = Reflect.get(error, key)
  return typeof value === 'string' ? value : undefined
}
