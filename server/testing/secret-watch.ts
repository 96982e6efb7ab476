// Remembers secrets and everything that was said where others can read it, and finds the one in the other.
import { gunzipSync } from 'node:zlib'

interface Secret {
  name: string
  forms: string[]
  /** Where it has to stand: the answer that hands it out. */
  allowed: readonly string[]
}

export interface SecretWatch {
  /** From now on nobody may say `value`, in any of its usual spellings, but those that are `allowed`. */
  keep: (name: string, value: string, allowed?: readonly string[]) => string
  /** Notes what was said at `where`. */
  hear: (where: string, text: string | Buffer) => void
  /** `secret in place` for each that was said where it should not be. */
  leaks: () => string[]
  /** How many secrets are known, and how many bytes were heard. */
  size: () => { secrets: number; heardBytes: number }
}

const shortest = 6

export function createSecretWatch(): SecretWatch {
  const secrets: Secret[] = []
  const heard: { where: string; text: string }[] = []
  return {
    keep(name, value, allowed = []) {
      if (value.length < shortest) throw new Error(`${name} is too short to be told from chance`)
      secrets.push({ name, forms: spellings(value), allowed })
      return value
    },
    hear(where, text) {
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

/** As it is, in addresses, in JSON, and in Base64 at each of the three places where its bytes may begin. */
function spellings(value: string): string[] {
  const encoded = [0, 1, 2].map((shift) => {
    const text = Buffer.from(' '.repeat(shift) + value).toString('base64')
    // The edges depend on what stands beside it.
    return text.slice(shift === 0 ? 0 : 4, Math.floor((shift + value.length) / 3) * 4)
  })
  const forms = [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), ...encoded]
  return [...new Set(forms)].filter((form) => form.length >= shortest)
}

function readable(bytes: Buffer): string {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b
  return (isCompressed ? gunzipSync(bytes) : bytes).toString('latin1')
}
