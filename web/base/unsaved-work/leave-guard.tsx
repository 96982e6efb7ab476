// Asks for confirmation before a link, the back button or closing the window discards unsaved work. Also shows the
// questions of dialogs and of sign-out. The shell mounts it once.
import { useEffect, useEffectEvent, useState } from 'react'
import { useBlocker, type Location } from 'react-router'
import { signInPath } from '#contract/return-path.ts'
import { lazyComponent } from '../ui/layout/lazy-component.tsx'
import { confirmLeaving, useLeaveQuestion } from './leave-question.ts'
import { useUnsavedWorks } from './unsaved-work.ts'

const LeaveDialog = lazyComponent(async () => (await import('./leave-dialog.tsx')).LeaveDialog)

export function LeaveGuard() {
  const works = useUnsavedWorks((state) => state.works)
  const question = useLeaveQuestion((state) => state.question)
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      // Read the current state from the store: a save navigates before the component renders again.
      useUnsavedWorks.getState().works.length > 0 &&
      getFormLocation(currentLocation) !== getFormLocation(nextLocation) &&
      // Don't ask on a redirect to sign-in: without a session nothing can be saved.
      nextLocation.pathname !== signInPath,
  )
  const confirmNavigation = useEffectEvent(async () => {
    const answer = await confirmLeaving(works)
    if (answer === 'stay') blocker.reset?.()
    else blocker.proceed?.()
  })
  // Depend on the location instead of the blocker's state: if two navigations are blocked in a row, the state between
  // them may never be rendered.
  const wanted = blocker.state === 'blocked' ? blocker.location : null
  useEffect(() => {
    if (wanted) void confirmNavigation()
  }, [wanted])

  const isUnsaved = works.length > 0
  useEffect(() => {
    if (!isUnsaved) return
    // Load the dialog in advance. If that fails, rendering it retries.
    LeaveDialog.load().catch(() => {})
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isUnsaved])
  // Keep the dialog mounted after the first question, so that its closing animation can run.
  const [wasAsked, setWasAsked] = useState(false)
  if (question && !wasAsked) setWasAsked(true)
  return wasAsked && <LeaveDialog question={question} />
}

/** Returns the part of the URL whose change unmounts a screen, or the form that `?edit=` has opened. */
function getFormLocation({ pathname, search }: Location): string {
  return `${pathname}?${new URLSearchParams(search).get('edit') ?? ''}`
}
