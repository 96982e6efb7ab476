// The shelves above the list of Browse: the lists to continue, and one more shelf, selected by tabs. Both are low
// enough that the list is visible without scrolling. A shelf without content has no tab. If there are no lists to
// continue at first, their shelf stays hidden until the next visit, because it would shift the list under the pointer.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Category } from '#contract/categories.ts'
import type { ContinueItem } from '#contract/home.ts'
import { useSession } from '../../base/session/session.ts'
import { homeQuery } from '../catalogue/queries/home-queries.ts'
import { useFeature } from '../../base/session/features.ts'
import { mixesQuery } from '../catalogue/queries/radio-queries.ts'
import { recentlyPlayedQuery } from '../catalogue/queries/recent-queries.ts'
import { ContinueShelf } from './continue-shelf.tsx'
import { ShelfTabs, type TabbedShelves } from './shelf-tabs.tsx'

interface KnownCategories {
  categories: readonly Category[] | undefined
  /** True if the categories failed to load. */
  haveCategoriesFailed: boolean
}

/** Loads the content of the shelves. They render together once all requests have completed. */
export function useShelves(
  isShown: boolean,
  { categories, haveCategoriesFailed }: KnownCategories,
) {
  const { user } = useSession()
  const isPremium = user?.is_premium === true
  const home = useQuery({ ...homeQuery, enabled: isShown })
  const recent = useQuery({ ...recentlyPlayedQuery, enabled: isShown })
  const hasMixes = useFeature('daily_mixes') && isPremium
  const mixes = useQuery({ ...mixesQuery, enabled: isShown && hasMixes })
  // Don't wait for retries of a failed request: the list below the shelves can already be played.
  const lacksCategories = !categories && !haveCategoriesFailed
  const isLoading = [home, recent, mixes].some(
    ({ isLoading, failureCount }) => isLoading && failureCount === 0,
  )
  const shelves: TabbedShelves = {
    mixes: hasMixes ? (mixes.data ?? []) : [],
    hasMixOffer: user !== undefined && !isPremium,
    releases: home.data?.new_releases ?? [],
    artists: home.data?.artists ?? [],
    recent: recent.data ?? [],
    moods: categories?.filter(({ track_count }) => track_count > 0) ?? [],
  }
  const toContinue = home.data?.continue ?? []
  return { isLoading: isShown && (isLoading || lacksCategories), toContinue, shelves }
}

export function Shelves(props: { toContinue: readonly ContinueItem[]; shelves: TabbedShelves }) {
  const { toContinue, shelves } = props
  const [beganEmpty] = useState(toContinue.length === 0)
  return (
    <>
      {!beganEmpty && toContinue.length > 0 && <ContinueShelf items={toContinue} />}
      <ShelfTabs shelves={shelves} />
    </>
  )
}
