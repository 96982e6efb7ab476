// Reads format, codec and tags from a file's header. Runs only in probe-worker.ts, in a process of its own, because
// its parsers are the first code that reads untrusted bytes.
import { open } from 'node:fs/promises'
import { fileTypeFromFile } from 'file-type'
import { parseFile, type IAudioMetadata, type ILyricsTag } from 'music-metadata'
import { cleanName } from '#contract/fields/clean-name.ts'
import { isGarbled, preferUtf8 } from './riff-text.ts'

export type AudioFormat = 'mp3' | 'wav' | 'flac' | 'mp4' | 'aac' | 'ogg' | 'aiff'

export type AudioTags = {
  title?: string
  artist?: string
  album?: string
  albumArtist?: string
  disc?: number
  trackNumber?: number
  genre?: string
  year?: number
  /** Plain text, or LRC lines if the lyrics have timestamps. */
  lyrics?: string
  comment?: string
  /** The program that created the file, if the tags name it. AI tools often write their name. */
  tool?: string
  /** The id of the song at Suno, if it is in the file. */
  sunoId?: string
  /** Style, model, prompt and similar texts of AI tools, as lines `Name: value`. */
  facts?: string
  /** All genres as written in the file. AI tools write the style prompt there. */
  style?: string
}

export type AudioHeader = {
  format: AudioFormat
  codec: string
  /** The duration in the header. `undefined` if the header has none, or if the file is a stream of unknown length. */
  durationSeconds: number | undefined
  channels: number
  sampleRate: number
  /** Bits per second. */
  bitrate: number | undefined
  tags: AudioTags
  embeddedCover?: Uint8Array
}

const formatOfExtension: Partial<Record<string, AudioFormat>> = {
  mp3: 'mp3',
  wav: 'wav',
  flac: 'flac',
  m4a: 'mp4',
  m4b: 'mp4',
  mp4: 'mp4',
  aac: 'aac',
  ogg: 'ogg',
  oga: 'ogg',
  opus: 'ogg',
  aif: 'aiff',
}

/** Detects the format from the first bytes, never from the name. Returns `undefined` for an unsupported format. */
export async function detectAudioFormat(path: string): Promise<AudioFormat | undefined> {
  const type = await fileTypeFromFile(path)
  return type && formatOfExtension[type.ext]
}

/** Returns `undefined` if the file contains no audio, or contains video. */
export async function readAudioHeader(
  path: string,
  format: AudioFormat,
): Promise<AudioHeader | undefined> {
  const { format: audio, common, native } = await parseFile(path)
  if (audio.hasVideo || audio.hasAudio === false) return undefined
  const cover = common.picture?.find(({ type }) => /front/i.test(type ?? '')) ?? common.picture?.[0]
  return {
    format,
    codec: codecName(audio.codec, format),
    durationSeconds: await readClaimedSeconds(path, format, audio),
    channels: audio.numberOfChannels ?? 2,
    sampleRate: audio.sampleRate ?? 44_100,
    bitrate: audio.bitrate,
    tags: readTags(common, audio, textReader(native), {
      sunoId: readCustomText(native, 'SUNO_UUID') ?? readCustomText(native, 'SUNO_ID'),
      facts: readGeneratorFields(native),
    }),
    ...(cover && { embeddedCover: Uint8Array.from(cover.data) }),
  }
}

/**
 * Returns the duration according to the header. The parser counts only bytes that exist, but WAV and AIFF also
 * declare their full size.
 */
async function readClaimedSeconds(
  path: string,
  format: AudioFormat,
  { duration }: IAudioMetadata['format'],
): Promise<number | undefined> {
  if (duration === undefined || !Number.isFinite(duration)) return undefined
  if (format !== 'wav' && format !== 'aiff') return duration
  await using file = await open(path)
  const { size } = await file.stat()
  const { buffer } = await file.read(Buffer.alloc(8), 0, 8, 0)
  const claimedBytes = 8 + (format === 'wav' ? buffer.readUInt32LE(4) : buffer.readUInt32BE(4))
  // A WAV file written to a pipe has no size: all bits of the field are 1, or all are 0.
  return claimedBytes > 0xffffff00 ? duration : duration * Math.max(1, claimedBytes / size)
}

/** 65534 is WAVE_FORMAT_EXTENSIBLE, which is used for 24-bit and multichannel PCM. */
function codecName(codec: string | undefined, format: AudioFormat): string {
  if (!codec) return format
  return codec.startsWith('non-PCM (65534') ? 'PCM' : codec
}

type ReadText = (text: string | undefined) => string | undefined

