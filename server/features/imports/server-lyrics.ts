// Reads a song's lyrics from another server and converts them to LRC: timed by word, timed by line, or plain. They are
// untrusted input.
import { sideFileMaxLength, type SideFile } from '#contract/fields/side-files.ts'
import { formatLrcTime } from '../side-files/timed-words.ts'
import { UnavailableItemError } from './server-error.ts'
import type { ServerClient } from './server-client.ts'
import { readFields, type Fields } from './server-fields.ts'

/** Null if the song has no lyrics or the server does not support the request. */
export async function readServerLyrics(client: ServerClient, id: string): Promise<SideFile | null> {
  const response = await client
    .call('getLyricsBySongId', { id, enhanced: 'true' })
    .catch((error: unknown) => {
      if (error instanceof UnavailableItemError) return null
      throw error
    })
  const all = readFields(response?.lyricsList).list('structuredLyrics')
  const best =
    all.find(({ synced, kind }) => synced === true && (kind ?? 'main') === 'main') ?? all[0]
  const text = best && toLrc(best)
  return text?.trim() ? { kind: 'lrc', text: text.slice(0, sideFileMaxLength) } : null
}

export function toLrc(lyrics: Fields): string {
  const words = new Map<number, string>()
  for (const fields of readFields(lyrics).list('cueLine')) {
    const index = readFields(fields).number('index')
    const cues = readFields(fields).list('cue').flatMap(toWord)
    if (index !== undefined && cues.length > 0) words.set(index, cues.join(' '))
  }
  return readFields(lyrics)
    .list('line')
    .map(({ start, value }, index) => {
      const text = typeof value === 'string' ? value.replaceAll(/[\r\n\0]+/g, ' ').trim() : ''
      if (lyrics.synced !== true || !isTime(start)) return text
      return `${formatLrcTime(start / 1000, '[]')}${words.get(index) ?? text}`
    })
    .join('\n')
}

function toWord({ start, value }: Fields): string[] {
  const word = typeof value === 'string' ? value.replaceAll(/[\r\n\0<>]+/g, ' ').trim() : ''
  return word !== '' && isTime(start) ? [`${formatLrcTime(start / 1000, '<>')}${word}`] : []
}

const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < 36_000_000
