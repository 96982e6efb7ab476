// Play All and Shuffle for the list on screen, and a button that starts a radio station for the Liked list.
import { PlayButtons } from '../catalogue/play-buttons.tsx'
import type { usePlayList } from '../catalogue/use-play-list.ts'
import type { useBrowseFilters } from './use-browse-filters.ts'

interface ListButtonsProps {
  browse: ReturnType<typeof useBrowseFilters>
  start: ReturnType<typeof usePlayList>['start']
  isShuffling: boolean
  disabled: boolean
}

/** The radio station is based on all liked tracks, so a filtered list offers none. */
export function ListButtons({ browse, start, isShuffling, disabled }: ListButtonsProps) {
  const { view, category, mood, q } = browse.filters
  const isLiked = view === 'liked' && !category && !mood && !q
  return (
    <PlayButtons
      disabled={disabled}
      busy={isShuffling}
      onStart={start}
      radioSeed={isLiked ? { kind: 'likes' } : undefined}
    />
  )
}
