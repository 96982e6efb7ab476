import { expect, test } from 'vitest'
import { cleanName } from './clean-name.ts'

test.each([
  ['plain', '  Ada  Lovelace ', 'Ada Lovelace'],
  ['an escape sequence', 'Ada\u001B[31m\r\nadmin', 'Ada [31m admin'],
  ['a right-to-left override', 'Ada \u202Enimda', 'Ada nimda'],
  ['isolates and marks', '\u2066Ada\u2069\u200E\u200F\u061C', 'Ada'],
  ['zero-width characters', 'ad\u200Bm\u2060i\uFEFFn', 'admin'],
  ['joiners between Latin letters', 'ad\u200Dm\u200Cin', 'admin'],
  ['soft hyphens', 'ad\u00ADmin', 'admin'],
  ['invisible tags', 'Ada\u{E0061}\u{E007F}', 'Ada'],
  ['only invisible characters', '\u200B \u202E', ''],
  ['a lone surrogate', '\uD800x', '\uFFFDx'],
  ['line and paragraph separators', 'one\u2028two\u2029three', 'one two three'],
])('cleans %s', (_what, text, clean) => {
  expect(cleanName(text)).toBe(clean)
  expect(cleanName(clean)).toBe(clean)
})

test.each([
  ['a family', '👩‍👩‍👧‍👦'],
  ['a profession with a skin tone', '👩🏽‍🚀'],
  ['a heart on fire', '❤️‍🔥'],
  ['the flag of Scotland', '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
  ['Persian with a non-joiner', 'می‌خواهم'],
  ['Hindi with a joiner', 'क्‍ष'],
  ['Sinhala', 'ශ්‍රී ලංකා'],
  ['Hebrew', 'שלום עולם'],
  ['an Arabic number sign', '\u0600٣'],
  ['accents, apostrophes and signs', 'Zoë O’Neill & The Σigmas – №5'],
])('keeps %s', (_what, text) => {
  expect(cleanName(text)).toBe(text)
})

test('preserves U+0000, so that the server can refuse it', () => {
  expect(cleanName('a\u0000b')).toBe('a\u0000b')
})
