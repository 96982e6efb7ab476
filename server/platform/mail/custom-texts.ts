// Adds to an email which of its texts the owner may replace, and with which variables.
import type { mailKinds, MailKind } from '#contract/mail/mail-kinds.ts'

/** The value of the variable `plan`. There is only one plan with a name. */
export const planName = 'Premium'

type Values<K extends MailKind> = Record<(typeof mailKinds)[K]['variables'][number], string>

/**
 * `replaces` is the number of paragraphs at the beginning that the owner's opening replaces. Paragraphs that state a
 * charge are never replaced.
 */
export function markCustomTexts<K extends MailKind>(kind: K, replaces: number, values: Values<K>) {
  return { kind, replaces, values: { ...values } as Record<string, string> }
}
