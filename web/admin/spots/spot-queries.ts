// Queries and mutations for spots. The list is polled while a spot's recording is being encoded.
import { useQuery } from '@tanstack/react-query'
import { listAdminCategories } from '#contract/admin/admin-categories.ts'
import {
  deleteSpot,
  listSpots,
  updateSpot,
  updateSpotRules,
  type AdminSpot,
  type SpotRules,
} from '#contract/admin/service/admin-spots.ts'
import { call } from '../../base/api/api.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

const pollMs = 2000

export function useSpots() {
  return useQuery({
    queryKey: ['admin', 'spots'],
    queryFn: ({ signal }) => call(listSpots, {}, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.data.some((spot) => spot.state === 'processing') ? pollMs : false,
  })
}

/** Returns the categories as options of a select. Empty until they are loaded. */
export function useSpotCategories(): { value: string; label: string }[] {
  const { data } = useQuery({
    queryKey: ['admin', 'categories'],
    queryFn: ({ signal }) => call(listAdminCategories, {}, { signal }),
  })
  return (data?.data ?? []).map(({ id, display_name }) => ({ value: id, label: display_name }))
}

export function useSwitchSpot() {
  return useAdminMutation<AdminSpot>({
    run: ({ id, is_on }) => call(updateSpot, { params: { id }, body: { is_on: !is_on } }),
    refresh: ['spots'],
    done: (_, { is_on }) => (is_on ? 'Spot turned off' : 'Spot turned on'),
    failed: 'Failed to update the spot',
  })
}

export function useDeleteSpot(onDone: () => void) {
  return useAdminMutation<AdminSpot>({
    run: ({ id }) => call(deleteSpot, { params: { id } }),
    refresh: ['spots'],
    done: 'Spot deleted',
    onDone,
    failed: 'Failed to delete the spot',
  })
}

export function useSaveRules(onDone: () => void) {
  return useAdminMutation<SpotRules, SpotRules>({
    run: (body) => call(updateSpotRules, { body }),
    refresh: ['spots'],
    done: 'Rules saved',
    onDone,
    failed: 'Failed to save the rules',
  })
}
