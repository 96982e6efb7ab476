// Identifies an email in bounces and complaints. The reference is encrypted and authenticated, so that only someone
// who has received the email can report it, and so that it does not reveal the recipient.
import { randomBytes } from 'node:crypto'
import type { SecretBox } from '../security/secret-box.ts'

export interface ReferencedMail {
  /** Random, and different for each attempt to send the email. */
  id: string
  to: string
  sentAt: Date
}

/** A header in addition to the Message-ID, because some mail services replace that. */
export const referenceHeader = 'x-mail-reference'

const mark = 'mail'

export function makeMailReference(
  secretBox: Pick<SecretBox, 'seal'>,
  { to, sentAt }: Omit<ReferencedMail, 'id'>,
): string {
  const id = randomBytes(9).toString('base64url')
  const seconds = Math.floor(sentAt.getTime() / 1000).toString(36)
  return secretBox.seal(`${mark} ${id} ${seconds} ${to}`)
}

/**
 * Returns the first reference in the text, from a Message-ID or the header. Null if the text contains none of this
 * service.
 */
export function findMailReference(
  secretBox: Pick<SecretBox, 'open'>,
  text: string,
): ReferencedMail | null {
  for (const [sealed] of [...text.matchAll(/v1\.[\w-]{40,}/g)].slice(0, maxTried)) {
    const [said, id = '', seconds = '', to = ''] = (secretBox.open(sealed) ?? '').split(' ')
    if (said === mark) return { id, to, sentAt: new Date(Number.parseInt(seconds, 36) * 1000) }
  }
  return null
}

/** Limits how many references are decrypted, because an email may quote many others. */
const maxTried = 20
