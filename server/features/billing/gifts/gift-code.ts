// The code of a gift: 80 random bits that people can read aloud and type.
import { createHash, randomBytes } from 'node:crypto'

/** Without letters that look like digits (Crockford's base 32). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 16

/** `7K3M-9QXP-2RTV-B6WD` */
export function makeGiftCode(): string {
  const letters = [...randomBytes(length)].map((byte) => alphabet[byte % 32]).join('')
  return letters.replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** The same for every way in which people type it. */
export function hashGiftCode(typed: string): string {
  const letters = typed
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  return createHash('sha256').update(letters).digest('hex')
}
