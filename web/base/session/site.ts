// Name, tagline and state of this service, as set by the owner.
import { useQuery, type QueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { defaultLanding, defaultTagline } from '#contract/fields/branding.ts'
import { defaultCurrency, defaultPricing } from '#contract/plans.ts'
import { getSite, type Site } from '#contract/site.ts'
import { readOfflineSite } from '../offline-store/read-downloads.ts'
import { withDownloadFallback } from '../offline-store/download-fallback.ts'
import { call } from '../api/api.ts'

/** The defaults of a new service. Used until the server has responded. */
const defaults: Site = {
  brand_name: 'Velour',
  tagline: defaultTagline,
  artist_name: 'Velour',
  contact_email: '',
  accent: null,
  logo: null,
  icon_url: null,
  ...defaultLanding,
  legal_pages: [],
  consent_number: null,
  social_links: [],
  footer_links: [],
  has_owner: true,
  maintenance_mode: false,
  preview_length_seconds: 45,
  pricing: { ...defaultPricing, currency: defaultCurrency },
  default_ai_disclosure: 'ai_generated',
  default_audience: 'everyone',
  demo: null,
}

export const siteQuery = {
  queryKey: ['site'] as const,
  queryFn: withDownloadFallback(() => call(getSite, {}), readOfflineSite),
  staleTime: 5 * 60_000,
}

/** Returns the name for code outside components. */
export function getKnownBrandName(queryClient: QueryClient): string {
  return queryClient.getQueryData<Site>(siteQuery.queryKey)?.brand_name ?? defaults.brand_name
}

export function useSite(): Site {
  const { data } = useQuery(siteQuery)
  // Fill fields that an older server, or a response stored by an older version, doesn't contain.
  return useMemo(() => ({ ...defaults, ...data }), [data])
}
