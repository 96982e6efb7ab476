// Confirms before a link, the back button or closing the window discards unsaved work. It also shows the questions of
// dialogs and of signing out. Mounted once, by the shell.
import { useEffect, useEffectEvent, useState } from 'react'
import { useBlocker, type Location } from 'react-router'
import { signInPath } from '#contract/return-path.ts'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import styles from './leave-guard.module.css'
import { confirmLeaving, useLeaveQuestion, type LeaveQuestion } from './leave-question.ts'
import { useUnsavedWorks } from './unsaved-work.ts'

export function LeaveGuard() {
  const works = useUnsavedWorks((state) => state.works)
  const question = useLeaveQuestion((state) => state.question)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      // Read from the store: a save navigates before the component renders again.
      useUnsavedWorks.getState().works.length > 0 &&
      placeOf(currentLocation) !== placeOf(nextLocation) &&
      // Without a session nothing could be saved.
      nextLocation.pathname !== signInPath,
  )
  const isBlocked = blocker.state === 'blocked'
  const confirmNavigation = useEffectEvent(async () => {
    const answer = await confirmLeaving(works)
    if (answer === 'stay') blocker.reset?.()
    else blocker.proceed?.()
  })
  useEffect(() => {
    if (isBlocked) void confirmNavigation()
  }, [isBlocked])

  const isUnsaved = works.length > 0
  useEffect(() => {
    if (!isUnsaved) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isUnsaved])
  return <LeaveDialog question={question} />
}

/** The part of the URL whose change unmounts a screen or the form opened by `?edit=`. */
function placeOf({ pathname, search }: Location): string {
  return `${pathname}?${new URLSearchParams(search).get('edit') ?? ''}`
}

function LeaveDialog({ question: asked }: { question: LeaveQuestion | null }) {
  // Keep the text during the closing animation.
  const [question, setQuestion] = useState(asked)
  if (asked && asked !== question) setQuestion(asked)
  const stay = () => question?.answer('stay')
  const isSigningOut = question?.isSigningOut ?? false
  return (
    <Dialog
      open={asked !== null}
      role="alertdialog"
      size="small"
      title={isSigningOut ? 'Sign out without saving?' : 'Leave without saving?'}
      onClose={stay}
      description={question && <Words question={question} />}
      footer={
        <div className={styles.answers}>
          <Button variant="quiet" onClick={() => question?.answer('discard')}>
            {isSigningOut ? 'Discard and sign out' : 'Discard changes'}
          </Button>
          {!isSigningOut && <Button onClick={() => question?.answer('leave')}>Leave</Button>}
          <Button variant="primary" data-autofocus onClick={stay}>
            Stay
          </Button>
        </div>
      }
    />
  )
}

function Words({ question: { works, isSigningOut } }: { question: LeaveQuestion }) {
  const whats = [...new Set(works.map(({ what }) => what))]
  const about = whats.length > 0 ? ` to ${whats.join(' and ')}` : ''
  if (isSigningOut) {
    return `Signing out drops the unsaved changes${about} that this device keeps for you.`
  }
  return `Your changes${about} are not saved yet. If you leave, they stay on this device until you come back.`
}
