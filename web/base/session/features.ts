// Which of the optional features the owner has enabled for this member.
import { useQuery } from '@tanstack/react-query'
import { listMyFeatures, type FeatureName } from '#contract/features.ts'
import { call } from '../api/api.ts'

/** Defaults to true until the server has responded. The server rejects requests to disabled features. */
export function useFeature(name: FeatureName): boolean {
  const { data } = useQuery({
    queryKey: ['features'],
    queryFn: ({ signal }) => call(listMyFeatures, {}, { signal }),
    staleTime: 5 * 60_000,
  })
  return data === undefined || data.data.includes(name)
}
