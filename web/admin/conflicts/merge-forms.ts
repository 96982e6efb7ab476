// Three-way merge of a form. A field that only one person changed gets that value. A field that both changed
// differently is a conflict.

export interface MergedForms<Form> {
  /** The merged form. A conflicting field has the user's own value. */
  merged: Form
  conflicts: (keyof Form)[]
}

/** Functions for fields in which both people's changes can be combined, such as the track list of a playlist. */
export type FieldMergers<Form> = {
  [Field in keyof Form]?: (base: Form[Field], mine: Form[Field], theirs: Form[Field]) => Form[Field]
}

export function mergeForms<Form extends object>(
  base: Form,
  mine: Form,
  theirs: Form,
  mergers: FieldMergers<Form> = {},
): MergedForms<Form> {
  const merged = { ...mine }
  const conflicts: (keyof Form)[] = []
  for (const field of Object.keys(mine) as (keyof Form)[]) {
    const merge = mergers[field]
    if (isSame(theirs[field], base[field]) || isSame(theirs[field], mine[field])) continue
    if (isSame(mine[field], base[field])) merged[field] = theirs[field]
    else if (merge) merged[field] = merge(base[field], mine[field], theirs[field])
    else conflicts.push(field)
  }
  return { merged, conflicts }
}

/** Returns the fields of `form` that differ from `before`. */
export function getChangedFields<Form extends object>(form: Form, before: Form): Partial<Form> {
  const changed = Object.entries(form).filter(
    ([name, value]) => !isSame(value, before[name as keyof Form]),
  )
  return Object.fromEntries(changed) as Partial<Form>
}

export function isSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}
