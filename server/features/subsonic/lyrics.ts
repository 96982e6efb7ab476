// Lyrics in the Subsonic API: plain text, with the time of each line (LRC), or with the time of each word (enhanced
// LRC, songLyrics 2).
import { sql } from 'kysely'
import { isAvailable } from '../availability/availability.ts'
import type { Tree } from './response.ts'

import { requireUuid } from './item-ids.ts'
import type { CallHandler } from './subsonic-call.ts'
import { notFound } from './subsonic-error.ts'

interface Cue {
  startMs: number
  text: string
}

export interface LyricLine {
  startMs: number | null
  text: string
  cues: Cue[]
}

const lineTime = /^\[(\d{1,3}):(\d{1,2}(?:[.:]\d{1,3})?)\]/
const wordTime = /<(\d{1,3}):(\d{1,2}(?:[.:]\d{1,3})?)>/g
const tag = /^\[[a-z]+:[^\]]*\]$/i

const toMs = (minutes: string, seconds: string) =>
  Math.round((Number(minutes) * 60 + Number(seconds.replace(':', '.'))) * 1000)

/** In LRC, every line starts with its time. A line that is sung several times has several. */
export function parseLyrics(text: string): LyricLine[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  const timed = lines.flatMap(parseTimedLine)
  if (timed.length > 0) return timed.toSorted((a, b) => (a.startMs ?? 0) - (b.startMs ?? 0))
  return lines
    .filter((line) => !tag.test(line))
    .map((line) => ({ startMs: null, text: line, cues: [] }))
}

function parseTimedLine(line: string): LyricLine[] {
  const starts: number[] = []
  let rest = line
  for (let found = lineTime.exec(rest); found; found = lineTime.exec(rest)) {
    starts.push(toMs(found[1]!, found[2]!))
    rest = rest.slice(found[0].length).trimStart()
  }
  const cues = starts.length === 1 ? parseCues(rest) : []
  const text = rest.replaceAll(wordTime, '').trim()
  const isWhole = cues.map((cue) => cue.text).join('') === text
  return starts.map((startMs) => ({ startMs, text, cues: isWhole ? cues : [] }))
}

/** Splits a line into timed words, each including the space after it. */
function parseCues(line: string): Cue[] {
  const marks = [...line.matchAll(wordTime)]
  const cues = marks.map((mark, i) => ({
    startMs: toMs(mark[1]!, mark[2]!),
    text: line
      .slice(mark.index + mark[0].length, marks[i + 1]?.index)
      .replace(/^\s+/, i === 0 ? '' : '$&'),
  }))
  const spoken = cues.filter(({ text }) => text.trim() !== '')
  const last = spoken.at(-1)
  if (last) last.text = last.text.trimEnd()
  return spoken
}

export const getLyricsBySongId: CallHandler = async ({ ctx, parameters }) => {
  const id = requireUuid('song', parameters.required('id'))
  const { rows } = await sql<{ title: string; artist: string; lyrics: string | null }>`
    select t.title, t.artist, t.lyrics from tracks t
     where t.id = ${id}::uuid and ${isAvailable('t')}`.execute(ctx.db.query)
  const [song] = rows
  if (!song) throw notFound('Song')
  if (!song.lyrics?.trim()) return { lyricsList: { structuredLyrics: [] } }
  const isEnhanced = parameters.flag('enhanced') === true
  return { lyricsList: { structuredLyrics: [toStructured(song, song.lyrics, isEnhanced)] } }
}

function toStructured(
  { title, artist }: { title: string; artist: string },
  text: string,
  isEnhanced: boolean,
): Tree {
  const lines = parseLyrics(text)
  const synced = lines.some(({ startMs }) => startMs !== null)
  const cueLine = lines.flatMap((line, index) =>
    line.cues.length > 0 ? [toCueLine(line, index)] : [],
  )
  return {
    displayArtist: artist,
    displayTitle: title,
    lang: 'und',
    synced,
    line: lines.map(({ startMs, text: value }) => ({ start: startMs ?? undefined, value })),
    ...(isEnhanced && { kind: 'main', ...(cueLine.length > 0 && { cueLine }) }),
  }
}

/** Converts a line's word times. Offsets count UTF-8 bytes, and both ends are inclusive. */
function toCueLine({ startMs, text, cues }: LyricLine, index: number): Tree {
  let at = 0
  const cue = cues.map((one) => {
    const byteStart = at
    at += Buffer.byteLength(one.text)
    return { start: one.startMs, byteStart, byteEnd: at - 1, value: one.text }
  })
  return { index, start: startMs ?? undefined, value: text, cue }
}

/** Handles the oldest lyrics call: finds lyrics by artist and title, and returns them without times. */
export const getLyrics: CallHandler = async ({ ctx, parameters }) => {
  const artist = parameters.text('artist') ?? ''
  const title = parameters.text('title') ?? ''
  const { rows } = await sql<{ title: string; artist: string; lyrics: string }>`
    select t.title, t.artist, t.lyrics from tracks t
     where ${isAvailable('t')} and t.lyrics is not null and lower(t.title) = lower(${title})
       and (${artist} = '' or lower(t.artist) = lower(${artist}))
     order by t.created_at, t.id limit 1`.execute(ctx.db.query)
  const [song] = rows
  if (!song) return { lyrics: { artist, title, value: '' } }
  const value = parseLyrics(song.lyrics)
    .map(({ text }) => text)
    .join('\n')
  return { lyrics: { artist: song.artist, title: song.title, value } }
}
