// Mounts the re-authentication dialog on every screen. Loads its code when it is first needed.
import { lazy, Suspense, useEffect, useState } from 'react'
import { useConfirmQuestion } from '../base/api/confirm-again.ts'
import { useSession } from '../base/session/session.ts'

const ConfirmAgain = lazy(async () => ({
  default: (await import('../features/auth/confirm-again-dialog.tsx')).ConfirmAgainDialog,
}))

export function ConfirmAgainSlot() {
  const member = useSession().user
  const { question } = useConfirmQuestion()
  // Stays mounted after the first opening, for its closing animation.
  const [wasOpened, setWasOpened] = useState(false)
  if (question && !wasOpened) setWasOpened(true)

  // The session has ended, so there is nothing to confirm.
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
