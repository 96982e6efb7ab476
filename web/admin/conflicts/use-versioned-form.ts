// A form for an entity that several people may edit concurrently. Until the user's first change it shows the server's
// values. After that it keeps its values, is stored as a draft, and is merged with other people's changes on save.
import { useMemo, useState } from 'react'
import { withValuesOf, type FormFiles } from '../../base/forms/use-form-draft.ts'
import { useKeptDraft, useUnsavedForm } from '../../base/forms/use-unsaved-form.ts'
import { isSame as isSameJson, type FieldMergers } from './merge-forms.ts'
import { saveMerging, type FormState } from './save-merging.ts'

const none: readonly never[] = []

/** Declare it outside the component, so that its identity is stable. */
export interface VersionedFormKind<Source extends { version: number }, Form> {
  /** How the messages name the entity: 'this playlist'. */
  what: string
  formOf: (source: Source) => Form
  labels: Record<keyof Form & string, string>
  mergers?: FieldMergers<Form>
  /** Fields excluded from the stored draft. */
  secrets?: readonly (keyof Form)[]
  /** Compares two forms. By default, they are compared as JSON. */
  isSame?: (a: Form, b: Form) => boolean
}

export function useVersionedForm<Source extends { version: number }, Form extends object, Kept>(
  key: string,
  source: Source,
  kind: VersionedFormKind<Source, Form>,
  files: FormFiles<Kept>,
) {
  const { what, formOf, labels, mergers, secrets = none, isSame = isSameJson } = kind
  const kept = useKeptDraft<FormState<Form>>(key)
  const [state, setState] = useState<FormState<Form>>(() =>
    restoreState(kept, toFormState(source, formOf)),
  )
  const [isRestored, setIsRestored] = useState(kept !== null)
  const { form, base, version } = state
  const isUnsaved = files.isChanged || !isSame(form, base)
  const saved = useMemo(() => formOf(source), [formOf, source])
  // The last saved version may be newer than the one in the list.
  const isStale = source.version >= version && !isSame(saved, base)
  if (isStale && !isUnsaved) setState(toFormState(source, formOf))
  const filesText = JSON.stringify(files.kept)
  const data = useMemo(
    () => ({
      ...state,
      form: withValuesOf(state.base, state.form, secrets),
      files: JSON.parse(filesText) as Kept,
    }),
    [state, secrets, filesText],
  )
  const unsaved = useUnsavedForm({ key, what, isUnsaved, data })

  function restart(from: Source) {
    setState(toFormState(from, formOf))
    setIsRestored(false)
    files.clear()
    unsaved.saved()
  }
  return {
    form,
    setForm: (next: Form) => setState((current) => ({ ...current, form: next })),
    labels,
    isUnsaved,
    isRestored: isRestored && isUnsaved,
    /** True if someone else saved the entity since the form was loaded. */
    isStale: isStale && isUnsaved,
    discard: () => restart(source),
    /** Resets the form to the saved values. */
    restart,
    save: (send: (state: FormState<Form>) => Promise<Source>) =>
      saveMerging<Form, Source>({
        what,
        start: state,
        send,
        formOf,
        versionOf: (current) => current.version,
        labels,
        mergers,
        onMerged: setState,
      }),
  }
}

/** Adds fields that are missing in drafts stored by an earlier version of the app. */
function restoreState<Form extends object>(
  kept: FormState<Form> | null,
  fresh: FormState<Form>,
): FormState<Form> {
  if (!kept) return fresh
  return {
    ...kept,
    form: { ...fresh.form, ...kept.form },
    base: { ...fresh.base, ...kept.base },
  }
}

function toFormState<Source extends { version: number }, Form>(
  source: Source,
  formOf: (source: Source) => Form,
): FormState<Form> {
  const form = formOf(source)
  return { form, base: form, version: source.version }
}
