// Queries for the bounce mailbox.
import { useQuery } from '@tanstack/react-query'
import { getBounceSettings, getBounceState } from '#contract/admin/service/admin-bounces.ts'
import { call } from '../../base/api/api.ts'

export const bounceSettingsKey = ['admin', 'mail', 'bounces', 'settings'] as const

export function useBounceSettings() {
  return useQuery({
    queryKey: bounceSettingsKey,
    queryFn: ({ signal }) => call(getBounceSettings, {}, { signal }),
    gcTime: 0,
  })
}

const refreshMs = 15_000

export function useBounceState(isOn: boolean) {
  return useQuery({
    queryKey: ['admin', 'mail', 'bounces', 'state'],
    queryFn: ({ signal }) => call(getBounceState, {}, { signal }),
    enabled: isOn,
    refetchInterval: refreshMs,
  })
}
