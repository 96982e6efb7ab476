// Form state of the bounce mailbox settings, and their request body.
import type { BounceSettings, updateBounceSettings } from '#contract/admin/service/admin-bounces.ts'
import { mailPasswordMaxLength } from '#contract/admin/service/admin-mail.ts'
import type { CallInput } from '#contract/endpoint.ts'
import type { MailSecurity } from '#contract/mail/mail-server.ts'
import type { VersionedFormKind } from '../conflicts/use-versioned-form.ts'
import { isMailAddress, isMailHost, isPort } from './mail-form.ts'
import type { ServerLogin } from './server-login-fields.tsx'

export interface BounceForm extends ServerLogin {
  folder: string
  /** Address that receives bounces. Empty to use the sender address. */
  bounce_address: string
}

export const bounceForm: VersionedFormKind<BounceSettings, BounceForm> = {
  what: 'the bounce mailbox',
  secrets: ['password'],
  formOf: ({ host, port, security, user_name, folder, bounce_address }) => ({
    host,
    port: String(port),
    security,
    user_name,
    password: '',
    folder,
    bounce_address: bounce_address ?? '',
  }),
  labels: {
    host: 'IMAP server',
    port: 'IMAP port',
    security: 'Mailbox encryption',
    user_name: 'Mailbox user name',
    password: 'Mailbox password',
    folder: 'Folder',
    bounce_address: 'Bounce address',
  },
}

const securityLabels: Record<MailSecurity, string> = {
  tls: 'TLS from the start (usual)',
  starttls: 'STARTTLS',
  none: 'None (same machine only)',
}

export const mailboxSecurityOptions = (['tls', 'starttls', 'none'] as const).map((value) => ({
  value,
  label: securityLabels[value],
}))

/** Returns the request body. Fields that environment variables set are omitted, because they can't be changed here. */
export function bouncesOfForm(
  form: BounceForm,
  { mailbox_source, is_address_set }: Pick<BounceSettings, 'mailbox_source' | 'is_address_set'>,
): CallInput<typeof updateBounceSettings>['body']['settings'] {
  const { host, port, security, user_name, password, folder } = form
  return {
    ...(mailbox_source !== 'environment' && {
      host: host.trim(),
      port: Number(port),
      security,
      user_name: user_name.trim(),
      folder: folder.trim() || 'INBOX',
      ...(password !== '' && { password }),
      ...(host.trim() === '' && { password: '' }),
    }),
    ...(!is_address_set && { bounce_address: form.bounce_address.trim() || null }),
  }
}

export type BounceProblems = Record<keyof BounceForm, string>

export function findBounceProblems(form: BounceForm): Partial<BounceProblems> {
  const isOn = form.host.trim() !== ''
  const address = form.bounce_address.trim()
  return {
    ...(!isMailHost(form.host) && {
      host: 'Enter a name such as imap.example.com, without https://.',
    }),
    ...(!isPort(form.port) && { port: 'Enter a number from 1 to 65535.' }),
    ...(isOn &&
      form.user_name.trim() === '' && { user_name: 'Enter the user name of the mailbox.' }),
    ...(form.password.length > mailPasswordMaxLength && { password: 'This is too long.' }),
    ...(address !== '' &&
      !isMailAddress(address) && { bounce_address: 'Enter one email address.' }),
  }
}
