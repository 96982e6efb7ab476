// The form for the service's name and its owner's email and password. Creates the account and signs in.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPasswordMinLength } from '#contract/auth.ts'
import { brandingMaxLength } from '#contract/fields/branding.ts'
import { createFirstAdmin } from '#contract/setup.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { refusedPassword } from '../../base/api/refused-password.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { useDocumentTitle } from '../../base/session/document-title.ts'
import { signIn } from '../../base/session/session.ts'
import { siteQuery, useSite } from '../../base/session/site.ts'
import { NewLoginFields } from '../../base/ui/controls/new-login-fields.tsx'
import { TextField } from '../../base/ui/controls/text-field.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { AuthForm } from '../auth/auth-form.tsx'
import { emailProblem, newAdminPasswordProblem } from '../auth/credential-problems.ts'

interface Owner {
  brand_name: string
  email: string
  password: string
}
type Problems = Partial<Record<keyof Owner, string>>

/** The name of a service until its owner has chosen one. */
const defaultBrandName = 'Velour'

export interface SetupFormProps {
  code: string
  /** Called after an error that belongs to no field: the account may have been created. */
  onUnknownOutcome: () => void
}

export function SetupForm({ code, onUnknownOutcome }: SetupFormProps) {
  useDocumentTitle('Set Up')
  const { brand_name: current } = useSite()
  const [name, setName] = useState(current === defaultBrandName ? '' : current)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { form, problems, showProblems } = useProblems<Problems>()
  const creating = useCreateOwner(code, { onRefused: showProblems, onUnknownOutcome })

  function submit() {
    const isRefused = showProblems({
      brand_name: name.trim() ? undefined : 'Please enter a name. You can change it later.',
      email: emailProblem(email),
      password: newAdminPasswordProblem(password),
    })
    if (!isRefused) creating.mutate({ brand_name: name.trim(), email: email.trim(), password })
  }

  return (
    <AuthForm
      ref={form}
      title="Make it yours"
      text="This service has no owner yet. Give it a name, and create the account that runs it."
      submitLabel="Create Owner Account"
      busy={creating.isPending}
      onSubmit={submit}
    >
      <TextField
        label="Name of the service"
        hint="Listeners see it everywhere. You can change it later."
        name="organization"
        autoComplete="organization"
        required
        maxLength={brandingMaxLength.brand_name}
        value={name}
        error={problems.brand_name}
        onChange={(event) => setName(event.target.value)}
      />
      <NewLoginFields
        {...{ email, password, problems }}
        passwordMinLength={adminPasswordMinLength}
        onEmailChange={setEmail}
        onPasswordChange={setPassword}
      />
    </AuthForm>
  )
}

/**
 * Returns a mutation that creates the owner's account. The screen redirects to the back office once there is a session.
 */
function useCreateOwner(
  code: string,
  {
    onRefused,
    onUnknownOutcome,
  }: { onRefused: (problems: Problems) => void; onUnknownOutcome: () => void },
) {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn(owner: Owner) {
      await call(createFirstAdmin, { body: { code, ...owner } })
      await signIn(queryClient, owner.email, owner.password)
      await queryClient.invalidateQueries(siteQuery)
    },
    onSuccess: (_, { brand_name }) =>
      showToast({
        tone: 'success',
        title: `Welcome to ${brand_name}`,
        message: 'Your account is ready. The overview shows the next steps.',
      }),
    onError(error) {
      const problems = fieldProblems(error)
      if (problems) return onRefused(problems)
      showToast({ tone: 'destructive', title: 'Error', message: error.message })
      onUnknownOutcome()
    },
  })
}

function fieldProblems(error: Error): Problems | null {
  const password = refusedPassword(error)
  if (password) return { password }
  const code = error instanceof ApiError ? error.code : null
  if (code === 'invalid_email') return { email: error.message }
  if (code === 'email_exists') {
    return {
      email:
        'This address already has an account here. Use another one for now. You can make that account an admin later.',
    }
  }
  return null
}
