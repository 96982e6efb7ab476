// Notice that the demo is on, with a button to leave it. Renders nothing if the demo is off.
import { useState } from 'react'
import { useSite } from '../../base/session/site.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { DemoNote } from '../shared/demo-note.tsx'
import { LeaveDemoDialog } from './leave-demo-dialog.tsx'

export function LeaveDemoNote() {
  const { demo } = useSite()
  const [isOpen, setIsOpen] = useState(false)
  if (!demo && !isOpen) return null
  return (
    <>
      <DemoNote
        action={
          <Button size="small" onClick={() => setIsOpen(true)}>
            Leave the Demo
          </Button>
        }
      >
        The demo is on. Its accounts, their history and the data in Insights are samples.
      </DemoNote>
      <LeaveDemoDialog open={isOpen} onClose={() => setIsOpen(false)} />
    </>
  )
}
