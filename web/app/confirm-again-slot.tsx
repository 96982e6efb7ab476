// Mounts the re-authentication dialog on every screen. Loads the dialog's code when it is first needed.
import { lazy, Suspense, useEffect, useState } from 'react'
import { useConfirmQuestion } from '../base/api/confirm-again.ts'
import { useSession } from '../base/session/session.ts'

const ConfirmAgain = lazy(async () => ({
  default: (await import('../features/auth/confirm-again-dialog.tsx')).ConfirmAgainDialog,
}))

export function ConfirmAgainSlot() {
  const member = useSession().user
  const { question } = useConfirmQuestion()
  // Keep the dialog mounted after the first opening, so that its closing animation can run.
  const [wasOpened, setWasOpened] = useState(false)
  if (question && !wasOpened) setWasOpened(true)

  // If the session ends while the dialog is open, cancel the re-authentication.
  const isOrphaned = question !== null && !member
  useEffect(() => {
    if (isOrphaned) question?.answer(false)
  }, [isOrphaned, question])

  if (!wasOpened || !member) return null
  return (
    <Suspense>
      <ConfirmAgain member={member} question={question} />
    </Suspense>
  )
}
