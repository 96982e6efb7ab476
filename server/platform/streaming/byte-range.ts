// Parses the Range header (RFC 9110 §14). Where the standard leaves a choice, follows nginx. Ignores units other than
// bytes, and refuses malformed lists. If overlapping ranges add up to more than the file, returns the whole file, so
// that no response is larger than the file.

/** The bytes from `start` up to, but not including, `end`. */
export interface ByteRange {
  start: number
  end: number
}

/** With more ranges, the whole file is sent (RFC 9110 §14.2 warns of many small ranges). */
const maxRanges = 100
const unit = /^bytes=./i
/** A space can match at only one place in the pattern. Otherwise a long run of spaces would take quadratic time. */
const spec = /^ *(?:(\d+) *- *(?:(\d+) *)?|-(\d+) *)$/
/** nginx uses signed 64-bit numbers and rejects larger ones. */
const largest = 2n ** 63n - 1n

/** Decides what to send of a file of `byteSize` bytes: all of it, these ranges, or nothing (416). */
export function parseRange(
  header: string | undefined,
  byteSize: number,
): 'whole' | 'unsatisfiable' | [ByteRange, ...ByteRange[]] {
  if (header === undefined || !unit.test(header)) return 'whole'
  const ranges: ByteRange[] = []
  let total = 0
  for (const part of header.slice('bytes='.length).split(',')) {
    const range = parseSpec(part, byteSize)
    if (range === 'malformed') return 'unsatisfiable'
    if (range.start < range.end) {
      ranges.push(range)
      total += range.end - range.start
      if (ranges.length > maxRanges) return 'whole'
    } else if (range.start === 0) {
      // Only for an empty file is there no range to send.
      return 'whole'
    }
  }
  const [first, ...others] = ranges
  if (!first) return 'unsatisfiable'
  return total > byteSize ? 'whole' : [first, ...others]
}

/** Parses one range. If it is valid but outside the file, `start >= end`. */
function parseSpec(part: string, byteSize: number): ByteRange | 'malformed' {
  const match = spec.exec(part)
  if (!match) return 'malformed'
  const [first, last, suffix] = match.slice(1)
  if ([first, last, suffix].some((digits) => digits && BigInt(digits) > largest)) return 'malformed'
  if (suffix !== undefined) return { start: Math.max(0, byteSize - Number(suffix)), end: byteSize }
  const end = last === undefined ? byteSize : Math.min(byteSize, Number(last) + 1)
  return { start: Number(first), end }
}

/** The value of Content-Range for a range (RFC 9110 §14.4). */
export function formatContentRange(range: ByteRange, byteSize: number): string {
  return `bytes ${range.start}-${range.end - 1}/${byteSize}`
}
