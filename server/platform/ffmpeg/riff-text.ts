// Decodes RIFF INFO tags, which don't declare their encoding. The standard specifies ISO 8859-1 and the parser
// follows it, but ffmpeg and most other tools write UTF-8.
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * `text` was decoded as ISO 8859-1. If its bytes are valid UTF-8, decodes them as UTF-8, otherwise returns `text`.
 */
export function preferUtf8(text: string): string {
  return decodeAsUtf8(text) ?? text
}

/** Whether a text is UTF-8 that was decoded with another encoding (`SÃ¼ÃŸe`), or contains replacement characters. */
export function isGarbled(text: string): boolean {
  return text.includes('\uFFFD') || decodeAsUtf8(toLatin1(text)) !== undefined
}

/** Returns undefined for plain ASCII, for characters above U+00FF and for bytes that are not UTF-8. */
function decodeAsUtf8(text: string): string | undefined {
  if (!/[\u0080-\u00FF]/.test(text) || /[^\u0000-\u00FF]/.test(text)) return undefined
  try {
    return utf8.decode(Buffer.from(text, 'latin1'))
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** The characters of Windows-1252 in the range U+0080 to U+009F, where ISO 8859-1 has control characters. */
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ'

function toLatin1(text: string): string {
  return text.replace(/[^\u0000-\u00FF]/g, (character) => {
    const at = windows1252.indexOf(character)
    return at < 0 ? character : String.fromCharCode(0x80 + at)
  })
}
