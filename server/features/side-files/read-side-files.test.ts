import { describe, expect, test } from 'vitest'
import { readSideFiles } from './read-side-files.ts'
import { convertSrtToLrc, convertWordsToLrc } from './timed-words.ts'

const nothing = { text: '', title: null, artist: null, lyrics: null }

describe('a text file stored with a recording', () => {
  test('is read as facts followed by lyrics, and keeps section marks such as [Chorus]', () => {
    const text =
      'Title: Slow Light\r\nArtist: Mira\r\nModel: v4.5\r\n\r\nLyrics:\r\n[Verse 1]\r\nRain: again\r\n'
    expect(readSideFiles([{ kind: 'txt', text }])).toEqual({
      text: 'Title: Slow Light\nArtist: Mira\nModel: v4.5\n\n',
      title: 'Slow Light',
      artist: 'Mira',
      lyrics: '[Verse 1]\nRain: again',
    })
  })

  test('is treated as lyrics if it contains no facts', () => {
    const text = '[Verse]\nOne\nTwo\n[Chorus]\nThree'
    expect(readSideFiles([{ kind: 'txt', text }]).lyrics).toBe(text)
  })

  test('may have separator lines before and after its facts and lyrics', () => {
    const rule = '='.repeat(70)
    const text = `${rule}\nTitle:        Slow Light\nGenre/Styles: folk\n${rule}\n\nPrompt / Lyrics:\n${'-'.repeat(70)}\n[Verse]\nRain\n${'-'.repeat(70)}\n`
    const facts = readSideFiles([{ kind: 'txt', text }])
    expect(facts).toMatchObject({ title: 'Slow Light', lyrics: '[Verse]\nRain' })
    const instrumental = text.replace('[Verse]\nRain', '(No prompt/lyrics found)')
    expect(readSideFiles([{ kind: 'txt', text: instrumental }]).lyrics).toBeNull()
  })

  test("may end with the generator's raw API response, which is not part of the lyrics", () => {
    const result = { metadata: { gpt_description_prompt: 'slow folk', tags: 'folk' } }
    const text = `Metadata for: 0f4b-tide.mp3\nTitle: Tide\n\n--- Lyrics ---\n[Verse]\nRain\n\n--- Raw API Response ---\n${JSON.stringify(result)}\n`
    const facts = readSideFiles([{ kind: 'txt', text }])
    expect(facts).toMatchObject({ title: 'Tide', lyrics: '[Verse]\nRain' })
    expect(facts.text).toContain('Prompt: slow folk\nStyle: folk')
  })

  test('contains no lyrics if it is only a short note', () => {
    expect(readSideFiles([{ kind: 'txt', text: 'Made on a train.' }]).lyrics).toBeNull()
  })
})

describe('a JSON file stored with a recording', () => {
  test('from Suno contains the lyrics in the field "prompt"', () => {
    const song = {
      id: '0f4b1c9e-6a57-4c1e-9f0e-2c8f2a1d7b3c',
      title: 'Slow Light',
      display_name: 'Mira',
      model_name: 'chirp-v4',
      created_at: '2025-09-25T04:03:43.069Z',
      audio_url: 'https://cdn1.suno.ai/x.mp3',
      metadata: {
        tags: 'dream pop',
        prompt: '[Verse]\nRain',
        gpt_description_prompt: 'A slow song',
      },
    }
    const facts = readSideFiles([{ kind: 'json', text: JSON.stringify(song) }])
    expect(facts).toMatchObject({ title: 'Slow Light', artist: 'Mira', lyrics: '[Verse]\nRain' })
    expect(facts.text.split('\n')).toEqual([
      'Tool: Suno',
      'UUID: 0f4b1c9e-6a57-4c1e-9f0e-2c8f2a1d7b3c',
      'Model: chirp-v4',
      'Creation date: 2025-09-25T04:03:43.069Z',
      'Prompt: A slow song',
      'Style: dream pop',
    ])
  })

  test('from Udio contains the prompt in the field "prompt"', () => {
    const song = {
      title: 'Tide',
      prompt: 'sea shanty',
      tags: ['folk', 'slow'],
      lyrics: 'Heave',
      song_url: 'https://www.udio.com/songs/aBcDeF12345',
    }
    const facts = readSideFiles([{ kind: 'json', text: JSON.stringify(song) }])
    expect(facts.lyrics).toBe('Heave')
    expect(facts.text).toContain('Prompt: sea shanty\nStyle: folk, slow')
  })

  test.each([
    '{',
    'null',
    '"x"',
    '[]',
    '{"title":{"a":1},"metadata":[1]}',
    '{"title":7,"lyrics":{}}',
  ])('is ignored if it has no usable fields: %s', (text) => {
    expect(readSideFiles([{ kind: 'json', text }])).toEqual(nothing)
  })
})

describe('timed lyrics in a text file', () => {
  test('in the form of timed words are converted to LRC with a timestamp per word, line and section', () => {
    const words = [
      { word: '[Verse 1]\nSlow ', start_s: 1.5, end_s: 2 },
      { word: 'light\n', start_s: 2, end_s: 2.4 },
      { word: 'Falls', start_s: 61.25, end_s: 62 },
      { word: 'broken', start_s: 'x' },
    ]
    expect(convertWordsToLrc(words)).toBe(
      '[00:01.50][Verse 1]\n[00:01.50]<00:01.50>Slow <00:02.00>light\n[01:01.25]<01:01.25>Falls',
    )
  })

  test('in the form of subtitles are converted to LRC', () => {
    const srt =
      '1\r\n00:00:01,500 --> 00:00:03,000\r\n<i>Slow light</i>\r\n\r\n2\r\n00:01:00,000 --> 00:01:02,000\r\nFalls\r\n'
    expect(convertSrtToLrc(srt)).toBe('[00:01.50]Slow light\n[01:00.00]Falls')
    expect(convertSrtToLrc('no times')).toBeNull()
  })

  test('take precedence over plain lyrics', () => {
    const lrc = '[00:01.00]<00:01.00>Slow <00:02.00>light'
    const txt = 'Title: A\nLyrics:\nSlow light'
    const files = [
      { kind: 'txt', text: txt },
      { kind: 'lrc', text: lrc },
    ] as const
    expect(readSideFiles(files).lyrics).toBe(lrc)
    const noTimes = [
      { kind: 'txt', text: txt },
      { kind: 'lrc', text: 'Nothing' },
    ] as const
    expect(readSideFiles(noTimes).lyrics).toBe('Slow light')
  })
})
