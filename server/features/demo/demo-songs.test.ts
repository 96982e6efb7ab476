import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDemoCatalogue, renderDemoSong } from './demo-songs.ts'

const { signal } = new AbortController()
const catalogue = readDemoCatalogue()
const [first] = catalogue.tracks
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'velour-demo-songs-'))
})
afterAll(() => rm(folder, { recursive: true }))

test('reads the metadata of each song', () => {
  expect(catalogue.tracks).toHaveLength(20)
  expect(first).not.toHaveProperty('seed')
  const categories = new Set(catalogue.categories.map(({ category }) => category))
  for (const { category, genre } of catalogue.tracks) {
    expect(categories).toContain(category)
    expect(catalogue.genres).toContain(genre)
  }
})

test('renders a song as a WAV file', async () => {
  const file = join(folder, 'song.wav')
  await renderDemoSong(first!, file, signal)
  const bytes = await readFile(file)
  expect(bytes.subarray(0, 4).toString()).toBe('RIFF')
  const samples = new Int16Array(bytes.buffer, bytes.byteOffset + 44, (bytes.length - 44) / 2)
  const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  expect(loudest).toBeGreaterThan(10_000)
  expect(loudest).toBeLessThan(32_767)
})

test('throws an error with the message of the composer program', async () => {
  const unknown = { ...first!, slug: 'nobody-wrote-this' }
  await expect(renderDemoSong(unknown, join(folder, 'none.wav'), signal)).rejects.toThrow(
    /exited with 1.*There is no song nobody-wrote-this/s,
  )
})

test('stops when the signal is aborted', async () => {
  const stop = new AbortController()
  const rendering = renderDemoSong(first!, join(folder, 'stopped.wav'), stop.signal)
  stop.abort()
  await expect(rendering).rejects.toThrow('aborted')
})
