// Choices that need no server: the screens that this user may open, and the actions possible now.
import { rankTitle } from '#contract/fields/search-text.ts'
import { adminEntriesFor } from '../../base/navigation/admin-entries.tsx'
import { navigationLinks } from '../../base/navigation/navigation-links.ts'
import { plainChoice, type PaletteChoice } from './palette-choice.ts'

export type PaletteAction =
  | 'toggle-play'
  | 'next'
  | 'previous'
  | 'toggle-shuffle'
  | 'color-dark'
  | 'color-light'
  | 'color-system'
  | 'shortcuts'
  | 'logout'

export function screenChoices(role: string): PaletteChoice[] {
  const screens = [
    ...navigationLinks(role)
      .filter(({ to }) => !to.startsWith('/admin/'))
      .map(({ to, label }) => plainChoice('screen', to, label)),
    plainChoice('screen', '/browse?view=liked', 'Liked', 'Browse'),
    plainChoice('screen', '/browse?view=playlists', 'Playlists', 'Browse'),
    plainChoice('screen', '/profile', 'Profile'),
    plainChoice('screen', '/', 'Home'),
  ]
  const office = adminEntriesFor(role).map(({ to, label }) =>
    plainChoice('screen', to, label, 'Admin'),
  )
  return [...screens, ...office]
}

export interface PlayerNow {
  hasTrack: boolean
  isPlaying: boolean
  isShuffled: boolean
}

export function actionChoices({ hasTrack, isPlaying, isShuffled }: PlayerNow): PaletteChoice[] {
  const action = (id: PaletteAction, title: string) => plainChoice('action', id, title)
  const ofPlayer = hasTrack
    ? [
        action('toggle-play', isPlaying ? 'Pause' : 'Play'),
        action('next', 'Next track'),
        action('previous', 'Previous track'),
        action('toggle-shuffle', isShuffled ? 'Turn shuffle off' : 'Turn shuffle on'),
      ]
    : []
  return [
    ...ofPlayer,
    action('color-dark', 'Dark colours'),
    action('color-light', 'Light colours'),
    action('color-system', 'Colours of the system'),
    action('shortcuts', 'Keyboard shortcuts'),
    action('logout', 'Logout'),
  ]
}

/**
 * Returns the choices in which a word starts with the text, best first. Matching inside words would return too many.
 */
export function matchingChoices(choices: PaletteChoice[], text: string): PaletteChoice[] {
  return choices
    .map((choice) => ({
      choice,
      rank: rankTitle(choice.title, text) || rankTitle(choice.detail, text) / 8,
    }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .map(({ choice }) => choice)
}
