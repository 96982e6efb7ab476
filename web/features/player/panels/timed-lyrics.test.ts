import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findLineIndex, parseLyrics } from './timed-lyrics.ts'

const seconds = (text: string) => parseLyrics(text).lines.map((line) => line.seconds)
const texts = (text: string) => parseLyrics(text).lines.map((line) => line.text)

describe('timed lyrics', () => {
  test('sorts lines by time', () => {
    const lyrics = parseLyrics('[00:12.50]Second\n[00:05.00]First')
    expect(lyrics).toEqual({
      isTimed: true,
      lines: [
        { seconds: 5, text: 'First' },
        { seconds: 12.5, text: 'Second' },
      ],
    })
  })

  test.each([
    ['[1:02]x', 62],
    ['[01:02.5]x', 62.5],
    ['[01:02.50]x', 62.5],
    ['[01:02.500]x', 62.5],
    ['[01:02:50]x', 62.5],
    ['[100:00.00]x', 6000],
  ])('%s is at %d seconds', (text, expected) => expect(seconds(text)).toEqual([expected]))

  test('repeats a line with several timestamps', () => {
    expect(seconds('[00:10.00][00:50.00]Again\n[00:30.00]Between')).toEqual([10, 30, 50])
    expect(texts('[00:10.00][00:50.00]Again\n[00:30.00]Between')).toEqual([
      'Again',
      'Between',
      'Again',
    ])
  })

  test('omits metadata, untimed lines and word timestamps', () => {
    expect(
      texts('[ar:Velour]\n[ti:Dusk]\nby hand\n[00:01.00]<00:01.00> Slow <00:01.50> light'),
    ).toEqual(['Slow light'])
  })

  test('shifts all lines by the offset, but not before the start', () => {
    expect(seconds('[offset:+500]\n[00:00.20]a\n[00:02.00]b')).toEqual([0, 1.5])
    expect(seconds('[offset:-500]\n[00:02.00]b')).toEqual([2.5])
    expect(seconds('[offset:soon]\n[00:02.00]b')).toEqual([2])
  })

  test('keeps an empty line as a pause', () => {
    expect(texts('[00:01.00]a\n[00:03.00]\n[00:05.00]b')).toEqual(['a', '', 'b'])
  })

  test('accepts every kind of line ending and a byte order mark', () => {
    expect(texts('\uFEFF[00:01.00]a\r\n[00:02.00]b\r[00:03.00]c')).toEqual(['a', 'b', 'c'])
  })
})

describe('untimed lyrics', () => {
  test('keep their text and the blank lines between verses', () => {
    expect(parseLyrics('\n[ar:Velour]\nOne\n\nTwo\n\n')).toEqual({
      isTimed: false,
      lines: [
        { seconds: null, text: 'One' },
        { seconds: null, text: '' },
        { seconds: null, text: 'Two' },
      ],
    })
  })

  test('have no lines when empty', () => {
    expect(parseLyrics('').lines).toEqual([])
    expect(parseLyrics(' \n\n').lines).toEqual([])
  })

  test('have no current line', () => {
    expect(findLineIndex(parseLyrics('One\nTwo'), 10)).toBe(-1)
  })
})

describe('current line', () => {
  const lyrics = parseLyrics('[00:01.00]a\n[00:03.00]b\n[00:05.00]c')

  test.each([
    [0, -1],
    [1, 0],
    [2.9, 0],
    [3, 1],
    [5, 2],
    [999, 2],
  ])('at %d seconds is line %d', (position, line) =>
    expect(findLineIndex(lyrics, position)).toBe(line),
  )

  test('is the last line that has begun, for any lyrics', () => {
    const tags = fc.array(fc.integer({ min: 0, max: 5999 }), { minLength: 1, maxLength: 50 })
    fc.assert(
      fc.property(tags, fc.integer({ min: 0, max: 6100 }), (hundredths, at) => {
        const text = hundredths.map((tag) => `[00:${(tag / 100).toFixed(2)}]x`).join('\n')
        const parsed = parseLyrics(text)
        const expected = parsed.lines.findLastIndex((line) => (line.seconds ?? 0) <= at / 100)
        expect(findLineIndex(parsed, at / 100)).toBe(expected)
      }),
    )
  })
})

test('parses any text without throwing', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(parseLyrics(text).lines).toBeInstanceOf(Array)
    }),
  )
})
