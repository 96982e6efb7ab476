// Asks before unsaved changes are lost, whether by a link, the back button or closing the window.
import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

export interface LeaveDialogProps {
  isUnsaved: boolean
  /** 'this playlist' */
  what: string
}

export function LeaveDialog({ isUnsaved, what }: LeaveDialogProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isUnsaved &&
      currentLocation.pathname !== nextLocation.pathname &&
      // Whoever is led there has no session any more, and could not save.
      nextLocation.pathname !== '/auth',
  )
  useEffect(() => {
    if (!isUnsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isUnsaved])
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title="Leave without saving?"
      message={`Your changes to ${what} are not saved yet.`}
      confirmLabel="Leave"
      cancelLabel="Stay"
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    />
  )
}
