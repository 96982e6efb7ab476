// The message of a confirmation link. The link leads to the sign-in screen with the outcome in the URL, which is shown
// once and then removed.
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { confirmedParam, linkErrorParam } from '#contract/auth.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'

/** Returns whether the URL still contains the outcome: removing it later would undo a navigation made in between. */
export function useLinkMessage(): boolean {
  const [parameters, setParameters] = useSearchParams()
  const isConfirmed = parameters.has(confirmedParam)
  const isFailed = parameters.has(linkErrorParam)

  useEffect(() => {
    if (!isConfirmed && !isFailed) return
    if (isFailed) {
      showToast({
        tone: 'destructive',
        title: 'This link is no longer valid',
        message: 'Sign in, and we will send you a new one.',
      })
    } else {
      showToast({
        tone: 'success',
        title: 'Email confirmed',
        message: 'You can now sign in.',
      })
    }
    setParameters(
      (before) => {
        before.delete(confirmedParam)
        before.delete(linkErrorParam)
        return before
      },
      { replace: true },
    )
  }, [isConfirmed, isFailed, setParameters])
  return isConfirmed || isFailed
}
