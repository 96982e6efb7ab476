// Shows the outcome of a confirmation link. The link leads to the sign-in screen with the outcome in the URL. The
// outcome is shown once and then removed from the URL.
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { confirmedParam, linkErrorParam } from '#contract/auth.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'

/**
 * Returns whether the URL still contains the outcome. Don't navigate while it does: removing the outcome afterwards
 * would undo the navigation.
 */
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
