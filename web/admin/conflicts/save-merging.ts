// Saves a form with optimistic locking. If someone else saved in the meantime, fields that only they changed are taken
// over. For fields that both people changed, a dialog asks which value to keep. Then the merged form is saved.
import type { ChangedMeanwhile } from '#contract/fields/versions.ts'
import { ApiError } from '../../base/api/api.ts'
import { resolveConflicts } from './conflict-question.ts'
import { mergeForms, type FieldMergers } from './merge-forms.ts'

/** Thrown when the user cancels the conflict dialog. */
export class SaveCanceled extends Error {}

export interface FormState<Form> {
  form: Form
  /** The server's values when the form was loaded, and their version. */
  base: Form
  version: number
}

export interface MergingSave<Form, Thing> {
  what: string
  start: FormState<Form>
  send: (state: FormState<Form>) => Promise<Thing>
  formOf: (current: Thing) => Form
  versionOf: (current: Thing) => number
  labels: Record<keyof Form & string, string>
  mergers?: FieldMergers<Form> | undefined
  /** Called with the merged form before the second attempt to save. */
  onMerged: (state: FormState<Form>) => void
}

export async function saveMerging<Form extends object, Thing>(
  save: MergingSave<Form, Thing>,
): Promise<Thing> {
  let state = save.start
  for (;;) {
    try {
      return await save.send(state)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'changed_meanwhile')) throw error
      state = await mergeTheirs(save, state, error.details as ChangedMeanwhile<Thing>)
      save.onMerged(state)
    }
  }
}

async function mergeTheirs<Form extends object, Thing>(
  { what, labels, formOf, versionOf, mergers }: MergingSave<Form, Thing>,
  { form, base }: FormState<Form>,
  { changed_by, changed_at, current }: ChangedMeanwhile<Thing>,
): Promise<FormState<Form>> {
  const theirs = formOf(current)
  const { merged, conflicts } = mergeForms(base, form, theirs, mergers)
  const taken =
    conflicts.length === 0
      ? new Set<string>()
      : await resolveConflicts({
          what,
          changedBy: changed_by?.name ?? null,
          changedAt: changed_at,
          fields: conflicts.map((field) => ({
            field: String(field),
            label: labels[field as keyof Form & string],
            mine: formatForDialog(form[field]),
            theirs: formatForDialog(theirs[field]),
          })),
        })
  if (!taken) throw new SaveCanceled()
  for (const field of conflicts) if (taken.has(String(field))) merged[field] = theirs[field]
  return { form: merged, base: theirs, version: versionOf(current) }
}

function formatForDialog(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  if (Array.isArray(value)) return value.join(', ')
  return value === null || value === undefined ? '' : String(value as string | number)
}
