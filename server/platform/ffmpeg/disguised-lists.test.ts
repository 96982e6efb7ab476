// Playlists that are disguised as audio. Whatever their first bytes claim, ffmpeg opens no entry of them, neither a
// network address nor a local file.
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestFolder } from '../../testing/audio-fixtures.ts'
import { buildInputArguments } from './decode-arguments.ts'
import { createFfmpeg } from './ffmpeg.ts'

const folder = await createTestFolder()
const ffmpeg = await createFfmpeg()
let canary: Server
let asked = 0
let address: string

beforeAll(async () => {
  canary = createServer((_request, response) => {
    asked += 1
    response.end()
  })
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
  address = `http://127.0.0.1:${(canary.address() as AddressInfo).port}/latest/meta-data`
})
afterAll(() => new Promise((resolve) => canary.close(resolve)))

const heads = {
  wav: 'RIFF\x24\0\0\0WAVE',
  mp3: 'ID3\x04\0\0\0\0\0\0',
  flac: 'fLaC\0\0\0\x22',
  mp4: '\0\0\0\x18ftypM4A \0\0\0\0M4A mp42',
  aac: '\xff\xf1\x50\x80',
  ogg: 'OggS\0\x02',
  aiff: 'FORM\0\0\0\x24AIFF',
} as const
const formats = Object.keys(heads) as (keyof typeof heads)[]

test.each(formats)('%s', async (format) => {
  const lists = [
    `#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:0\n#EXTINF:10.0,\n${address}\nfile:///etc/passwd\n#EXT-X-ENDLIST\n`,
    `ffconcat version 1.0\nfile '${address}'\nfile '/etc/passwd'\n`,
  ]
  for (const [index, list] of lists.entries()) {
    for (const head of index === 0 ? ['', heads[format]] : [heads[format]]) {
      const path = join(folder, `list-${index}${head ? '-dressed' : ''}.${format}`)
      await writeFile(path, Buffer.from(head + list, 'latin1'))
      const output = `${path}.out.wav`
      const running = ffmpeg.run(
        [...buildInputArguments({ path, format, channels: 2, sampleRate: 44_100 }), output],
        { inputs: [path], outputs: [output], timeoutMs: 15_000 },
      )
      const refusal: unknown = await running.then(
        () => null,
        (error: unknown) => error,
      )
      expect(JSON.stringify(refusal)).not.toContain('root:')
    }
  }
  expect(asked).toBe(0)
})

test('without our protection, ffmpeg opens the files in the list', async () => {
  // The WebAssembly build has no network access.
  if (ffmpeg.backend !== 'native') return
  const path = join(folder, 'open.txt')
  await writeFile(path, `ffconcat version 1.0\nfile '${address}'\n`)
  const open = ['-protocol_whitelist', 'file,http,tcp', '-f', 'concat', '-safe', '0', '-i', path]
  const run = { inputs: [path], outputs: [], timeoutMs: 15_000 }
  await ffmpeg.run([...open, join(folder, 'open.wav')], run).catch(() => {})
  expect(asked).toBeGreaterThan(0)
})
