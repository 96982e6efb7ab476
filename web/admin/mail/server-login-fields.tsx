// The fields for a server and its login. Used for the mail server and for the bounce mailbox.
import { mailSecurities, type MailSecurity } from '#contract/mail/mail-server.ts'
import { PasswordField } from '../../base/ui/controls/password-field.tsx'
import { Select, type SelectOption } from '../../base/ui/controls/select.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'

/** The port is a string, as typed. */
export interface ServerLogin {
  host: string
  port: string
  security: MailSecurity
  user_name: string
  /** A new password. Empty to keep the stored one. */
  password: string
}

export interface ServerLoginFieldsProps {
  form: ServerLogin
  onChange: (changes: Partial<ServerLogin>) => void
  problems: Partial<Record<keyof ServerLogin, string>>
  labels: Record<keyof ServerLogin, string>
  /** Placeholder of the host field. */
  exampleHost: string
  /** Texts of the empty fields, which explain what an empty value means. */
  emptyHost: string
  emptyUser?: string
  securityOptions: readonly SelectOption[]
  /**
   * The default port of each encryption. When the encryption changes, a default port changes with it. Other ports stay.
   */
  defaultSmtpPorts: Record<MailSecurity, number>
  hasPassword: boolean
  /** True if environment variables set these fields. */
  isSet: boolean
}

export function ServerLoginFields({
  form,
  onChange,
  problems,
  labels,
  exampleHost,
  emptyHost,
  emptyUser,
  securityOptions,
  defaultSmtpPorts,
  hasPassword,
  isSet,
}: ServerLoginFieldsProps) {
  function chooseSecurity(value: string) {
    const security = mailSecurities.find((one) => one === value)
    if (!security) return
    const isDefault = Object.values(defaultSmtpPorts).some((port) => String(port) === form.port)
    onChange({ security, ...(isDefault && { port: String(defaultSmtpPorts[security]) }) })
  }
  return (
    <>
      <TextField
        label={labels.host}
        placeholder={exampleHost}
        hint={isSet ? undefined : emptyHost}
        spellCheck={false}
        autoCapitalize="none"
        value={form.host}
        error={problems.host}
        onChange={({ target }) => onChange({ host: target.value })}
      />
      <TextField
        label={labels.port}
        inputMode="numeric"
        value={form.port}
        error={problems.port}
        onChange={({ target }) => onChange({ port: target.value })}
      />
      <Select
        label={labels.security}
        options={securityOptions}
        value={form.security}
        onChange={({ target }) => chooseSecurity(target.value)}
      />
      <TextField
        label={labels.user_name}
        autoComplete="off"
        spellCheck={false}
        autoCapitalize="none"
        hint={isSet ? undefined : emptyUser}
        value={form.user_name}
        error={problems.user_name}
        onChange={({ target }) => onChange({ user_name: target.value })}
      />
      <PasswordField
        label={labels.password}
        autoComplete="new-password"
        placeholder={hasPassword ? 'Set' : 'Not set'}
        hint={
          hasPassword && !isSet
            ? 'Stored, and never shown again. Enter it again when you change the server.'
            : undefined
        }
        value={form.password}
        error={problems.password}
        onChange={({ target }) => onChange({ password: target.value })}
      />
    </>
  )
}
