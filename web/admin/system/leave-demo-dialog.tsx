// Dialog that ends the demo. It explains the consequences, and creates the owner's account unless another admin exists.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { adminPasswordMinLength, signIn } from '#contract/auth.ts'
import { getDemo, leaveDemo } from '#contract/admin/service/admin-demo.ts'
import { ApiError, call } from '../../base/api/api.ts'
import { refusedPassword } from '../../base/api/refused-password.ts'
import { errorText } from '../../base/api/show-error.ts'
import { useProblems } from '../../base/forms/use-problems.ts'
import { replaceSession } from '../../base/session/session.ts'
import { siteQuery } from '../../base/session/site.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { NewLoginFields } from '../../base/ui/controls/new-login-fields.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'
import { Skeleton } from '../../base/ui/display/skeleton.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import {
  emailProblem,
  newAdminPasswordProblem,
  type CredentialProblems,
} from '../../features/auth/credential-problems.ts'
import { showFailure } from '../shared/admin-failure.ts'
import styles from '../shared/dialog-form.module.css'

interface Owner {
  email: string
  password: string
}

export function LeaveDemoDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const formId = useId()
  const [isLeaving, setIsLeaving] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['admin', 'demo'],
    queryFn: ({ signal }) => call(getDemo, {}, { signal }),
    enabled: open,
  })
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Leave the demo"
      description="Demo accounts are closed immediately, so their public password no longer works. Their sample history and statistics are deleted. The demo does not return at the next start, even with DEMO=on. Its songs, playlists and categories are kept. You can delete them in the library."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="danger" type="submit" form={formId} busy={isLeaving} disabled={!data}>
            Leave the Demo
          </Button>
        </>
      }
    >
      {data ? (
        <LeaveForm {...{ formId, onClose }} ownAdmins={data.own_admins} onBusy={setIsLeaving} />
      ) : error ? (
        <ErrorState
          title="Failed to load the remaining admins"
          message={errorText(error)}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Skeleton shape="text" width="60%" />
      )}
    </Dialog>
  )
}

interface LeaveFormProps {
  formId: string
  ownAdmins: string[]
  onBusy: (isBusy: boolean) => void
  onClose: () => void
}

function LeaveForm({ formId, ownAdmins, onBusy, onClose }: LeaveFormProps) {
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { form, problems, showProblems } = useProblems<CredentialProblems>()
  const leaving = useLeaveDemo({ onBusy, onClose, onRefused: showProblems })
  const needsOwner = ownAdmins.length === 0

  function submit(event: FormEvent) {
    event.preventDefault()
    if (leaving.isPending) return
    if (!needsOwner) return leaving.mutate(null)
    const isRefused = showProblems({
      email: emailProblem(email),
      password: newAdminPasswordProblem(password),
    })
    if (!isRefused) leaving.mutate({ email: email.trim(), password })
  }

  return (
    <form ref={form} id={formId} className={styles.form} noValidate onSubmit={submit}>
      {needsOwner ? (
        <>
          <p>Create your own admin account. You are signed in to it afterwards.</p>
          <NewLoginFields
            {...{ email, password, problems }}
            passwordMinLength={adminPasswordMinLength}
            onEmailChange={setEmail}
            onPasswordChange={setPassword}
          />
        </>
      ) : (
        <p>
          {ownAdmins.length === 1 ? 'This admin remains: ' : 'These admins remain: '}
          <bdi>{ownAdmins.join(', ')}</bdi>. Demo accounts are signed out.
        </p>
      )}
    </form>
  )
}

/** Ends the demo, then signs in with the new account, because the demo account and its session are gone by then. */
function useLeaveDemo({
  onBusy,
  onClose,
  onRefused,
}: Pick<LeaveFormProps, 'onBusy' | 'onClose'> & {
  onRefused: (problems: CredentialProblems) => void
}) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    async mutationFn(owner: Owner | null) {
      onBusy(true)
      await replaceSession(queryClient, async () => {
        await call(leaveDemo, { body: { owner } })
        if (owner) await call(signIn, { body: owner })
      })
    },
    async onSuccess() {
      onClose()
      showToast({
        tone: 'success',
        title: 'You left the demo',
        message: 'This service is now yours. The overview shows the next steps.',
      })
      await navigate('/admin')
      await queryClient.invalidateQueries()
    },
    onError(error) {
      const problems = fieldProblems(error)
      if (problems) return onRefused(problems)
      showFailure(error, 'Failed to leave the demo')
      void queryClient.invalidateQueries(siteQuery)
    },
    onSettled: () => onBusy(false),
  })
}

function fieldProblems(error: Error): CredentialProblems | null {
  const password = refusedPassword(error)
  if (password) return { password }
  const code = error instanceof ApiError ? error.code : null
  if (code === 'invalid_email' || code === 'email_exists') return { email: error.message }
  return null
}
