import { expect, test } from 'vitest'
import { extractOrigin } from './extract-origin.ts'

const id = '0f4b1c9e-6a57-4c1e-9f0e-2c8f2a1d7b3c'

test('reads the Suno id from its dedicated tag', () => {
  expect(extractOrigin({ sunoId: id.toUpperCase(), style: 'dream pop, 90 bpm' }, null)).toEqual({
    tool: 'Suno',
    model: null,
    created_at_source: null,
    source_id: id,
    source_url: `https://suno.com/song/${id}`,
    prompt: null,
    style: 'dream pop, 90 bpm',
  })
})

test('reads a comment in the format that Suno writes', () => {
  const comment = `made with suno; created=2025-09-25T04:03:43.069Z; id=${id}; chirp-v4.5`
  expect(extractOrigin({ comment }, null)).toMatchObject({
    tool: 'Suno',
    model: 'chirp-v4.5',
    created_at_source: '2025-09-25T04:03:43.069Z',
    source_id: id,
  })
})

test('reads values from a multi-line comment and from custom tag frames', () => {
  const comment = `Styles: dream pop, 84 BPM\nModel: v4.5 (chirp-auk)\nURL: https://suno.com/song/${id}\nUUID: ${id}`
  expect(extractOrigin({ comment, style: 'AI Music' }, null)).toMatchObject({
    model: 'v4.5 (chirp-auk)',
    style: 'dream pop, 84 BPM',
    source_id: id,
    prompt: null,
  })
  const facts = 'Style: folk\nModel: chirp-crow\nPrompt: a song about rain'
  expect(extractOrigin({ sunoId: id, facts }, null)).toMatchObject({
    model: 'chirp-crow',
    style: 'folk',
    prompt: 'a song about rain',
  })
})

test('reads a free-text comment as the prompt, but not a comment of key-value pairs', () => {
  const prompt = 'a slow song about the sea'
  expect(extractOrigin({ sunoId: id, comment: prompt }, null)?.prompt).toBe(prompt)
  expect(
    extractOrigin({ sunoId: id, comment: `made with suno; id=${id}` }, null)?.prompt,
  ).toBeNull()
})

test('reads an info file with separator lines and aligned values', () => {
  const text = `${'='.repeat(70)}\nTitle:        Tide\nCreated At:   2025-09-25T04:03:43.069Z\nModel:        v5 (chirp-crow)\nGenre/Styles: folk, slow\nSuno Song:    https://suno.com/song/${id}\nUUID:         ${id}\n${'='.repeat(70)}\n\nPrompt / Lyrics:\n${'-'.repeat(70)}\nModel: a line of the song\n`
  expect(extractOrigin({}, text)).toMatchObject({
    tool: 'Suno',
    source_id: id,
    model: 'v5 (chirp-crow)',
    style: 'folk, slow',
    created_at_source: '2025-09-25T04:03:43.069Z',
  })
})

test('reads the track id from a link to Udio', () => {
  const comment = 'https://www.udio.com/songs/aBcDeF12345'
  expect(extractOrigin({ comment }, null)).toMatchObject({
    tool: 'Udio',
    source_id: 'aBcDeF12345',
    source_url: 'https://www.udio.com/songs/aBcDeF12345',
  })
})

test('reads the text file stored with the recording, but ignores its lyrics', () => {
  const text = [
    'Title: Slow Light',
    'Artist: Mira',
    'Creation date: 2025-11-02 10:00:00Z',
    `UUID: ${id}`,
    'Model: v5',
    'Genre: folk, female voice',
    'Prompt: a song about rain: slow',
    'Lyrics:',
    'Model: this is a line of the song',
  ].join('\r\n')
  expect(extractOrigin({}, text)).toEqual({
    tool: 'Suno',
    model: 'v5',
    created_at_source: '2025-11-02T10:00:00.000Z',
    source_id: id,
    source_url: `https://suno.com/song/${id}`,
    prompt: 'a song about rain: slow',
    style: 'folk, female voice',
  })
})

test.each([
  [{}, null],
  [{ comment: 'Recorded in a kitchen', tool: 'Lavf60', style: 'Jazz' }, null],
  [{ comment: 'udiovisual, sunonics' }, 'Title: Sunday'],
  [{}, `\0${'x'.repeat(50_000)}`],
])('finds no origin in %j', (tags, text) => {
  expect(extractOrigin(tags, text)).toBeNull()
})

test("drops impossible dates and cuts long texts to their column's length", () => {
  const found = extractOrigin(
    { comment: 'suno', style: 's'.repeat(9000) },
    `Creation date: 0001-01-01\nPrompt: ${'p'.repeat(20_000)}`,
  )
  expect(found?.created_at_source).toBeNull()
  expect(found?.style).toHaveLength(5000)
  expect(found?.prompt).toHaveLength(10_000)
})

test('recognizes a file downloaded from Suno by its bare id, although it contains no generator name', () => {
  const stock = { title: 'Tide', album: 'Tide', artist: 'Mira', comment: id }
  expect(extractOrigin(stock, null)).toMatchObject({ tool: 'Suno', source_id: id, prompt: null })
  expect(extractOrigin({ ...stock, album: 'Low Water' }, null)).toBeNull()
  expect(extractOrigin({ title: 'Tide', comment: id }, null)).toBeNull()
})

test('recognizes a generator by its name in the album tag', () => {
  const facts = 'Model: V6'
  expect(extractOrigin({ album: 'Suno', style: 'AI Generated', facts }, null)).toMatchObject({
    tool: 'Suno',
    model: 'V6',
  })
  expect(extractOrigin({ album: 'Suno Nights' }, null)).toBeNull()
})

test('accepts a track id in a text file with a prompt, but not without one', () => {
  expect(extractOrigin({}, `Track ID: ${id}\nPrompt: slow folk`)).toMatchObject({ source_id: id })
  expect(extractOrigin({}, `Track ID: ${id}`)).toBeNull()
})
