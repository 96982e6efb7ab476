// Marks a mail whose words the owner may change.
import type { mailKinds, MailKind } from '#contract/mail/mail-kinds.ts'

/** The value of `plan`: there is one. */
export const planName = 'Premium'

type Values<K extends MailKind> = Record<(typeof mailKinds)[K]['variables'][number], string>

/** `replaces`: how many of its first paragraphs an opening takes the place of. What is charged is not among them. */
export function ownWords<K extends MailKind>(kind: K, replaces: number, values: Values<K>) {
  return { kind, replaces, values: { ...values } as Record<string, string> }
}
