// Encrypts secrets in the database and its backups: AES-256-GCM (NIST SP 800-38D) with a key derived from the
// server's secret (HKDF, RFC 5869).
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface SecretBox {
  /** Returns `v1.` and the base64url of nonce, tag and ciphertext. An empty text stays empty. */
  seal: (text: string) => string
  /** Decrypts. Null if the text was changed, or encrypted with a key that is no longer configured. */
  open: (sealed: string) => string | null
  /** Encrypts again with the current key. Null if the text already uses it, or cannot be decrypted. */
  reseal: (sealed: string) => string | null
}

const version = 'v1'
const nonceBytes = 12
const tagBytes = 16

/** Encrypts with the first secret, and decrypts what was encrypted with any of them. */
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

/** Masks a secret for display: only its last four characters are readable. */
export function maskSecret(secret: string): string {
  return secret === '' ? '' : `••••••••${secret.slice(-4)}`
}
