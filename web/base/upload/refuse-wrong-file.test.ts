import { expect, test } from 'vitest'
import { ApiError } from '../api/api.ts'
import { validateUploadFile } from './refuse-wrong-file.ts'

/** Returns two MPEG-1 layer III frames at 128 kbit/s and 44.1 kHz, 417 bytes each. */
function mp3Frames(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(417 * 2)
  for (const start of [0, 417]) bytes.set([0xff, 0xfb, 0x90, 0x00], start)
  return bytes
}

/** Creates a File with the methods that the test environment lacks. */
function fileOf(bytes: Uint8Array<ArrayBuffer> | string, name: string): File {
  const file = new File([bytes], name)
  const data = typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes
  return Object.assign(file, {
    slice: (start = 0, end = data.length) => ({
      arrayBuffer: async () => data.slice(start, end).buffer,
    }),
  })
}

async function codeOf(file: File, bucket: 'audio' | 'covers'): Promise<string> {
  try {
    await validateUploadFile(file, bucket)
    return 'taken'
  } catch (error) {
    return error instanceof ApiError ? `${error.code}: ${error.message}` : String(error)
  }
}

const id3 = (size: number) => {
  const tag = new Uint8Array(10 + size)
  tag.set([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, size >> 7, size & 127])
  return tag
}
const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]))

test.each([
  ['an MP3', mp3Frames(), 'taken'],
  ['an MP3 behind its tag', joined(id3(300), mp3Frames()), 'taken'],
  ['a WAV', 'RIFF\0\0\0\0WAVEfmt ', 'taken'],
  ['a FLAC', 'fLaC\0\0', 'taken'],
  ['an Ogg', 'OggS\0\0', 'taken'],
  ['an M4A', '\0\0\0\x20ftypM4A ', 'taken'],
  ['an empty file', '', 'file_empty: The file is empty.'],
  [
    'a page called .mp3',
    '<!doctype html><title>Not found</title>',
    'unsupported_media: This file is not audio that can be played.',
  ],
  [
    'an MP3 tag with nothing behind it',
    joined(id3(300), new Uint8Array(2000)),
    'unsupported_media: This file is not audio that can be played.',
  ],
])('handles %s as a recording', async (_, bytes, expected) => {
  expect(await codeOf(fileOf(bytes, 'song.mp3'), 'audio')).toBe(expected)
})

test.each([
  ['a PNG', joined(Uint8Array.from([0x89, 0x50, 0x4e, 0x47])), 'taken'],
  ['a JPEG', joined(Uint8Array.from([0xff, 0xd8, 0xff, 0xe0])), 'taken'],
  ['a WebP', 'RIFF\0\0\0\0WEBPVP8 ', 'taken'],
  ['an AVIF', '\0\0\0\x20ftypavif', 'taken'],
  [
    'words called .png',
    'words',
    'unsupported_image: This file is not a picture that can be shown.',
  ],
])('handles %s as a cover', async (_, bytes, expected) => {
  expect(await codeOf(fileOf(bytes, 'cover.png'), 'covers')).toBe(expected)
})
