// How the service is, asked again for as long as somebody looks.
import { useQuery } from '@tanstack/react-query'
import { getDiskSpace, getSystem } from '#contract/admin-system.ts'
import { call } from '../../app/api.ts'

const lookAgainMs = 5000
const diskAgainMs = 60_000

export function useSystem() {
  return useQuery({
    queryKey: ['admin', 'system'],
    queryFn: ({ signal }) => call(getSystem, {}, { signal }),
    refetchInterval: lookAgainMs,
    staleTime: 0,
  })
}

export function useDiskSpace() {
  return useQuery({
    queryKey: ['admin', 'disk'],
    queryFn: ({ signal }) => call(getDiskSpace, {}, { signal }),
    refetchInterval: diskAgainMs,
  })
}
