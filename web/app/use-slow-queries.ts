// Finds queries whose first response takes noticeably long.
import { hashKey, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

const timeoutMs = 8000

/** Returns the keys of queries on screen that have been loading for 8 seconds and have no data yet. */
export function useSlowQueries(): readonly QueryKey[] {
  const queryClient = useQueryClient()
  const [slow, setSlow] = useState<readonly QueryKey[]>([])
  useEffect(() => {
    const cache = queryClient.getQueryCache()
    const timers = new Map<string, ReturnType<typeof setTimeout>>()
    const update = () => {
      const waiting = cache
        .findAll({ type: 'active', fetchStatus: 'fetching' })
        .filter(({ state }) => state.data === undefined)
      const hashes = new Set(waiting.map(({ queryHash }) => queryHash))
      for (const { queryHash, queryKey } of waiting) {
        if (timers.has(queryHash)) continue
        const markSlow = () => setSlow((keys) => [...keys, queryKey])
        timers.set(queryHash, setTimeout(markSlow, timeoutMs))
      }
      for (const [hash, timer] of timers) {
        if (hashes.has(hash)) continue
        clearTimeout(timer)
        timers.delete(hash)
        setSlow((keys) => {
          const left = keys.filter((key) => hashKey(key) !== hash)
          return left.length === keys.length ? keys : left
        })
      }
    }
    update()
    const unsubscribe = cache.subscribe(update)
    return () => {
      unsubscribe()
      for (const timer of timers.values()) clearTimeout(timer)
    }
  }, [queryClient])
  return slow
}
