// Asks a member once to agree to a new version of the terms. Members who disagree can sign out, or open the profile to
// export their data or request deletion.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { giveTermsConsent, legalPath } from '#contract/legal.ts'
import { call } from '../../base/api/api.ts'
import { showError } from '../../base/api/show-error.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { useLogout } from '../../base/session/logout.ts'
import { useSite } from '../../base/session/site.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Dialog } from '../../base/ui/overlays/dialog.tsx'
import { formatDay } from '../../base/format/format-day.ts'
import styles from './consent-dialog.module.css'

export interface ConsentDialogProps {
  open: boolean
  asked: { number: number; title: string; published_at: string }
  /** Key of the query with the pending terms. */
  queryKey: readonly unknown[]
}

export function ConsentDialog({ open, asked, queryKey }: ConsentDialogProps) {
  const queryClient = useQueryClient()
  const { brand_name } = useSite()
  const logout = useLogout()
  const agreeing = useMutation({
    mutationFn: () => call(giveTermsConsent, { body: { number: asked.number } }),
    onSuccess: (answer) => queryClient.setQueryData(queryKey, answer),
    onError: showError,
  })
  return (
    <Dialog
      open={open}
      role="alertdialog"
      size="medium"
      title="The terms have changed"
      description={`${brand_name} asks you to agree before you continue.`}
      footer={
        <>
          <Button variant="quiet" busy={logout.isPending} onClick={() => logout.mutate()}>
            Sign out
          </Button>
          <Button variant="primary" busy={agreeing.isPending} onClick={() => agreeing.mutate()}>
            Agree
          </Button>
        </>
      }
    >
      <div className={styles.words}>
        <p>
          <a href={legalPath('terms')} target="_blank" rel="noopener" data-autofocus>
            {asked.title}
          </a>
          , version {asked.number} of {formatDay(asked.published_at)}. It opens in a new tab and
          lists earlier versions at the end.
        </p>
        <p>
          If you do not agree, you can download your data or request the deletion of your account on
          your profile.
        </p>
        <ButtonLink to="/profile" size="small">
          Go to my profile
        </ButtonLink>
      </div>
    </Dialog>
  )
}
