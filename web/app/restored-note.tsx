// Says that a form holds what this member left unsaved in it, and takes it back to what is saved.
import { Button } from '../ui/button.tsx'
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
