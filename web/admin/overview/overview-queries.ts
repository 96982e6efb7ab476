// Queries for the overview. The back office and the landing page use them.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  getAdminOverview,
  setSetupHidden,
  type OverviewSetup,
} from '#contract/admin/admin-overview.ts'
import { call } from '../../base/api/api.ts'
import { showFailure } from '../shared/admin-failure.ts'

/** The server aggregates the statistics once a minute. */
const pollMs = 60_000
/** Shorter while setup steps are open, to show soon that one is completed. */
const setupPollMs = 5_000

export function useOverview() {
  return useQuery({
    queryKey: ['admin', 'overview'],
    queryFn: ({ signal }) => call(getAdminOverview, {}, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data && !data.setup.is_hidden && countOpenSteps(data.setup) > 0 ? setupPollMs : pollMs,
    staleTime: 10_000,
  })
}

export function useHideSetup() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (is_hidden: boolean) => call(setSetupHidden, { body: { is_hidden } }),
    onError: (error) => showFailure(error, 'Failed to update the checklist'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['admin', 'overview'] }),
  })
}

export function countOpenSteps({ steps }: OverviewSetup): number {
  return steps.filter(({ is_done }) => !is_done).length
}
