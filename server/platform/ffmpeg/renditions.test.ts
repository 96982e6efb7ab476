import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  allFfmpegs,
  createTestFolder,
  decodeLeft,
  findPeak,
  createSine,
  writeWav,
  type WavShape,
} from '../../testing/audio-fixtures.ts'
import { createFfmpeg, type Ffmpeg } from './ffmpeg.ts'
import { probeAudio } from './probe.ts'
import { renderRenditions, type RenditionOutputs } from './renditions.ts'
import { rewriteRenditionTags } from './retag.ts'

const folder = await createTestFolder()
const tags = { title: 'Velvet Hour', artist: 'Mira Holt', ai_disclosure: 'human' } as const

/** Returns the names and contents of the boxes at one level of an MP4 file (ISO 14496-12). */
function boxes(bytes: Buffer): { name: string; content: Buffer }[] {
  const found = []
  for (let at = 0; at < bytes.length;) {
    const size = bytes.readUInt32BE(at)
    const name = bytes.toString('latin1', at + 4, at + 8)
    found.push({ name, content: bytes.subarray(at + 8, at + size) })
    at += size
  }
  return found
}

function box(bytes: Buffer, path: string): Buffer {
  return path.split('/').reduce((inner, name) => {
    const next = boxes(inner).find((candidate) => candidate.name === name)
    if (!next) throw new Error(`no ${name} box`)
    return next.content
  }, bytes)
}

/** Reads the edit list: how many samples a player skips at the start, and how many it then plays. */
function readEdit(bytes: Buffer): { timescale: number; kept: number; skipped: number } {
  const timescale = box(bytes, 'moov/mvhd').readUInt32BE(12)
  const edit = box(bytes, 'moov/trak/edts/elst')
  return { timescale, kept: edit.readUInt32BE(8), skipped: edit.readUInt32BE(12) }
}

type TestOutputs = Omit<RenditionOutputs, 'preview'> & {
  preview?: Omit<NonNullable<RenditionOutputs['preview']>, 'trackSeconds'>
}

async function render(
  ffmpeg: Ffmpeg,
  path: string,
  { preview, ...outputs }: TestOutputs,
  more = {},
) {
  const header = await probeAudio(path)
  const trackSeconds = header.durationSeconds ?? 0
  await renderRenditions(ffmpeg, {
    source: { ...header, path },
    outputs: preview ? { ...outputs, preview: { ...preview, trackSeconds } } : outputs,
    tags: { ...tags, ...more },
  })
}

