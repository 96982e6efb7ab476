import { afterEach, expect, test } from 'vitest'
import { ApiError } from '../../base/api/api.ts'
import { useConflictQuestion } from './conflict-question.ts'
import { saveMerging, SaveCanceled, type FormState } from './save-merging.ts'

interface Fields {
  title: string
  artist: string
}
type Thing = Fields & { version: number }

const start: FormState<Fields> = {
  form: { title: 'Mine', artist: 'Ada' },
  base: { title: 'Old', artist: 'Ada' },
  version: 1,
}

/** Saves a form at a fake server, where another user, Ben, has saved it a minute ago. */
function save(current: Thing) {
  const sent: FormState<Fields>[] = []
  const result = saveMerging<Fields, Thing>({
    what: 'this track',
    start,
    async send(state) {
      sent.push(state)
      if (state.version !== current.version) {
        const changed_by = { id: 'ben', name: 'Ben' }
        const details = { changed_by, changed_at: '2026-11-22T10:00:00Z', current }
        throw new ApiError('changed_meanwhile', 409, 'Changed', details)
      }
      return { ...state.form, version: current.version + 1 }
    },
    formOf: ({ title, artist }) => ({ title, artist }),
    versionOf: ({ version }) => version,
    labels: { title: 'Title', artist: 'Artist' },
    onMerged() {},
  })
  return { sent, result }
}
async function question() {
  await expect.poll(() => useConflictQuestion.getState().question).not.toBe(null)
  return useConflictQuestion.getState().question!
}

afterEach(() => useConflictQuestion.setState({ question: null }))

test('merges a field that only the other person changed, and saves again without a dialog', async () => {
  const { sent, result } = save({ title: 'Old', artist: 'Bob', version: 4 })
  expect(await result).toEqual({ title: 'Mine', artist: 'Bob', version: 5 })
  expect(sent).toHaveLength(2)
  expect(useConflictQuestion.getState().question).toBe(null)
})

test('asks about a field that both people changed, and saves the chosen value', async () => {
  for (const [taken, title] of [
    [['title'], 'Theirs'],
    [[], 'Mine'],
  ] as const) {
    const { result } = save({ title: 'Theirs', artist: 'Ada', version: 2 })
    const openQuestion = await question()
    expect(openQuestion.changedBy).toBe('Ben')
    expect(openQuestion.fields).toEqual([
      { field: 'title', label: 'Title', mine: 'Mine', theirs: 'Theirs' },
    ])
    openQuestion.answer(new Set(taken))
    expect((await result).title).toBe(title)
  }
})

test('saves nothing when the dialog is canceled', async () => {
  const { sent, result } = save({ title: 'Theirs', artist: 'Ada', version: 2 })
  const ended = result.catch((error: unknown) => error)
  const openQuestion = await question()
  openQuestion.answer(null)
  expect(await ended).toBeInstanceOf(SaveCanceled)
  expect(sent).toHaveLength(1)
})
