import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTestFolder, createSine, encodeWav, writeWav } from '../../testing/audio-fixtures.ts'
import { createFfmpeg } from './ffmpeg.ts'
import { probeAudio } from './probe.ts'
import { encodeTaggedWav, type WavTags } from '../../testing/tagged-wav.ts'

const folder = await createTestFolder()
const ffmpeg = await createFfmpeg({ ffmpegPath: 'wasm' })

async function file(name: string, bytes: Buffer | string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

/** Writes one second of sound, converted with these ffmpeg arguments. */
async function convert(name: string, ...args: string[]): Promise<string> {
  const input = await writeWav(join(folder, 'source.wav'), createSine(440), { seconds: 1 })
  const output = join(folder, name)
  await ffmpeg.run(['-i', input, ...args, output], {
    inputs: [input],
    outputs: [output],
    timeoutMs: 30_000,
  })
  return output
}

function noise(length: number): Buffer {
  let state = 1
  return Buffer.from(
    Uint8Array.from({ length }, () => (state = Math.imul(state, 1_103_515_245) + 12_345) >>> 24),
  )
}

describe('with files that are not audio', () => {
  const zip = Buffer.concat([Buffer.from('PK\x03\x04\x14\0\0\0\0\0'), noise(400)])
  const files: Record<string, Buffer | string> = {
    'page.mp3': '<!doctype html><html><body><script>alert(1)</script></body></html>',
    'archive.wav': zip,
    'empty.flac': '',
    'list.mp3': '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n',
    'edit-list.mp3': 'ffconcat version 1.0\nfile /etc/passwd\n',
    'tag-only.mp3': Buffer.concat([
      Buffer.from('ID3\x04\0\0\0\0\0\0'),
      Buffer.from('hello, it is me'),
    ]),
  }
  test.each(Object.entries(files))('refuses %s', async (name, bytes) => {
    const probing = probeAudio(await file(name, bytes))
    await expect(probing).rejects.toMatchObject({ code: 'unsupported_media' })
    await expect(probing).rejects.toThrow(/not/)
  })

  test('refuses a video', async () => {
    const path = join(folder, 'film.mp4')
    const args = ['-f', 'lavfi', '-i', 'testsrc=s=32x32:d=1', '-f', 'lavfi', '-i', 'sine=d=1']
    const run = { inputs: [], outputs: [path], timeoutMs: 30_000 }
    await ffmpeg.run([...args, '-c:v', 'mpeg4', '-c:a', 'aac', path], run)
    await expect(probeAudio(path)).rejects.toMatchObject({ code: 'unsupported_media' })
  })
})

test('throws an I/O error for a missing file', async () => {
  await expect(probeAudio(join(folder, 'nowhere.mp3'))).rejects.toThrow('ENOENT')
})

test('refuses a header that claims too long a duration', async () => {
  const path = await writeWav(join(folder, 'long.wav'), () => 0, { seconds: 3 })
  await expect(probeAudio(path, { maxDurationSeconds: 2 })).rejects.toMatchObject({
    code: 'media_too_long',
  })
})

test('returns the duration in the header of a truncated WAV', async () => {
  const bytes = encodeWav(createSine(440), { seconds: 4 })
  const header = await probeAudio(await file('cut.wav', bytes.subarray(0, bytes.length / 2)))
  expect(header.durationSeconds).toBeCloseTo(4, 1)
})

test('uses the length of the data for a WAV from a pipe, whose header has no size', async () => {
  const bytes = encodeWav(createSine(440), { seconds: 2 })
  bytes.writeUInt32LE(0xffffffff, 4)
  bytes.writeUInt32LE(0xffffffff, 40)
  expect((await probeAudio(await file('pipe.wav', bytes))).durationSeconds).toBeCloseTo(2, 2)
})

test('reads tags, lyrics and the cover', async () => {
  const jpeg = join(folder, 'cover.jpg')
  const run = { inputs: [], outputs: [jpeg], timeoutMs: 30_000 }
  await ffmpeg.run(['-f', 'lavfi', '-i', 'color=c=red:s=16x16', '-frames:v', '1', jpeg], run)
  const input = await writeWav(join(folder, 'plain.wav'), createSine(440), { seconds: 1 })
  const path = join(folder, 'tagged.mp3')
  const tags = {
    title: '  Velvet\u0007 Hour ',
    artist: 'Mira Holt',
    album: 'Evenings',
    genre: 'Soul',
    date: '2025',
    comment: 'made with Suno',
    lyrics: 'one\ntwo',
  }
  const metadata = Object.entries(tags).flatMap(([key, value]) => ['-metadata', `${key}=${value}`])
  await ffmpeg.run(
    ['-i', input, '-i', jpeg, '-map', '0', '-map', '1', '-c:v', 'copy', ...metadata, path],
    { inputs: [input, jpeg], outputs: [path], timeoutMs: 30_000 },
  )
  const header = await probeAudio(path)
  expect(header).toMatchObject({ format: 'mp3', channels: 2, sampleRate: 44_100 })
  expect(header.tags).toMatchObject({
    title: 'Velvet Hour',
    artist: 'Mira Holt',
    album: 'Evenings',
    genre: 'Soul',
    year: 2025,
  })
  expect(Buffer.from(header.embeddedCover ?? [])).toEqual(await readFile(jpeg))
})

test.each([
  ['a.wav', 'wav', ['-c:a', 'pcm_s24le']],
  ['a.flac', 'flac', []],
  ['a.aiff', 'aiff', []],
  ['a.mp3', 'mp3', []],
  ['a.m4a', 'mp4', []],
  ['alac.m4a', 'mp4', ['-c:a', 'alac']],
  ['a.mp4', 'mp4', []],
  ['a.aac', 'aac', ['-f', 'adts']],
  ['a.ogg', 'ogg', ['-c:a', 'libvorbis']],
] as const)('detects %s regardless of the file name', async (name, format, args) => {
  const path = await convert(name, ...args)
  const disguised = await file(`${name}.txt`, await readFile(path))
  expect(await probeAudio(disguised)).toMatchObject({ format, channels: 2, sampleRate: 44_100 })
})

describe('tags of WAV files', () => {
  const read = async (tags: WavTags) =>
    (await probeAudio(await file('tagged.wav', encodeTaggedWav(0.1, 440, tags)))).tags

  test.each(['Åse på Ængen', 'Süße Träume', 'Emoji 🎷 Jazz', '夜', 'Plain'])(
    'in UTF-8 are read as UTF-8: %s',
    async (title) => {
      const bytes = Buffer.from(title)
      expect(await read({ info: { INAM: bytes, IART: bytes, IGNR: bytes, ICMT: bytes } })).toEqual({
        title,
        artist: title,
        genre: title,
        style: title,
        comment: title,
      })
    },
  )

  test('are read as Latin-1 when they are not valid UTF-8', async () => {
    const title = 'Åse på Ængen, Süße Träume'
    expect(await read({ info: { INAM: Buffer.from(title, 'latin1') } })).toEqual({ title })
  })

  test.each([
    ['UTF-8 that was decoded as Latin-1', Buffer.from('Süße Träume').toString('latin1')],
    ['UTF-8 that was decoded as Windows-1252', 'SÃ¼ÃŸe TrÃ¤ume'],
    ['replacement characters', 'S\uFFFD\uFFFDe Tr\uFFFDume'],
    ['half of a surrogate pair', 'a\uD83D'],
  ])('are left out when they are garbled: %s', async (_, text) => {
    expect(await read({ texts: { TIT2: text, TPE1: text, TALB: 'Evenings' } })).toEqual({
      album: 'Evenings',
    })
  })

  test.each(['Åse på Ængen', 'Emoji 🎷 Jazz', 'Ä', 'Ñandú ©', 'Ночь', '10 €', 'Â'])(
    'are kept when only their letters are rare: %s',
    async (title) => expect(await read({ texts: { TIT2: title } })).toEqual({ title }),
  )

  test('are read correctly in a file written by ffmpeg', async () => {
    const path = await convert('ffmpeg.wav', '-metadata', 'title=Åse på Ængen 🎷')
    expect((await probeAudio(path)).tags.title).toBe('Åse på Ængen 🎷')
  })
})
