// Generates and hashes gift codes. A code has 80 random bits, written so that it is easy to read aloud and to type.
import { createHash, randomBytes } from 'node:crypto'

/** Excludes letters that look like digits (Crockford's base 32). */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const length = 16

/** Returns a code such as `7K3M-9QXP-2RTV-B6WD`. */
export function generateGiftCode(): string {
  const letters = [...randomBytes(length)].map((byte) => alphabet[byte % 32]).join('')
  return letters.replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** Hashes a typed code. Ignores case and separators, and treats similar characters (such as O and 0) as equal. */
export function hashGiftCode(typed: string): string {
  const letters = typed
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
  return createHash('sha256').update(letters).digest('hex')
}
