// Shows a notice when the session ended elsewhere: on another device, by a password change, or by an admin.
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { showToast } from '../ui/overlays/toast-store.ts'
import { useLostSession } from '../api/lost-session.ts'
import { wasEndedHere, useSession } from './session.ts'

/** Watches for sessions that end elsewhere. Call once, from the shell. */
export function useSignedOutNotice(): void {
  const { status } = useSession()
  const { pathname } = useLocation()
  const before = useRef({ status, pathname })
  useEffect(() => {
    const last = before.current
    before.current = { status, pathname }
    if (last.status !== 'signed-in' || status !== 'signed-out' || wasEndedHere()) return
    // Show no notice if the sign-in dialog is open, because it shows this message itself.
    if (useLostSession.getState().member) return
    const isBackOffice = last.pathname.startsWith('/admin')
    showToast({
      title: 'You have been signed out',
      message: isBackOffice ? 'Please sign in again.' : 'Please sign in to continue listening.',
    })
  }, [status, pathname])
}
