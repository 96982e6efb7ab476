// For tests: searches all output that people can read for secrets.
import { gunzipSync } from 'node:zlib'

interface Secret {
  name: string
  forms: string[]
  /** The only places where the value may appear, such as the response that returns it. */
  allowed: readonly string[]
}

export interface SecretWatch {
  /** Records a secret. From now on, `value` in any usual encoding may appear only in the `allowed` places. */
  keep: (name: string, value: string, allowed?: readonly string[]) => string
  /** Records the output `text` of the place `where`. */
  scan: (where: string, text: string | Buffer) => void
  /** Returns `secret in place` for each secret that was found in a place where it is not allowed. */
  leaks: () => string[]
  /** Returns the number of recorded secrets and bytes. */
  size: () => { secrets: number; heardBytes: number }
}

const shortest = 6

export function createSecretWatch(): SecretWatch {
  const secrets: Secret[] = []
  const heard: { where: string; text: string }[] = []
  return {
    keep(name, value, allowed = []) {
      if (value.length < shortest)
        throw new Error(`${name} is too short to be distinguished from a coincidence`)
      secrets.push({ name, forms: spellings(value), allowed })
      return value
    },
    scan(where, text) {
      heard.push({ where, text: typeof text === 'string' ? text : readable(text) })
    },
    leaks() {
      const found = secrets.flatMap(({ name, forms, allowed }) =>
        heard
          .filter(({ where, text }) => !allowed.includes(where) && has(text, forms))
          .map(({ where }) => `${name} in ${where}`),
      )
      return [...new Set(found)].toSorted()
    },
    size: () => ({
      secrets: secrets.length,
      heardBytes: heard.reduce((sum, { text }) => sum + text.length, 0),
    }),
  }
}

function has(text: string, forms: string[]): boolean {
  return forms.some((form) => text.includes(form))
}

/**
 * Returns the plain value, its URL and JSON encodings, and its Base64 for each of the three possible byte offsets.
 */
function spellings(value: string): string[] {
  const encoded = [0, 1, 2].map((shift) => {
    const text = Buffer.from(' '.repeat(shift) + value).toString('base64')
    // Cuts off the characters at both ends, which depend on the neighboring bytes.
    return text.slice(shift === 0 ? 0 : 4, Math.floor((shift + value.length) / 3) * 4)
  })
  const forms = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), ...encoded]
  return [...new Set(forms)].filter((form) => form.length >= shortest)
}

function readable(bytes: Buffer): string {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b
  return (isCompressed ? gunzipSync(bytes) : bytes).toString('latin1')
}
