// The fields of a connection with a login: of the mail server, and of the mailbox for bounces.
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
  /** Empty: unchanged. */
  password: string
}

export interface ServerLoginFieldsProps {
  form: ServerLogin
  onChange: (changes: Partial<ServerLogin>) => void
  problems: Partial<Record<keyof ServerLogin, string>>
  labels: Record<keyof ServerLogin, string>
  /** Shown in the empty field of the host. */
  exampleHost: string
  /** What an empty field means. */
  emptyHost: string
  emptyUser?: string
  securityOptions: readonly SelectOption[]
  /** The port follows the encryption as long as it is one of these. */
  usualPorts: Record<MailSecurity, number>
  hasPassword: boolean
  /** The environment sets these fields. */
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
  usualPorts,
  hasPassword,
  isSet,
}: ServerLoginFieldsProps) {
  function chooseSecurity(value: string) {
    const security = mailSecurities.find((one) => one === value)
    if (!security) return
    const isUsual = Object.values(usualPorts).some((port) => String(port) === form.port)
    onChange({ security, ...(isUsual && { port: String(usualPorts[security]) }) })
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
            ? 'Set, and never shown. Enter it again when the server changes.'
            : undefined
        }
        value={form.password}
        error={problems.password}
        onChange={({ target }) => onChange({ password: target.value })}
      />
    </>
  )
}
