// Extracts facts (`Name: value` lines), title, artist and lyrics from side files: the text files stored with a
// recording. These are untrusted input.
import type { SideFile, SideFileKind } from '#contract/fields/side-files.ts'
import { cleanName } from '#contract/fields/clean-name.ts'
import { convertSrtToLrc, convertWordsToLrc } from './timed-words.ts'

export interface SideFacts {
  /** The facts as `Name: value` lines, which extractOrigin() parses. */
  text: string
  title: string | null
  artist: string | null
  /**
   * The best lyrics found: timed by word or line if possible, otherwise plain. Section marks such as [Chorus] are kept.
   */
  lyrics: string | null
}

const lyricsMaxLength = 50_000

export function readSideFiles(files: readonly SideFile[]): SideFacts {
  const textOf = (kind: SideFileKind) => files.find((file) => file.kind === kind)?.text
  const json = readJson(textOf('json') ?? findApiResponse(textOf('txt')))
  const lrc = textOf('lrc')
  const srt = textOf('srt')
  const plain = clean(textOf('txt'))
  const text = [plain === null ? null : getHead(plain), json?.text].filter(Boolean).join('\n')
  const lyrics =
    (lrc && hasLrcLines(lrc) ? clean(lrc) : null) ??
    json?.timedLyrics ??
    (srt ? convertSrtToLrc(srt) : null) ??
    (plain === null ? null : extractLyrics(plain)) ??
    json?.lyrics ??
    clean(lrc)
  return {
    text,
    title: json?.title ?? findValue(text, 'title'),
    artist: json?.artist ?? findValue(text, 'artist'),
    lyrics: lyrics?.trim().slice(0, lyricsMaxLength).toWellFormed() || null,
  }
}

/** Matches the heading of the lyrics: `Lyrics:`, `Prompt / Lyrics:` and `--- LYRICS ---`. */
const lyricsHeading =
  /^[^\S\n]*(?:prompt[^\S\n]*\/[^\S\n]*lyrics[^\S\n]*:|lyrics[^\S\n]*:|[-=#*]+[^\S\n]*lyrics[^\S\n]*[-=#*:]*$)[^\S\n]*/im
const factLine = /^\s*[\p{L} /_-]{2,30}?\s*:\s*\S/u
/** Matches separator lines, and the text that a tool writes when there are no lyrics. */
const rule = /^[-=_*#]{3,}$|^\(no prompt\/lyrics found\)$/i

/** The lines before the lyrics heading, or the whole text if there is no heading. */
function getHead(text: string): string {
  return text.split(lyricsHeading)[0] ?? ''
}

/** Matches headings after the lyrics, such as `--- Raw API Response ---`. */
const nextHeading = /^[-=#*]{3,}[^\S\n]*\p{L}[\p{L}\p{N} /_-]{1,40}[^\S\n]*[-=#*]{3,}[^\S\n]*$/mu

/** Finds the generator's API response, which some tools append below the lyrics. */
function findApiResponse(text: string | undefined): string | undefined {
  return /^[-=#*]{3,}[^\S\n]*raw (?:api )?response[^\S\n]*[-=#*]{3,}[^\S\n]*$\n([\s\S]*)/im.exec(
    text ?? '',
  )?.[1]
}

function extractLyrics(text: string): string | null {
  const heading = lyricsHeading.exec(text)
  if (heading) {
    const [lyrics = ''] = text.slice(heading.index + heading[0].length).split(nextHeading)
    return removeSeparators(lyrics)
  }
  const lines = text.split('\n').filter((line) => line.trim())
  const isProse = lines.length < 4 || lines.slice(0, 2).some((line) => factLine.test(line))
  return isProse ? null : text.trim()
}

function removeSeparators(text: string): string | null {
  const lines = text.trim().split('\n')
  const isRule = (line: string | undefined) => line !== undefined && rule.test(line.trim())
  while (isRule(lines[0])) lines.shift()
  while (isRule(lines.at(-1))) lines.pop()
  return lines.join('\n').trim() || null
}

function hasLrcLines(text: string): boolean {
  return /^\s*\[\d{1,3}:\d{1,2}/m.test(text)
}

function findValue(text: string, name: string): string | null {
  const found = new RegExp(`^\\s*${name}\\s*:\\s*(\\S.*)$`, 'im').exec(text)?.[1]
  return toName(found)
}

function toName(value: unknown): string | null {
  return typeof value === 'string' ? cleanName(value).slice(0, 200).trim() || null : null
}

function clean(text: string | undefined): string | null {
  return text === undefined ? null : text.replace(/^\uFEFF/, '').replaceAll(/\0|\r(?=\n)/g, '')
}

interface JsonFacts {
  text: string
  title: string | null
  artist: string | null
  lyrics: string | null
  timedLyrics: string | null
}

/** Reads JSON from Suno and Udio, as export tools save it. Null if the text is not a JSON object or array. */
function readJson(source: string | undefined): JsonFacts | null {
  const song = parseObject(source)
  if (!song) return null
  const inner = isRecord(song.metadata) ? song.metadata : {}
  const read = (...names: string[]) =>
    names.map((name) => toText(song[name]) ?? toText(inner[name])).find((text) => text !== null) ??
    null
  const prompt = read('prompt')
  // Suno stores the lyrics in the field "prompt" and the prompt in "gpt_description_prompt".
  const isPromptSung = prompt !== null && /\n|^\[/.test(prompt)
  const facts: [string, string | null][] = [
    ['Tool', /\budio\b/i.test(source!) ? 'Udio' : /\bsuno\b/i.test(source!) ? 'Suno' : null],
    ['UUID', read('uuid', 'suno_id', 'clip_id', 'id')],
    ['Model', read('model', 'model_name', 'major_model_version', 'model_version')],
    ['Creation date', read('created_at', 'creation_date', 'created', 'date')],
    [
      'Prompt',
      read('gpt_description_prompt', 'description_prompt') ?? (isPromptSung ? null : prompt),
    ],
    ['Style', read('style', 'tags', 'styles', 'display_tags')],
    ['Seed', read('seed')],
    ['Source', read('source_url', 'song_url', 'url')],
  ]
  const timed = ['aligned_words', 'alignedWords', 'aligned_lyrics', 'words']
  return {
    text: facts
      .flatMap(([name, value]) => (value ? [`${name}: ${value.replaceAll(/\s+/g, ' ')}`] : []))
      .join('\n'),
    title: toName(song.title ?? song.name),
    artist: toName(song.artist ?? song.display_name),
    lyrics: clean(read('lyrics', 'lyric') ?? (isPromptSung ? prompt! : undefined)),
    timedLyrics:
      timed
        .map((name) => convertWordsToLrc(song[name] ?? inner[name]))
        .find((text) => text !== null) ?? null,
  }
}

function parseObject(source: string | undefined): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse((source ?? 'null').replace(/^\uFEFF/, ''))
    // If the JSON is an array, it contains only timed words.
    if (Array.isArray(value)) return { aligned_words: value }
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toText(value: unknown): string | null {
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string').join(', ') || null
  return typeof value === 'string' ? value.trim() || null : null
}