describe.each(await allFfmpegs())('$backend ffmpeg', (ffmpeg) => {
  const file = (name: string) => join(folder, `${ffmpeg.backend}-${name}`)
  const tone = (name: string, shape: WavShape) => writeWav(file(name), createSine(440, -6), shape)

  test('creates both qualities and the preview in one run, with the index first', async () => {
    const paths = { standard: file('s.m4a'), high: file('h.m4a'), preview: file('p.m4a') }
    const source = await tone('all.wav', { seconds: 10.12345 })
    const preview = { path: paths.preview, previewLengthSeconds: 4 }
    await render(ffmpeg, source, { ...paths, preview })
    for (const [kind, path] of Object.entries(paths)) {
      const bytes = await readFile(path)
      const order = boxes(bytes).map(({ name }) => name)
      expect(order.indexOf('moov')).toBeLessThan(order.indexOf('mdat'))
      const { channels, sampleRate, codec } = await probeAudio(path)
      expect({ channels, sampleRate, codec }).toEqual({
        channels: 2,
        sampleRate: 44_100,
        codec: 'MPEG-4/AAC',
      })
      const seconds = kind === 'preview' ? 4 : 10.12345
      expect(readEdit(bytes)).toEqual({
        timescale: 44_100,
        kept: Math.round(seconds * 44_100),
        skipped: 1024,
      })
    }
    const bitrate = async (path: string) => (await probeAudio(path)).bitrate ?? 0
    expect(await bitrate(paths.standard)).toBeLessThan(150_000)
    expect(await bitrate(paths.high)).toBeGreaterThan(1.5 * (await bitrate(paths.standard)))
  })

  test('cuts the preview to the sample, and fades it out', async () => {
    const preview = file('cut.m4a')
    const source = await tone('cut.wav', { seconds: 8 })
    await render(ffmpeg, source, { preview: { path: preview, previewLengthSeconds: 5 } })
    const heard = await decodeLeft(ffmpeg, preview)
    expect(heard.length / 44_100).toBeGreaterThanOrEqual(5)
    expect(heard.length / 44_100).toBeLessThanOrEqual(5.05)
    expect(findPeak(heard, 0.1, 3.4)).toBeCloseTo(0.5, 1)
    expect(findPeak(heard, 4.2, 4.3)).toBeCloseTo(0.25, 1)
    expect(findPeak(heard, 4.98, 5)).toBeLessThan(0.03)
  })

  test('starts the preview at the given second, and fades it in', async () => {
    const source = await writeWav(file('two.wav'), (t) => (t < 4 ? 0 : createSine(440, -6)(t)), {
      seconds: 8,
    })
    const preview = { path: file('middle.m4a'), previewLengthSeconds: 3, startSeconds: 3.5 }
    await render(ffmpeg, source, { preview })
    const heard = await decodeLeft(ffmpeg, preview.path)
    expect(findPeak(heard, 0, 0.45)).toBeLessThan(0.02)
    expect(findPeak(heard, 0.52, 1.4)).toBeCloseTo(0.5, 1)
    await render(ffmpeg, await tone('t.wav', { seconds: 8 }), { preview })
    const faded = await decodeLeft(ffmpeg, preview.path)
    expect(findPeak(faded, 0, 0.02)).toBeLessThan(0.1)
    expect(findPeak(faded, 0.3, 1.4)).toBeCloseTo(0.5, 1)
  })

  test('if a track is shorter than a preview, the preview is the whole track', async () => {
    const preview = { path: file('short.m4a'), previewLengthSeconds: 45 }
    await render(ffmpeg, await tone('short.wav', { seconds: 2 }), { preview })
    expect(readEdit(await readFile(preview.path)).kept).toBe(88_200)
  })

  test('keeps the volume of mono and stereo sources', async () => {
    for (const channels of [1, 2]) {
      const standard = file(`level-${channels}.m4a`)
      await render(ffmpeg, await tone(`level-${channels}.wav`, { seconds: 2, channels }), {
        standard,
      })
      expect(findPeak(await decodeLeft(ffmpeg, standard), 0.5, 1.5)).toBeCloseTo(0.5, 1)
    }
  })

  test('keeps 48 kHz, and resamples 96 kHz to 48 kHz', async () => {
    for (const sampleRate of [48_000, 96_000]) {
      const high = file(`${sampleRate}.m4a`)
      await render(ffmpeg, await tone(`${sampleRate}.wav`, { seconds: 1, sampleRate }), { high })
      expect(await probeAudio(high)).toMatchObject({ sampleRate: 48_000 })
    }
  })

  test('produces the same bytes from the same source', async () => {
    const source = await tone('same.wav', { seconds: 2 })
    await render(ffmpeg, source, { standard: file('one.m4a') })
    await render(ffmpeg, source, { standard: file('two.m4a') })
    expect(await readFile(file('one.m4a'))).toEqual(await readFile(file('two.m4a')))
  })

  test('writes our tags and none of the source’s', async () => {
    const wav = await tone('words.wav', { seconds: 1 })
    const source = file('words.mp3')
    await ffmpeg.run(
      ['-i', wav, '-metadata', 'comment=HOME ADDRESS', '-metadata', 'composer=ME', source],
      {
        inputs: [wav],
        outputs: [source],
        timeoutMs: 30_000,
      },
    )
    const standard = file('words.m4a')
    const words = {
      title: "Grün = “groß”; 'x'",
      genre: 'Soul',
      ai_disclosure: 'ai_generated' as const,
      ai_tool: 'Suno 5',
      credits: 'Words: Mira Holt',
    }
    await render(ffmpeg, source, { standard }, words)
    expect((await probeAudio(standard)).tags).toEqual({
      title: words.title,
      artist: 'Mira Holt',
      genre: 'Soul',
      style: 'Soul',
      comment: 'AI disclosure: AI-generated (Suno 5). Credits: Words: Mira Holt',
    })
    expect((await readFile(standard)).includes('HOME ADDRESS')).toBe(false)
  })

  test('leaves the samples unchanged when it rewrites tags', async () => {
    const standard = file('before.m4a')
    await render(ffmpeg, await tone('before.wav', { seconds: 3.00012 }), { standard })
    const output = file('after.m4a')
    await rewriteRenditionTags(ffmpeg, { input: standard, output, tags: { ...tags, title: 'New' } })
    const [before, after] = [await readFile(standard), await readFile(output)]
    expect(readEdit(after)).toEqual(readEdit(before))
    expect(box(after, 'mdat')).toEqual(box(before, 'mdat'))
    expect((await probeAudio(output)).tags.title).toBe('New')
  })
})

test('does not report a full disk as a damaged file', async () => {
  const ffmpeg = await createFfmpeg({ ffmpegPath: 'wasm' })
  const source = await writeWav(join(folder, 'full.wav'), createSine(440), { seconds: 1 })
  const rendering = render(ffmpeg, source, { standard: '/dev/full' })
  await expect(rendering).rejects.toMatchObject({ code: 'media_tool_failed' })
})
