// The dialog that asks whether to leave unsaved work.
import { useState } from 'react'
import { Button } from '../ui/controls/button.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'
import styles from './leave-dialog.module.css'
import type { LeaveQuestion } from './leave-question.ts'

export function LeaveDialog({ question: asked }: { question: LeaveQuestion | null }) {
  // Keep the text until the closing animation has ended.
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
    return `Signing out deletes the unsaved changes${about} stored on this device.`
  }
  return `Your changes${about} are not saved yet. If you leave, they stay on this device until you come back.`
}
