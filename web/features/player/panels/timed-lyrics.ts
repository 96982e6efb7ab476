// Parses lyrics with timestamps (the LRC format) or without.

export interface LyricLine {
  /** The time in seconds at which the line is sung. Null in untimed lyrics. */
  seconds: number | null
  text: string
}

export interface Lyrics {
  isTimed: boolean
  lines: LyricLine[]
}

/** `[1:02.50]`, `[01:02]`, `[01:02:50]`: minutes, seconds, fraction. */
const timeTag = /\[(\d{1,3}):(\d{1,2})(?:[.:](\d{1,3}))?\]/g
/** `[ar:Somebody]` and other metadata. */
const factTag = /^\s*\[([a-z#]+):(.*)\]\s*$/i
/** Word timestamps, which this view does not use. */
const wordTag = /<\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?>\s?/g

/** Parses any text. A text without timestamps is returned unchanged, line by line. */
export function parseLyrics(text: string): Lyrics {
  const rows = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
  const timed = rows.flatMap(timedLines)
  if (timed.length === 0) return plainLyrics(rows)
  const offsetSeconds = readOffset(rows)
  const lines = timed
    .map(({ seconds, text: words }) => ({
      seconds: Math.max(0, seconds - offsetSeconds),
      text: words,
    }))
    .sort((a, b) => a.seconds - b.seconds)
  return { isTimed: true, lines }
}

/** Returns the index of the current line; -1 before the first line and in untimed lyrics. */
export function findLineIndex({ isTimed, lines }: Lyrics, positionSeconds: number): number {
  if (!isTimed) return -1
  let low = 0
  let high = lines.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lines[middle]?.seconds ?? 0) <= positionSeconds) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Returns the lines of a row. A row may have several timestamps: `[0:10][0:50]Again`. */
function timedLines(row: string): { seconds: number; text: string }[] {
  const tags = [...row.matchAll(timeTag)]
  const text = row.replace(timeTag, '').replace(wordTag, '').trim()
  return tags.map(([, minutes, seconds, fraction = '0']) => ({
    seconds: Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`),
    text,
  }))
}

/** Reads `[offset:500]`, the milliseconds by which all lines are shifted earlier. Returns seconds. */
function readOffset(rows: string[]): number {
  const row = rows.find((line) => /^\s*\[offset:/i.test(line))
  const offsetMs = Number(factTag.exec(row ?? '')?.[2])
  return Number.isFinite(offsetMs) ? offsetMs / 1000 : 0
}

function plainLyrics(rows: string[]): Lyrics {
  const words = rows.filter((row) => !factTag.test(row)).map((row) => row.trim())
  const first = words.findIndex((row) => row !== '')
  const last = words.findLastIndex((row) => row !== '')
  const lines = words.slice(Math.max(0, first), last + 1)
  return { isTimed: false, lines: lines.map((text) => ({ seconds: null, text })) }
}
