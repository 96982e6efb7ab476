// The slot of the re-authentication dialog, on every screen. Its code is loaded when it is first needed.
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
  const [wasAsked, setWasAsked] = useState(false)
  if (question && !wasAsked) setWasAsked(true)

  // The session ended meanwhile, so there is nothing to confirm.
  const isAlone = question !== null && !member
  useEffect(() => {
    if (isAlone) question?.answer(false)
  }, [isAlone, question])

  if (!wasAsked || !member) return null
  return (
    <Suspense>
      <ConfirmAgain member={member} question={question} />
    </Suspense>
  )
}
