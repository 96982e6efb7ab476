// Which of the optional features the owner has enabled for this member.
import { useQuery } from '@tanstack/react-query'
import { listMyFeatures, type FeatureName } from '#contract/features.ts'
import { call } from '../api/api.ts'

/** True until the server has responded: it rejects requests to disabled features. */
export function useFeature(name: FeatureName): boolean {
  const { data } = useQuery({
    queryKey: ['features'],
    queryFn: ({ signal }) => call(listMyFeatures, {}, { signal }),
    staleTime: 5 * 60_000,
  })
  return data === undefined || data.data.includes(name)
}
