// Who is led to the sign-in screen in the middle of something is told why: the session was ended on
// another device, by a new password, or by the people behind the service.
import { useEffect, useRef } from 'react'
import { showToast } from '../ui/toast-store.ts'
import { endedHere, useSession } from './session.ts'

/** For the shell, once. */
export function useSignedOutNotice(): void {
  const { status } = useSession()
  const before = useRef(status)
  useEffect(() => {
    if (before.current === 'signed-in' && status === 'signed-out' && !endedHere()) {
      showToast({
        title: 'You have been signed out',
        message: 'Please sign in to go on listening.',
      })
    }
    before.current = status
  }, [status])
}
