// Lyrics with time tags (the LRC format) or without, as lines to show. Pure.

export interface LyricLine {
  /** When it is sung; null in lyrics without times. */
  seconds: number | null
  text: string
}

export interface Lyrics {
  isTimed: boolean
  lines: LyricLine[]
}

/** `[1:02.50]`, `[01:02]`, `[01:02:50]`: minutes, seconds, fraction. */
const timeTag = /\[(\d{1,3}):(\d{1,2})(?:[.:](\d{1,3}))?\]/g
/** `[ar:Somebody]` and other facts about the song. */
const factTag = /^\s*\[([a-z#]+):(.*)\]\s*$/i
/** Times of single words, which this view does not use. */
const wordTag = /<\d{1,3}:\d{1,2}(?:[.:]\d{1,3})?>\s?/g

/** Reads any text: what carries no time tag is shown as it stands. */
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

/** Index of the line that is sung at this moment; -1 before the first, and in lyrics without times. */
export function lineAt({ isTimed, lines }: Lyrics, positionSeconds: number): number {
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

/** One line may be sung several times: `[0:10][0:50]Again`. */
function timedLines(row: string): { seconds: number; text: string }[] {
  const tags = [...row.matchAll(timeTag)]
  const text = row.replace(timeTag, '').replace(wordTag, '').trim()
  return tags.map(([, minutes, seconds, fraction = '0']) => ({
    seconds: Number(minutes) * 60 + Number(seconds) + Number(`0.${fraction}`),
    text,
  }))
}

/** `[offset:500]`: milliseconds by which all lines come earlier. In seconds. */
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
