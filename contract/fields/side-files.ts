// Text files that export tools save next to a recording: song metadata, and lyrics with timestamps.
import * as z from 'zod/mini'

export const sideFileKinds = ['txt', 'json', 'lrc', 'srt'] as const
export type SideFileKind = (typeof sideFileKinds)[number]

export const sideFileMaxLength = 200_000

export const sideFile = z.object({
  kind: z.enum(sideFileKinds),
  text: z.string().check(z.maxLength(sideFileMaxLength)),
})
export type SideFile = z.infer<typeof sideFile>

/** The kind of a companion file, detected from its name. Undefined for other files. */
export function detectSideFileKind(filename: string): SideFileKind | undefined {
  const extension = /\.([a-z]{3,4})$/i.exec(filename)?.[1]?.toLowerCase()
  return sideFileKinds.find((kind) => kind === extension)
}

/**
 * Names of recordings to which a text file may belong, without extension. `Song_info.txt` and `lyrics-Song.txt`
 * belong to `Song.mp3`, unless there is a recording `Song_info.mp3`.
 */
export function listSideFileStems(path: string): string[] {
  const stem = toStem(path)
  const rest = stem
    .replace(/[ ._-]+(?:info|lyrics|meta|metadata|prompt|details)$/, '')
    .replace(/(?<=^|\/)lyrics[ ._-]+(?=[^/]+$)/, '')
  return rest === stem || rest.endsWith('/') ? [stem] : [stem, rest]
}

/**
 * Whether a file is named after lyrics in general: `lyrics.txt`, `Lyrics - first draft.txt`. If its folder contains
 * only one recording, the file belongs to that recording.
 */
export function isNamedLyrics(path: string): boolean {
  return /(?:^|\/)(?:lyrics\b[^/]*|[^/]*\blyrics)\.(?:txt|lrc|srt)$/i.test(path)
}

/** `album/01 Song.wav` → `album/01 song`. Equal for a recording and its text and picture files. */
export function toStem(path: string): string {
  return path.replace(/\.[^./]{1,5}$/, '').toLowerCase()
}
