// Above the list of Browse: the lists to continue, and one more shelf, chosen by tabs. Both are low, so that the list
// begins on the first screen. A shelf without content has no tab, and one that began without content stays away until
// the next visit: it must not shift the list under the pointer.
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
  /** They failed to load. */
  hasNoCategories: boolean
}

/** Loads what the shelves show. They are rendered together, once it is known which of them exist. */
export function useShelves(isShown: boolean, { categories, hasNoCategories }: KnownCategories) {
  const { user } = useSession()
  const isPremium = user?.is_premium === true
  const home = useQuery({ ...homeQuery, enabled: isShown })
  const recent = useQuery({ ...recentlyPlayedQuery, enabled: isShown })
  const hasMixes = useFeature('daily_mixes') && isPremium
  const mixes = useQuery({ ...mixesQuery, enabled: isShown && hasMixes })
  // A failed load is no reason to wait: the list below has what to play.
  const lacksCategories = !categories && !hasNoCategories
  const isOnItsWay = [home, recent, mixes].some(
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
  return { isOnItsWay: isShown && (isOnItsWay || lacksCategories), toContinue, shelves }
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
