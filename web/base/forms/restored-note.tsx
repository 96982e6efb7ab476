// A note that a form contains restored unsaved changes, with a button to discard them.
import { Button } from '../ui/controls/button.tsx'
import { FormNote } from './form-note.tsx'

export function RestoredNote({ isShown, onDiscard }: { isShown: boolean; onDiscard: () => void }) {
  if (!isShown) return null
  return (
    <FormNote
      action={
        <Button size="small" variant="quiet" onClick={onDiscard}>
          Discard
        </Button>
      }
    >
      Restored your unsaved changes
    </FormNote>
  )
}
