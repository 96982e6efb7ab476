// The email and password fields of a new account.
import { PasswordField } from './password-field.tsx'
import { TextField } from './text-field.tsx'

export interface NewLoginFieldsProps {
  email: string
  password: string
  passwordMinLength: number
  problems: { email?: string | undefined; password?: string | undefined }
  onEmailChange: (email: string) => void
  onPasswordChange: (password: string) => void
}

export function NewLoginFields({
  email,
  password,
  passwordMinLength,
  problems,
  onEmailChange,
  onPasswordChange,
}: NewLoginFieldsProps) {
  return (
    <>
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="username"
        required
        value={email}
        error={problems.email}
        onChange={({ target }) => onEmailChange(target.value)}
      />
      <PasswordField
        label="Password"
        name="new-password"
        autoComplete="new-password"
        required
        hint={`At least ${passwordMinLength} characters.`}
        value={password}
        error={problems.password}
        onChange={({ target }) => onPasswordChange(target.value)}
      />
    </>
  )
}
