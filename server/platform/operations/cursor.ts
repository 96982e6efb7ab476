// Pagination cursors: the sort values of the last row, opaque to the client.
import { AppError } from './app-error.ts'

export function encodeCursor(values: readonly string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/**
 * Returns null if there is no cursor. `lengths` are the allowed numbers of values. Throws `invalid_input` for a text
 * that encodeCursor did not create.
 */
export function decodeCursor(
  cursor: string | undefined,
  lengths: readonly number[],
): string[] | null {
  if (!cursor) return null
  const values = parse(cursor)
  if (
    !Array.isArray(values) ||
    !lengths.includes(values.length) ||
    !values.every((value): value is string => typeof value === 'string' && !value.includes('\0'))
  ) {
    throw new AppError('invalid_input', { details: [{ field: 'cursor', message: 'Not a cursor' }] })
  }
  return values
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}
