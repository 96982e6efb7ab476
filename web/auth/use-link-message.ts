// What the link of a confirmation mail has to say: it leads to the sign-in screen with its outcome in
// the address, which is told once and then forgotten.
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import { confirmedParam, linkErrorParam } from '#contract/auth.ts'
import { showToast } from '../ui/toast-store.ts'

/** Returns whether the address still holds it: a navigation before that would be undone by its removal. */
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
