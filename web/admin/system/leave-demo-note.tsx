// Notice that the service is a demo, with a button to end the demo. Renders nothing in a service without the demo.
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
