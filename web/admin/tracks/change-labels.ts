// Adds and removes labels, which are categories and moods, of the selected tracks.
import type { AdminTrack } from '#contract/admin/admin-tracks.ts'
import { categoriesOf } from '../../features/catalogue/track-categories.ts'

export interface LabelChanges {
  addedCategories: readonly string[]
  removedCategories: readonly string[]
  addedMoods: readonly string[]
  removedMoods: readonly string[]
}

type Labels = Pick<AdminTrack, 'category' | 'categories' | 'moods'>

/**
 * Returns the new labels of a track, or null if they don't change. The first category stays first unless it is removed.
 */
export function applyLabelChanges(
  track: Labels,
  changes: LabelChanges,
): { categories?: string[]; moods?: string[] } | null {
  const before = { categories: categoriesOf(track), moods: track.moods }
  const categories = changeNames(
    before.categories,
    changes.addedCategories,
    changes.removedCategories,
  )
  const moods = changeNames(before.moods, changes.addedMoods, changes.removedMoods)
  const wanted = {
    ...(!isSame(before.categories, categories) && { categories }),
    ...(!isSame(before.moods, moods) && { moods }),
  }
  return Object.keys(wanted).length > 0 ? wanted : null
}

/** Removes and adds names. Moods are compared case-insensitively. */
function changeNames(
  names: readonly string[],
  added: readonly string[],
  removed: readonly string[],
): string[] {
  const fold = (name: string) => name.toLowerCase()
  const removedNames = new Set(removed.map(fold))
  const remaining = names.filter((name) => !removedNames.has(fold(name)))
  const remainingNames = new Set(remaining.map(fold))
  return [...remaining, ...added.filter((name) => !remainingNames.has(fold(name)))]
}

const isSame = (one: readonly string[], other: readonly string[]) =>
  one.length === other.length && one.every((name, at) => name === other[at])

/** Returns the labels that at least one track has, in alphabetical order. */
export function collectLabels(tracks: readonly Labels[]): {
  categories: string[]
  moods: string[]
} {
  const sorted = (names: readonly string[]) =>
    [...new Set(names)].toSorted((a, b) => a.localeCompare(b, 'en'))
  return {
    categories: sorted(tracks.flatMap(categoriesOf)),
    moods: sorted(tracks.flatMap(({ moods }) => moods)),
  }
}
