// Queries for the overview, used by the back office and the landing page.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  getAdminOverview,
  setSetupHidden,
  type OverviewSetup,
} from '#contract/admin/admin-overview.ts'
import { call } from '../../base/api/api.ts'
import { showFailure } from '../shared/admin-failure.ts'

/** The server aggregates once a minute. */
const pollMs = 60_000
/** Polls faster while setup steps are open, for example until an upload is processed. */
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
