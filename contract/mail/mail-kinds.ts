// Emails to members whose texts the owner can change, with the variables of each.

interface KindOfMail {
  title: string
  /** Variables in addition to `name` and `service`. */
  variables: readonly string[]
}

export const mailKinds = {
  confirm_address: { title: 'Address confirmation', variables: [] },
  welcome: { title: 'Welcome', variables: [] },
  invitation: { title: 'Invitation', variables: ['inviter', 'days'] },
  password_reset: { title: 'Forgotten password', variables: [] },
  password_changed: { title: 'Password changed', variables: [] },
  password_guessed: { title: 'Repeated failed sign-ins', variables: [] },
  account_exists: { title: 'Sign-up with an existing account', variables: [] },
  two_factor_changed: { title: 'Two-factor authentication changed', variables: [] },
  new_device: { title: 'New device', variables: ['device'] },
  new_key: { title: 'New key', variables: ['key'] },
  receipt: { title: 'Receipt', variables: ['plan', 'amount'] },
  payment_failed: { title: 'Payment failed', variables: ['plan', 'amount', 'reason'] },
  card_expires: { title: 'Card expires', variables: ['plan', 'card', 'date'] },
  renewal: { title: 'Renewal', variables: ['plan', 'amount', 'date'] },
  plan_canceled: { title: 'Plan canceled', variables: ['plan', 'date'] },
  plan_ended: { title: 'Plan ended', variables: ['plan', 'date'] },
  gift: { title: 'Gift, to the recipient', variables: ['plan', 'giver', 'months'] },
  gift_receipt: { title: 'Gift, to the buyer', variables: ['plan', 'amount', 'months'] },
  release: { title: 'Release news', variables: ['count'] },
  support_answer: { title: 'Reply to a message', variables: ['subject'] },
  review_published: { title: 'Submission published', variables: ['title'] },
  review_returned: { title: 'Submission returned', variables: ['title'] },
} as const satisfies Record<string, KindOfMail>

export type MailKind = keyof typeof mailKinds
export const mailKindNames = Object.keys(mailKinds) as [MailKind, ...MailKind[]]
/** Variables of every email. `name` is “there” for people without an account or a name. */
export const commonVariables = ['name', 'service'] as const

export function listVariables(kind: MailKind): string[] {
  return [...commonVariables, ...mailKinds[kind].variables]
}

export const wordsMaxLength = { subject: 150, opening: 4000, closing: 2000 } as const

/** Null if the default text is used. */
export interface MailWords {
  subject: string | null
  opening: string | null
  closing: string | null
}

const variable = /\{\{\s*([a-z_]+)\s*\}\}/g

/** Returns the variables in a text that don't exist for this kind of email, as typed. */
export function findUnknownVariables(text: string, kind: MailKind): string[] {
  const known = listVariables(kind)
  const unknown = [...text.matchAll(/\{\{([^{}]*)\}\}/g)].flatMap(([all, name = '']) =>
    known.includes(name.trim()) ? [] : [all],
  )
  const rest = text.replaceAll(/\{\{[^{}]*\}\}/g, '')
  return [...new Set([...unknown, ...(rest.match(/\{\{\S{0,20}|\S{0,20}\}\}/g) ?? [])])]
}

export function fillVariables(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(variable, (all, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? all) : all,
  )
}
