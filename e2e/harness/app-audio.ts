// Decodes audio that a client has received.
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFfmpeg } from '../../server/platform/ffmpeg/ffmpeg.ts'

const sampleRate = 8000
const bytesPerSample = 2

/** Returns the length of the decoded audio in seconds. Throws if ffmpeg can't decode it. */
export async function measureDecodedSeconds(audio: Uint8Array): Promise<number> {
  const ffmpeg = await createFfmpeg({ ffmpegPath: process.env['FFMPEG_PATH'] })
  const folder = await mkdtemp(join(tmpdir(), 'velour-app-audio-'))
  try {
    const [song, samples] = [join(folder, 'song.m4a'), join(folder, 'samples.raw')]
    await writeFile(song, audio)
    await ffmpeg.run(
      ['-xerror', '-i', song, '-f', 's16le', '-ac', '1', '-ar', String(sampleRate), samples],
      { inputs: [song], outputs: [samples], timeoutMs: 60_000 },
    )
    return (await stat(samples)).size / bytesPerSample / sampleRate
  } finally {
    await rm(folder, { recursive: true })
  }
}
