// Queries for the System screen. The state of the service is polled while the screen is open.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  getDiskSpace,
  getSystem,
  listBackups,
  type BackupStatus,
} from '#contract/admin/admin-system.ts'
import { call } from '../../base/api/api.ts'

const pollMs = 5000
const diskPollMs = 60_000

export function useSystem() {
  return useQuery({
    queryKey: ['admin', 'system'],
    queryFn: ({ signal }) => call(getSystem, {}, { signal }),
    refetchInterval: pollMs,
    staleTime: 0,
  })
}

/** Lists the stored backups. Refetched only after a backup has ended, because each request reads the backup storage. */
export function useStoredBackups({ last_run, last_good_at, target }: BackupStatus) {
  return useQuery({
    queryKey: ['admin', 'stored-backups', target, last_run?.finished_at, last_good_at],
    queryFn: ({ signal }) => call(listBackups, {}, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function useDiskSpace() {
  return useQuery({
    queryKey: ['admin', 'disk'],
    queryFn: ({ signal }) => call(getDiskSpace, {}, { signal }),
    refetchInterval: diskPollMs,
  })
}
