// Name, tagline and state of this service, as set by the owner.
import { useQuery } from '@tanstack/react-query'
import { getSite, type Site } from '#contract/site.ts'
import { keptSite } from '../offline-store/kept-answers.ts'
import { orKept } from '../offline-store/or-kept.ts'
import { call } from '../api/api.ts'

/** The defaults of a new service, used until the server has responded. */
const defaults: Site = {
  brand_name: 'Velour',
  tagline: 'Smooth sounds, made for your moments.',
  artist_name: 'Velour',
  contact_email: '',
  maintenance_mode: false,
  preview_length_seconds: 45,
  default_ai_disclosure: 'ai_generated',
  default_audience: 'everyone',
  demo: null,
}

export const siteQuery = {
  queryKey: ['site'] as const,
  queryFn: orKept(() => call(getSite, {}), keptSite),
  staleTime: 5 * 60_000,
}

export function useSite(): Site {
  const { data } = useQuery(siteQuery)
  return data ?? defaults
}
