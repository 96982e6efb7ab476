// Encrypts secrets in the database and its backups: AES-256-GCM (NIST SP 800-38D) under a key derived from the server's
// secret (HKDF, RFC 5869).
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface SecretBox {
  /** `v1.` and base64url of nonce, tag and ciphertext. The empty string stays empty. */
  seal: (text: string) => string
  /** Null if the text was changed, or encrypted with a key that is no longer configured. */
  open: (sealed: string) => string | null
  /** The same text encrypted with the current key. Null if it already is, or cannot be decrypted. */
  reseal: (sealed: string) => string | null
}

const version = 'v1'
const nonceBytes = 12
const tagBytes = 16

/** Encrypts with the first secret; decrypts what any of them encrypted. */
export function createSecretBox(secrets: readonly [string, ...string[]]): SecretBox {
  const keys = secrets.map(deriveKey)
  const [current = deriveKey(secrets[0])] = keys
  const seal = (text: string) => (text === '' ? '' : sealWith(current, text))
  const open = (sealed: string) => {
    if (sealed === '') return ''
    for (const key of keys) {
      const text = openWith(key, sealed)
      if (text !== null) return text
    }
    return null
  }
  return {
    seal,
    open,
    reseal(sealed) {
      if (sealed === '' || openWith(current, sealed) !== null) return null
      const text = open(sealed)
      return text === null ? null : seal(text)
    },
  }
}

function deriveKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'velour settings', 32))
}

function sealWith(key: Buffer, text: string): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
}

function openWith(key: Buffer, sealed: string): string | null {
  const [prefix, data = ''] = sealed.split('.')
  const bytes = Buffer.from(data, 'base64url')
  if (prefix !== version || bytes.length < nonceBytes + tagBytes) return null
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  const body = bytes.subarray(nonceBytes + tagBytes)
  try {
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  } catch {
    // Encrypted with another key, or modified.
    return null
  }
}

/** The displayable part of a secret: that it is set, and its last four characters. */
export function maskSecret(secret: string): string {
  return secret === '' ? '' : `••••••••${secret.slice(-4)}`
}
