// How columns are parsed, by PostgreSQL type. The results have the format of the API, so that no mapping layer is
// needed. Applies only to our own connections. Libraries with their own pool keep the driver's defaults.
import pg from 'pg'

const { builtins } = pg.types

type TypeId = Parameters<typeof pg.types.getTypeParser>[0]

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, parseInteger],
  [builtins.NUMERIC, parseDecimal],
  [builtins.TIMESTAMPTZ, parseTimestamp],
  [builtins.DATE, (text) => text],
])

const arrayParsers = new Map<number, number>([
  [1016, builtins.INT8],
  [1231, builtins.NUMERIC],
  [1185, builtins.TIMESTAMPTZ],
  [1182, builtins.DATE],
])

// For text arrays, the driver's parser handles the array syntax.
const parseTextArray = pg.types.getTypeParser(1009 as TypeId)

for (const [arrayType, elementType] of arrayParsers) {
  const parseElement = parsers.get(elementType)!
  parsers.set(arrayType, (text) =>
    parseTextArray(text).map((element: string | null) =>
      element === null ? null : parseElement(element),
    ),
  )
}

export const columnTypes = {
  getTypeParser: ((id: TypeId, format?: 'text') =>
    (format === undefined || format === 'text' ? parsers.get(id) : undefined) ??
    pg.types.getTypeParser(id, format)) as typeof pg.types.getTypeParser,
}

function parseInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} does not fit a number`)
  return value
}

/** Parses sums, averages and prices. Numbers are exact up to 15 digits. */
function parseDecimal(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value) || Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    throw new RangeError(`numeric ${text} does not fit a number`)
  }
  return value
}

/** `2026-11-21 03:00:00.12+00` → `2026-11-21T03:00:00.120Z`. Truncates to milliseconds. */
export function parseTimestamp(text: string): string {
  const [, date, time, fraction = ''] =
    /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d+))?\+00$/.exec(text) ?? []
  if (!date) throw new RangeError(`timestamptz ${text} is not a moment in UTC, years 1 to 9999`)
  return `${date}T${time}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}
