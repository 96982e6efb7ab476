// Reads the Range header (RFC 9110 §14). Where the standard leaves a choice, this follows nginx. Units other than bytes
// are ignored, and malformed lists are refused. If overlapping ranges add up to more than the file, the whole file is
// returned. No response is larger than the file.

/** Bytes from `start` up to, not including, `end`. */
export interface ByteRange {
  start: number
  end: number
}

/** Above this number of ranges the whole file is sent (RFC 9110 §14.2 warns of many small ranges). */
const maxRanges = 100
const unit = /^bytes=./i
/** Unambiguous about spaces: otherwise matching a long run of them takes quadratic time. */
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
      // Only an empty file has no part to return.
      return 'whole'
    }
  }
  const [first, ...others] = ranges
  if (!first) return 'unsatisfiable'
  return total > byteSize ? 'whole' : [first, ...others]
}

/** `start >= end` for a range that is well-formed but outside the file. */
function parseSpec(part: string, byteSize: number): ByteRange | 'malformed' {
  const match = spec.exec(part)
  if (!match) return 'malformed'
  const [first, last, suffix] = match.slice(1)
  if ([first, last, suffix].some((digits) => digits && BigInt(digits) > largest)) return 'malformed'
  if (suffix !== undefined) return { start: Math.max(0, byteSize - Number(suffix)), end: byteSize }
  const end = last === undefined ? byteSize : Math.min(byteSize, Number(last) + 1)
  return { start: Number(first), end }
}

/** Value of Content-Range for a part (RFC 9110 §14.4). */
export function formatContentRange(range: ByteRange, byteSize: number): string {
  return `bytes ${range.start}-${range.end - 1}/${byteSize}`
}
