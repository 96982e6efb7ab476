// Says that the demo is on, with the way out of it. Shows nothing without the demo.
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
        The demo is on: its accounts, their history and the figures in Insights are made up.
      </DemoNote>
      <LeaveDemoDialog open={isOpen} onClose={() => setIsOpen(false)} />
    </>
  )
}
