import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { analyzeAudio } from './analyze-audio.ts'
import {
  allFfmpegs,
  createTestFolder,
  createSine,
  encodeWav,
  writeWav,
} from '../../testing/audio-fixtures.ts'
import { createFfmpeg, type Ffmpeg } from './ffmpeg.ts'
import { probeAudio } from './probe.ts'

const folder = await createTestFolder()
const shipped = await createFfmpeg({ ffmpegPath: 'wasm' })

async function analyze(ffmpeg: Ffmpeg, path: string, options = {}) {
  return analyzeAudio(ffmpeg, { ...(await probeAudio(path)), path }, options)
}

/** Converts two seconds of a tone to another format. */
async function convert(name: string, ...args: string[]): Promise<string> {
  const input = await writeWav(join(folder, 'tone.wav'), createSine(440, -9), { seconds: 2 })
  const path = join(folder, name)
  await shipped.run(['-i', input, ...args, path], {
    inputs: [input],
    outputs: [path],
    timeoutMs: 30_000,
  })
  return path
}

describe.each(await allFfmpegs())('$backend ffmpeg', (ffmpeg) => {
  test('measures loudness as in EBU Tech 3341: a stereo sine of 1 kHz at -23 dBFS has -23 LUFS', async () => {
    const path = await writeWav(join(folder, '3341.wav'), createSine(1000, -23), {
      seconds: 20,
      sampleRate: 48_000,
    })
    const { loudness, durationSeconds, peaks } = await analyze(ffmpeg, path)
    expect(Math.abs(loudness.integratedLufs + 23)).toBeLessThanOrEqual(0.1)
    expect(loudness.rangeLu).toBeLessThan(0.2)
    expect(durationSeconds).toBe(20)
    expect(new Set(peaks)).toEqual(new Set([Math.round(255 * 10 ** (-23 / 20))]))
  })

  test('finds the true peak between samples (EBU Tech 3341, case 15)', async () => {
    const tone = createSine(12_000, -6, Math.PI / 4)
    const swelling = (seconds: number) => Math.min(1, seconds * 20) * tone(seconds)
    const shape = { seconds: 3, sampleRate: 48_000 }
    const path = await writeWav(join(folder, 'peak.wav'), swelling, shape)
    const { truePeakDbtp } = (await analyze(ffmpeg, path)).loudness
    expect(truePeakDbtp).toBeGreaterThanOrEqual(-6.4)
    expect(truePeakDbtp).toBeLessThanOrEqual(-5.8)
  })

  test('measures a mono file at the loudness that it has on two speakers', async () => {
    const shape = { seconds: 3, channels: 1 }
    const mono = await writeWav(join(folder, 'mono.wav'), createSine(1000, -20), shape)
    const stereo = await writeWav(join(folder, 'stereo.wav'), createSine(1000, -20), { seconds: 3 })
    const [one, two] = [await analyze(ffmpeg, mono), await analyze(ffmpeg, stereo)]
    expect(one.loudness).toEqual(two.loudness)
    expect(one.peaks).toEqual(two.peaks)
  })

  test('reports silence as silence, not as a damaged file', async () => {
    const path = await writeWav(join(folder, 'silence.wav'), () => 0, { seconds: 2 })
    const { loudness, peaks } = await analyze(ffmpeg, path)
    expect(loudness).toEqual({ integratedLufs: -70, rangeLu: 0, truePeakDbtp: -120 })
    expect(new Set(peaks)).toEqual(new Set([0]))
  })

  test('decodes Opus', async () => {
    const path = fileURLToPath(new URL('../../testing/fixtures/tone.opus', import.meta.url))
    const analysis = await analyze(ffmpeg, path)
    expect(analysis.durationSeconds).toBe(1)
    expect(Math.abs(analysis.loudness.truePeakDbtp + 6)).toBeLessThan(1.5)
  })

  test.each([
    ['f32.wav', ['-c:a', 'pcm_f32le', '-ar', '96000']],
    ['x.flac', []],
    ['x.aiff', []],
    ['x.mp3', []],
    ['x.m4a', []],
    ['alac.m4a', ['-c:a', 'alac']],
    ['x.aac', ['-f', 'adts']],
    ['x.ogg', ['-c:a', 'libvorbis']],
    ['low.wav', ['-ar', '22050', '-ac', '1']],
  ] as const)('decodes %s', async (name, args) => {
    const analysis = await analyze(ffmpeg, await convert(name, ...args))
    expect(Math.abs(analysis.durationSeconds - 2)).toBeLessThan(0.06)
    expect(Math.abs(analysis.loudness.integratedLufs + 9.7)).toBeLessThan(0.5)
    expect(analysis.peaks).toHaveLength(800)
  })

  test('stops at the maximum length, even if the header claims a shorter duration', async () => {
    const path = await writeWav(join(folder, 'long.wav'), createSine(440), { seconds: 8 })
    const header = { ...(await probeAudio(path)), path, durationSeconds: undefined }
    const analyzing = analyzeAudio(ffmpeg, header, { maxDurationSeconds: 3 })
    await expect(analyzing).rejects.toMatchObject({ code: 'media_too_long' })
  })

  test('refuses a file that ends too early', async () => {
    const flac = await readFile(await convert('whole.flac'))
    const wav = encodeWav(createSine(440), { seconds: 4 })
    await writeFile(join(folder, 'cut.flac'), flac.subarray(0, flac.length * 0.3))
    await writeFile(join(folder, 'cut.wav'), wav.subarray(0, wav.length * 0.3))
    for (const name of ['cut.flac', 'cut.wav']) {
      const analyzing = analyze(ffmpeg, join(folder, name))
      await expect(analyzing).rejects.toMatchObject({ code: 'media_damaged' })
    }
  })

  test('refuses an unsupported codec in a supported container', async () => {
    const path = await convert('odd.wav', '-c:a', 'adpcm_ms')
    await expect(analyze(ffmpeg, path)).rejects.toMatchObject({ code: 'unsupported_media' })
  })

  test('does not open other files that the file names', async () => {
    const list = join(folder, 'list.m3u8')
    const secret = await writeWav(join(folder, 'secret.wav'), createSine(440), { seconds: 2 })
    await writeFile(list, `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${secret}\n`)
    for (const format of ['wav', 'mp3', 'mp4', 'ogg'] as const) {
      const source = { path: list, format, channels: 2, sampleRate: 44_100 }
      await expect(analyzeAudio(ffmpeg, source)).rejects.toMatchObject({ name: 'MediaError' })
    }
  })
})
