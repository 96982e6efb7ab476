// Marks an email whose texts the owner may change.
import type { mailKinds, MailKind } from '#contract/mail/mail-kinds.ts'

/** The value of `plan`: there is only one plan. */
export const planName = 'Premium'

type Values<K extends MailKind> = Record<(typeof mailKinds)[K]['variables'][number], string>

/**
 * `replaces`: how many of its first paragraphs the owner's opening replaces. Paragraphs that state a charge are not
 * among them.
 */
export function markCustomTexts<K extends MailKind>(kind: K, replaces: number, values: Values<K>) {
  return { kind, replaces, values: { ...values } as Record<string, string> }
}
