// Keeps secrets unreadable in the database and its backups: AES-256-GCM (NIST SP 800-38D) under a
// key derived from the server's secret (HKDF, RFC 5869).
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

export interface SecretBox {
  /** `v1.` and base64url of nonce, tag and ciphertext. The empty text stays empty. */
  seal: (text: string) => string
  /** Throws when the text was changed or sealed under another key. */
  open: (sealed: string) => string
}

const version = 'v1'
const nonceBytes = 12
const tagBytes = 16

export function createSecretBox(secret: string): SecretBox {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'velour settings', 32))
  return {
    seal(text) {
      if (text === '') return ''
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${version}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    open(sealed) {
      if (sealed === '') return ''
      const [prefix, data = ''] = sealed.split('.')
      if (prefix !== version) throw new Error('This secret was sealed by another version.')
      const bytes = Buffer.from(data, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      const body = bytes.subarray(nonceBytes + tagBytes)
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
    },
  }
}

/** What may be shown of a secret: that there is one, and its last four characters. */
export function maskSecret(secret: string): string {
  return secret === '' ? '' : `••••••••${secret.slice(-4)}`
}
