// Creates WAV files with tags for tests: a RIFF INFO list, and an ID3v2.3 block (id3.org/id3v2.3.0) in a chunk at the
// end.
import { createSine, encodeWav } from './audio-fixtures.ts'

export interface WavTags {
  /** ID3 text frames by name: `TIT2`, `TPE1`, `TCON`, `TYER`. */
  texts?: Record<string, string>
  comment?: string
  lyrics?: string
  /** The cover as JPEG or PNG. */
  cover?: { mime: string; bytes: Buffer }
  /** RIFF INFO values as bytes, by name: `INAM`, `IART`, `IGNR`, `ICMT`. */
  info?: Record<string, Buffer>
}

/** Creates a sine wave of `hertz` with tags. Different tags or a different pitch produce a different file. */
export function encodeTaggedWav(seconds: number, hertz: number, tags: WavTags = {}): Buffer {
  const wav = encodeWav(createSine(hertz), { seconds, sampleRate: 22_050, channels: 1 })
  const frames = [
    ...Object.entries(tags.texts ?? {}).map(([id, text]) => frame(id, utf16(text))),
    ...(tags.comment === undefined ? [] : [frame('COMM', described(tags.comment))]),
    ...(tags.lyrics === undefined ? [] : [frame('USLT', described(tags.lyrics))]),
    ...(tags.cover ? [frame('APIC', picture(tags.cover))] : []),
  ]
  const chunks = [wav]
  if (tags.info) chunks.push(chunk('LIST', infoList(tags.info)))
  if (frames.length > 0) chunks.push(chunk('id3 ', id3Block(Buffer.concat(frames))))
  const whole = Buffer.concat(chunks)
  whole.writeUInt32LE(whole.length - 8, 4)
  return whole
}

/** A RIFF chunk. It is padded to an even length, but its size field excludes the padding. */
function chunk(name: string, body: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 0)
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)])
}

function infoList(values: Record<string, Buffer>): Buffer {
  const ended = (value: Buffer) => Buffer.concat([value, Buffer.alloc(1)])
  const items = Object.entries(values).map(([name, value]) => chunk(name, ended(value)))
  return Buffer.concat([Buffer.from('INFO'), ...items])
}

function id3Block(frames: Buffer): Buffer {
  const head = Buffer.alloc(10)
  head.write('ID3', 0)
  head.writeUInt8(3, 3)
  // ID3 stores sizes with seven bits in each byte.
  for (let i = 0; i < 4; i++) head.writeUInt8((frames.length >> (7 * (3 - i))) & 0x7f, 6 + i)
  const padding = Buffer.alloc(frames.length % 2)
  return Buffer.concat([head, frames, padding])
}

function frame(id: string, body: Buffer): Buffer {
  const head = Buffer.alloc(10)
  head.write(id, 0)
  head.writeUInt32BE(body.length, 4)
  return Buffer.concat([head, body])
}

const bom = Buffer.from([0xff, 0xfe])

function utf16(text: string): Buffer {
  return Buffer.concat([Buffer.from([1]), bom, Buffer.from(text, 'utf16le')])
}

/** Content of a text frame: encoding, language, an empty description, the text. */
function described(text: string): Buffer {
  return Buffer.concat([
    Buffer.from([1]),
    Buffer.from('eng'),
    bom,
    Buffer.alloc(2),
    bom,
    Buffer.from(text, 'utf16le'),
  ])
}

/** Content of a picture frame: encoding, MIME type, the code for front cover, an empty description, the bytes. */
function picture({ mime, bytes }: NonNullable<WavTags['cover']>): Buffer {
  return Buffer.concat([Buffer.from([0]), Buffer.from(`${mime}\0`), Buffer.from([3, 0]), bytes])
}
