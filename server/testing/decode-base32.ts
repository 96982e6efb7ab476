/** Decodes Base32 (RFC 4648 §6), as authenticator apps do for the secret of a second factor. */
export function decodeBase32(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...text.replaceAll('=', '')]
    .map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
    .join('')
  const bytes = bits.match(/.{8}/g) ?? []
  return String.fromCharCode(...bytes.map((byte) => Number.parseInt(byte, 2)))
}
