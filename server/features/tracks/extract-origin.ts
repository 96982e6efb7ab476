// Reads how a song was generated from the tags of its file and from the text file stored with it. Suno, Udio and their
// export tools write this into tags (`TXXX:SUNO_UUID`, a comment) and into text files of `Name: value` lines.
import type { AudioTags } from '../../platform/ffmpeg/audio-header.ts'

export interface FileOrigin {
  tool: string
  model: string | null
  created_at_source: string | null
  source_id: string | null
  source_url: string | null
  prompt: string | null
  style: string | null
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i
const sunoSong = /suno\.(?:com|ai)\/song\/([0-9a-f-]{36})/i
const udioSong = /udio\.com\/songs\/([\w-]{6,64})/i

/** Whether a tag's value is a generator's name. Export tools write it as album, album artist or genre. */
export const isToolName = (name: string) => /^(?:suno|udio)(?:[ .]?ai)?$/i.test(name)

/** Combines the tags of a file with the text file stored with it. Null if no generator was detected. */
export function extractOrigin(tags: AudioTags, sideText: string | null): FileOrigin | null {
  const beside = readSideText(sideText ?? '')
  const inside = readSideText([tags.facts, tags.comment].filter(Boolean).join('\n'))
  const side: SideText = {
    get: (...names) => beside.get(...names) ?? inside.get(...names),
    rest: beside.rest,
  }
  const named = [tags.album, tags.albumArtist].filter((name) => name && isToolName(name))
  const words = [tags.facts, tags.comment, tags.tool, ...named, side.rest]
    .filter(Boolean)
    .join('\n')
  const song = findSong(tags, words, side)
  if (!song) return null
  return {
    ...song,
    model: clip(side.get('model') ?? findModel(words), 100),
    created_at_source: parseDate(
      side.get('creation date', 'created at', 'created', 'date') ?? findCreationDate(words),
    ),
    prompt: clip(side.get('prompt', 'description') ?? getProse(tags.comment), 10_000),
    style: clip(side.get('style', 'styles', 'genre/styles', 'tags', 'genre') ?? tags.style, 5000),
  }
}

function findSong(tags: AudioTags, words: string, side: SideText) {
  const udio = udioSong.exec(words)
  if (udio || /\budio\b/i.test(words)) {
    const id = udio?.[1] ?? null
    return { tool: 'Udio', source_id: id, source_url: id && `https://www.udio.com/songs/${id}` }
  }
  // Any program may write a track id, so accept it only together with a prompt.
  const trackId = side.get('prompt') === undefined ? undefined : side.get('track id')
  const sideId = uuid.exec(side.get('uuid', 'id', 'clip id') ?? trackId ?? '')?.[0]
  const id =
    uuid.exec(tags.sunoId ?? '')?.[0] ?? sunoSong.exec(words)?.[1] ?? sideId ?? findBareId(tags)
  if (!id && !/\bsuno\b/i.test(words)) return null
  const source_id = id ?? uuid.exec(words)?.[0] ?? null
  return {
    tool: 'Suno',
    source_id: source_id?.toLowerCase() ?? null,
    source_url: source_id && `https://suno.com/song/${source_id.toLowerCase()}`,
  }
}

/**
 * Finds the song id in a file downloaded from Suno. It contains no generator name: the comment is only the id, and the
 * album equals the title.
 */
export function findBareId({ comment, album, title }: AudioTags): string | undefined {
  return comment && isUuid(comment) && album !== undefined && album === title ? comment : undefined
}

export const isUuid = (text: string) =>
  /^\s*[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\s*$/i.test(text)

interface SideText {
  /** The value of the first of these names that the text file contains. */
  get: (...names: string[]) => string | undefined
  rest: string
}

/** Parses the `Name: value` lines before the lyrics. Lyrics start with a `Lyrics:` line and may contain anything. */
function readSideText(text: string): SideText {
  const [head = ''] = text.split(/^\s*(?:(?:prompt\s*\/\s*)?lyrics\s*:|[-=#*]+\s*lyrics\b)/im)
  const values = new Map<string, string>()
  for (const line of head.split(/\r?\n/)) {
    const [, name, value] = /^\s*([\p{L} /_-]{2,30}?)\s*:\s*(\S.*?)\s*$/u.exec(line) ?? []
    if (name && value) values.set(name.toLowerCase().replaceAll(/[_-]/g, ' '), value)
  }
  return {
    get: (...names) => names.map((name) => values.get(name)).find((value) => value !== undefined),
    rest: head,
  }
}

/** Returns a comment if it is free text: SunoSync stores the song's prompt there. */
function getProse(comment: string | undefined): string | undefined {
  const isFacts = /https?:|made with|\b(?:id|created)\s*=|^\s*[\p{L} /_-]{2,30}\s*:\s*\S/imu
  return comment && /\s/.test(comment) && !isFacts.test(comment) ? comment : undefined
}

/** Finds the model name of a generator: `chirp-v4`, `v4.5`, `V5`. */
function findModel(words: string): string | undefined {
  return /\b(?:chirp-)?v\d(?:[.-]\d)?(?:\+|-all|-plus)?(?=[\s;,.)]|$)/i.exec(words)?.[0]
}

function findCreationDate(words: string): string | undefined {
  return /\bcreated\s*[=:]\s*([\d][\dT:.+Z-]{9,34})/i.exec(words)?.[1]
}

/** Parses a creation date. Null if it is not a plausible date. */
function parseDate(text: string | undefined): string | null {
  const milliseconds = Date.parse(text ?? '')
  if (Number.isNaN(milliseconds)) return null
  const moment = new Date(milliseconds)
  const year = moment.getUTCFullYear()
  return year >= 2000 && year < 2100 ? moment.toISOString() : null
}

function clip(text: string | undefined, maxLength: number): string | null {
  const clean = text?.replaceAll('\0', '').trim()
  return clean ? clean.slice(0, maxLength).toWellFormed() : null
}
