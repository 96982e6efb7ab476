// Notices above a form: restored from a draft, saved by someone else in the meantime, or deleted.
import { copyText } from '../../base/browser/copy-text.ts'
import { FormNote } from '../../base/forms/form-note.tsx'
import { RestoredNote } from '../../base/forms/restored-note.tsx'
import { Button } from '../../base/ui/controls/button.tsx'
import { showToast } from '../../base/ui/overlays/toast-store.ts'

export interface EditNotesProps<Form extends object> {
  edit: {
    form: Form
    labels: Record<keyof Form & string, string>
    isRestored: boolean
    isStale: boolean
    discard: () => void
  }
  /** 'This track was deleted.' Undefined while the entity exists. */
  deletionNote?: string | undefined
}

export function EditNotes<Form extends object>({ edit, deletionNote }: EditNotesProps<Form>) {
  const { form, labels, isRestored, isStale, discard } = edit
  if (deletionNote) {
    return (
      <FormNote
        action={
          <Button size="small" onClick={() => void copyForm(form, labels)}>
            Copy Text
          </Button>
        }
      >
        {deletionNote} It can no longer be saved.
      </FormNote>
    )
  }
  return (
    <>
      <RestoredNote isShown={isRestored} onDiscard={discard} />
      {isStale && (
        <FormNote>
          Someone else has changed this. Saving keeps their changes and asks you to choose where you
          both changed the same field.
        </FormNote>
      )}
    </>
  )
}

async function copyForm<Form extends object>(
  form: Form,
  labels: Record<keyof Form & string, string>,
): Promise<void> {
  const lines = Object.entries(form).flatMap(([field, value]: [string, unknown]) => {
    const label = labels[field as keyof Form & string]
    const text = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : value
    return text === '' || typeof value === 'boolean' ? [] : [`${label}: ${String(text)}`]
  })
  try {
    await copyText(lines.join('\n'))
    showToast({ tone: 'success', title: 'Text copied' })
  } catch {
    showToast({ tone: 'destructive', title: 'Failed to copy the text' })
  }
}
