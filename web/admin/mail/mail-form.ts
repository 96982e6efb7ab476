// Form state of the mail server and sender settings, and their request body.
import {
  mailPasswordMaxLength,
  type MailSettings,
  type updateMailSettings,
} from '#contract/admin/service/admin-mail.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { mailSecurities, type MailSecurity } from '#contract/mail/mail-server.ts'
import type { VersionedFormKind } from '../conflicts/use-versioned-form.ts'
import type { ServerLogin } from './server-login-fields.tsx'

/** An empty text stands for the default. */
export interface MailForm extends ServerLogin {
  from_name: string
  from_address: string
  reply_to: string
  dkim_selector: string
}

export const mailForm: VersionedFormKind<MailSettings, MailForm> = {
  what: 'the email settings',
  secrets: ['password'],
  formOf: ({ host, port, security, user_name, dkim_selector, ...sender }) => ({
    host,
    port: String(port),
    security,
    user_name,
    password: '',
    from_name: sender.from_name ?? '',
    from_address: sender.from_address ?? '',
    reply_to: sender.reply_to ?? '',
    dkim_selector,
  }),
  labels: {
    host: 'Server',
    port: 'Port',
    security: 'Encryption',
    user_name: 'User name',
    password: 'Password',
    from_name: 'Sender name',
    from_address: 'Sender address',
    reply_to: 'Reply-to address',
    dkim_selector: 'DKIM selector',
  },
}

export const securityLabels: Record<MailSecurity, string> = {
  starttls: 'STARTTLS (usual)',
  tls: 'TLS from the start',
  none: 'None (local network only)',
}

export const securityOptions = mailSecurities.map((value) => ({
  value,
  label: securityLabels[value],
}))

/** Returns the request body. Fields that environment variables set are omitted, because they can't be changed here. */
export function mailOfForm(
  form: MailForm,
  { server_source, sender_source }: Pick<MailSettings, 'server_source' | 'sender_source'>,
): CallInput<typeof updateMailSettings>['body']['settings'] {
  const { host, port, security, user_name, password, dkim_selector } = form
  return {
    ...(server_source !== 'environment' && {
      host: host.trim(),
      port: Number(port),
      security,
      user_name: user_name.trim(),
      ...(password !== '' && { password }),
      ...((host.trim() === '' || user_name.trim() === '') && { password: '' }),
    }),
    from_name: form.from_name.trim() || null,
    ...(sender_source !== 'environment' && { from_address: form.from_address.trim() || null }),
    reply_to: form.reply_to.trim() || null,
    dkim_selector: dkim_selector.trim(),
  }
}

export type MailProblems = Record<keyof MailForm, string>

export const isMailAddress = (text: string) => /^[^\s@<>",;]+@[^\s@<>",;]+$/.test(text)

/** Returns whether the text has only characters of host names and IP addresses. An empty text passes. */
export const isMailHost = (text: string) => /^[A-Za-z0-9._:[\]-]*$/.test(text.trim())

export function isPort(text: string): boolean {
  const port = Number(text)
  return Number.isInteger(port) && port >= 1 && port <= 65_535
}

export function findMailProblems(form: MailForm): Partial<MailProblems> {
  const wrong = (text: string) => text.trim() !== '' && !isMailAddress(text.trim())
  return {
    ...(!isMailHost(form.host) && {
      host: 'Enter a name such as smtp.example.com, without https://.',
    }),
    ...(!isPort(form.port) && { port: 'Enter a number from 1 to 65535.' }),
    ...(form.password.length > mailPasswordMaxLength && { password: 'This is too long.' }),
    ...(wrong(form.from_address) && { from_address: 'Enter one email address.' }),
    ...(wrong(form.reply_to) && { reply_to: 'Enter one email address.' }),
    ...(!/^[A-Za-z0-9._-]*$/.test(form.dkim_selector.trim()) && {
      dkim_selector: 'Enter only the selector, such as s1.',
    }),
  }
}
