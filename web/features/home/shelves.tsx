// The shelves above the list of Browse. A shelf without content is not rendered, and one that began without content stays
// away until the next visit: it must not shift the list under the pointer.
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Category } from '#contract/categories.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { useSession } from '../../base/session/session.ts'
import { Shelf } from '../../base/ui/lists/shelf.tsx'
import { ArtistCard } from '../catalogue/cards/artist-card.tsx'
import { ReleaseCard } from '../catalogue/cards/release-card.tsx'
import { homeQuery } from '../catalogue/queries/home-queries.ts'
import { mixesQuery } from '../catalogue/queries/radio-queries.ts'
import { recentlyPlayedQuery } from '../catalogue/queries/recent-queries.ts'
import { RecentlyPlayed } from '../plays/recently-played.tsx'
import { ContinueShelf } from './continue-shelf.tsx'
import { DailyMixes } from './daily-mixes.tsx'
import { MoodShelf } from './mood-shelf.tsx'

interface KnownCategories {
  categories: readonly Category[] | undefined
  /** They failed to load. */
  hasNoCategories: boolean
}

/** Loads what the shelves show. They are rendered together, once it is known which of them exist. */
export function useShelves(isShown: boolean, { categories, hasNoCategories }: KnownCategories) {
  const { user } = useSession()
  const home = useQuery({ ...homeQuery, enabled: isShown })
  const recent = useQuery({ ...recentlyPlayedQuery, enabled: isShown })
  const mixes = useQuery({ ...mixesQuery, enabled: isShown && user?.is_premium === true })
  // A failed load is no reason to wait: the list below has what to play.
  const lacksCategories = !categories && !hasNoCategories
  const isOnItsWay = [home, recent, mixes].some(
    ({ isLoading, failureCount }) => isLoading && failureCount === 0,
  )
  return { isOnItsWay: isShown && (isOnItsWay || lacksCategories), home: home.data, categories }
}

export function Shelves({ home, categories = [] }: ReturnType<typeof useShelves>) {
  const { user } = useSession()
  const releases = home?.new_releases ?? []
  const artists = home?.artists ?? []
  const moods = categories.filter(({ track_count }) => track_count > 0)
  return (
    <>
      <OnceFilled count={home?.continue.length ?? 0}>
        <ContinueShelf items={home?.continue ?? []} />
      </OnceFilled>
      <RecentlyPlayed />
      {user && <DailyMixes isPremium={user.is_premium} />}
      <OnceFilled count={releases.length}>
        <Shelf title="New releases" size="card" more={<More to="/browse?view=releases" />}>
          {releases.map((release) => (
            <li key={release.id}>
              <ReleaseCard release={release} />
            </li>
          ))}
        </Shelf>
      </OnceFilled>
      <OnceFilled count={artists.length}>
        <Shelf title="Your artists" size="portrait" more={<More to="/browse?view=artists" />}>
          {artists.map((artist) => (
            <li key={artist.id}>
              <ArtistCard artist={artist} />
            </li>
          ))}
        </Shelf>
      </OnceFilled>
      <OnceFilled count={moods.length}>
        <MoodShelf categories={moods} />
      </OnceFilled>
    </>
  )
}

const More = ({ to }: { to: string }) => <ScreenLink to={to}>See all</ScreenLink>

function OnceFilled({ count, children }: { count: number; children: ReactNode }) {
  const [beganEmpty] = useState(count === 0)
  return count > 0 && !beganEmpty ? children : null
}
