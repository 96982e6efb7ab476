// Which features are open to the member, of those that the owner can switch.
import { useQuery } from '@tanstack/react-query'
import { listMyFeatures, type FeatureName } from '#contract/features.ts'
import { call } from '../api/api.ts'

/** True until the server has responded: it refuses what is closed. */
export function useFeature(name: FeatureName): boolean {
  const { data } = useQuery({
    queryKey: ['features'],
    queryFn: ({ signal }) => call(listMyFeatures, {}, { signal }),
    staleTime: 5 * 60_000,
  })
  return data === undefined || data.data.includes(name)
}
