// Puts the data of a server-rendered page into the query cache, so that it is not fetched again.
import type { QueryClient } from '@tanstack/react-query'
import { sessionQuery } from '../../base/session/session.ts'
import { siteQuery } from '../../base/session/site.ts'
import type { LandingData } from './landing-data.ts'
import { showcaseQuery } from './showcase-query.ts'

export function fillFromLanding(
  queryClient: QueryClient,
  { site, is_visitor, showcase }: LandingData,
): void {
  queryClient.setQueryData(siteQuery.queryKey, site)
  queryClient.setQueryData(showcaseQuery.queryKey, showcase)
  if (is_visitor) queryClient.setQueryData(sessionQuery.queryKey, null)
}
