// A form for an entity that several people may edit at the same time. Until the user changes something, the form shows
// the server's values, including updates. After that it keeps the user's values and stores them as a draft. Saving
// merges them with other people's changes.
import { useMemo, useState } from 'react'
import { withValuesOf, type FormFiles } from '../../base/forms/use-form-draft.ts'
import { useKeptDraft, useUnsavedForm } from '../../base/forms/use-unsaved-form.ts'
import { isSame as isSameJson, type FieldMergers } from './merge-forms.ts'
import { saveMerging, type FormState } from './save-merging.ts'

const none: readonly never[] = []

/** Describes a kind of form. Declare it outside the component, so that it is the same object in every render. */
export interface VersionedFormKind<Source extends { version: number }, Form> {
  /** The entity as named in messages: 'this playlist'. */
  what: string
  formOf: (source: Source) => Form
  labels: Record<keyof Form & string, string>
  mergers?: FieldMergers<Form>
  /** Fields that are not stored in the draft, such as passwords. */
  secrets?: readonly (keyof Form)[]
  /** Returns whether two forms are equal. By default compares their JSON. */
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
  // `version` is of the last save, and may be newer than the entity in a list that is not refetched yet.
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
    /** True if someone else saved the entity since the form was loaded, and the user has unsaved changes. */
    isStale: isStale && isUnsaved,
    discard: () => restart(source),
    /** Discards the user's changes and shows the given entity. */
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

/** Adds fields that a draft lacks because an earlier version of the app stored it. */
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
