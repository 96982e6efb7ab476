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

function readText(error: unknown, key: string): string | undefined {
  if (!(error instanceof Error)) return undefined
  const value: unknown = Reflect.get(error, key)
  return typeof value === 'string' ? value : undefined
}
