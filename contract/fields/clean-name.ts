// Normalizes a typed name or title to one line without invisible characters, which could make two names look alike,
// reverse the reading direction of a table, or send commands to a terminal.

/** Signs before Arabic, Syriac or Kaithi numbers: visible, although Unicode classifies them as format characters. */
const numberSigns = /[\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\u{110BD}\u{110CD}]/v

/**
 * Letters after which a zero-width joiner changes the rendering: scripts with connecting letters, from Arabic to
 * Sinhala.
 */
const connecting =
  /[[\p{L}\p{M}]--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}]]$/v
/** Matches an emoji at the end to which another emoji can be joined, such as a person and their profession. */
const emoji = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{FE0F}]$/v
/** Regional flags consist of a black flag followed by invisible letters. */
const regionFlag = /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]+\u{E007F}/gv

/**
 * Replaces spaces and control characters with one space, removes format characters (zero-width, direction), and
 * replaces lone surrogates with U+FFFD. Zero-width joiners are kept where they change the rendering. U+0000 is kept,
 * because the server refuses it.
 */
export function cleanName(text: string): string {
  const flags = new Set<number>()
  const whole = text.toWellFormed().replace(/[[\p{Cc}\s]--[\u{0}\u{FEFF}]]+/gv, ' ')
  for (const { index, 0: flag } of whole.matchAll(regionFlag)) {
    for (let at = index; at < index + flag.length; at++) flags.add(at)
  }
  const isKept = (character: string, at: number) =>
    numberSigns.test(character) || flags.has(at) || joins(character, whole, at)
  return whole
    .replace(/\p{Cf}/gv, (character, at: number) => (isKept(character, at) ? character : ''))
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** Whether a zero-width joiner or non-joiner (ZWJ, ZWNJ) at this position changes the rendering. */
function joins(character: string, text: string, at: number): boolean {
  if (character !== '\u200C' && character !== '\u200D') return false
  // Reads two code units, because characters beyond U+FFFF consist of two.
  const before = text.slice(Math.max(0, at - 2), at)
  if (connecting.test(before)) return true
  return (
    character === '\u200D' && emoji.test(before) && startsWithEmoji.test(text.slice(at + 1, at + 3))
  )
}

const startsWithEmoji = /^\p{Extended_Pictographic}/v
