// Identifies an email in reports about it. The reference is encrypted and authenticated. So only someone who has seen
// an email can report it as undeliverable, and the reference does not reveal the recipient.
import { randomBytes } from 'node:crypto'
import type { SecretBox } from '../security/secret-box.ts'

export interface ReferencedMail {
  /** Random, different for each attempt. */
  id: string
  to: string
  sentAt: Date
}

/** Sent in addition to the Message-ID, because some mail services replace that. */
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

/** The first reference in the text, as a Message-ID or the value of the header. Null if it has none of this service. */
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

/** Limits the work for an email that quotes many others. */
const maxTried = 20