/** Corrects the encoding of RIFF INFO tags, which the parser calls `exif`. Other tags declare their encoding. */
function textReader({ exif = [] }: IAudioMetadata['native']): ReadText {
  const values = new Set(exif.map(({ value }) => value))
  return (text) => (text !== undefined && values.has(text) ? preferUtf8(text) : text)
}

function readTags(
  common: IAudioMetadata['common'],
  audio: IAudioMetadata['format'],
  read: ReadText,
  { sunoId, facts }: Record<'sunoId' | 'facts', string | undefined>,
): AudioTags {
  const tags = {
    title: cleanTag(read(common.title)),
    artist: cleanTag(read(artistName(common, audio))),
    album: cleanTag(read(common.album)),
    albumArtist: cleanTag(read(common.albumartist)),
    disc: common.disk?.no ?? undefined,
    trackNumber: common.track?.no ?? undefined,
    genre: cleanTag(read(common.genre?.[0])),
    year: common.year,
    lyrics: common.lyrics?.[0] && lyricsText(common.lyrics[0]),
    comment: cleanTag(read(common.comment?.[0]?.text), 1000),
    tool: cleanTag(read(common.encodedby ?? audio.tool)),
    sunoId: cleanTag(sunoId),
    facts: facts?.slice(0, 20_000),
    style: cleanTag(read(common.genre?.join(', ')), 5000),
  }
  return Object.fromEntries(Object.entries(tags).filter(([, value]) => value)) as AudioTags
}

/** Reads a custom text field: `TXXX` in ID3, a freeform atom in MP4, a comment in Vorbis. */
function readCustomText(native: IAudioMetadata['native'], name: string): string | undefined {
  const isNamed = (id: string) => id.toUpperCase().split(':').at(-1) === name
  const found = Object.values(native)
    .flat()
    .find(({ id }) => isNamed(id))
  return typeof found?.value === 'string' ? found.value : undefined
}

const ownFrames = [
  ['Style', 'SUNO_STYLE'],
  ['Style', 'SUNO_STYLES'],
  ['Model', 'SUNO_MODEL'],
  ['Model', 'SUNO_MODEL_NAME'],
  ['Model', 'SUNO-VERSION'],
  ['Prompt', 'SUNO_PROMPT'],
  ['Created', 'SUNO_CREATED_DATE'],
  ['Source', 'SUNO_URL'],
] as const

function readGeneratorFields(native: IAudioMetadata['native']): string | undefined {
  const lines = ownFrames.flatMap(([name, frame]) => {
    const text = readCustomText(native, frame)?.replaceAll('\0', '').trim()
    // Some tools write the lyrics into the field for the prompt.
    if (!text || (name === 'Prompt' && /\n|^\[/.test(text))) return []
    return [`${name}: ${text.replaceAll(/\s+/g, ' ')}`]
  })
  return lines.join('\n') || undefined
}

/** ID3v2.3 separates artists with a slash, which also occurs in names like `AC/DC`, so the text is not split. */
function artistName(
  { artist, artists = [] }: IAudioMetadata['common'],
  { tagTypes }: IAudioMetadata['format'],
): string | undefined {
  if (artists.length < 2) return artist
  return artists.join(tagTypes?.includes('ID3v2.3') ? '/' : ', ')
}

/**
 * Cleans a tag like typed text and limits its length, because tags are untrusted input. A garbled tag counts as
 * missing.
 */
function cleanTag(text: string | undefined, maxLength = 200): string | undefined {
  // Checked before control characters are removed, because wrongly decoded text contains some.
  if (!text || isGarbled(text.toWellFormed())) return undefined
  const clean = cleanName(text.replaceAll('\0', ' '))
  return clean ? clean.slice(0, maxLength).trim().toWellFormed() : undefined
}

/** Formats lyrics as LRC or plain text. Plain lyrics have no `syncText`, although the library's types require it. */
function lyricsText({ text, syncText = [] }: Partial<ILyricsTag>): string | undefined {
  const timed = syncText
    .filter(({ timestamp }) => timestamp !== undefined)
    .map(({ timestamp = 0, text: line }) => `[${lrcTime(timestamp)}]${line}`)
  const lines = timed.length > 0 ? timed.join('\n') : text
  return lines
    ?.replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n\t]/gu, '')
    .slice(0, 20_000)
    .toWellFormed()
}

/** Formats milliseconds as LRC's `mm:ss.cc`. */
function lrcTime(timestampMs: number): string {
  const minutes = Math.floor(timestampMs / 60_000)
  const seconds = ((timestampMs % 60_000) / 1000).toFixed(2)
  return `${String(minutes).padStart(2, '0')}:${seconds.padStart(5, '0')}`
}
