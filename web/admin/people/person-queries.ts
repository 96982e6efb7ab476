// Queries for a person's page, one for each part of it.
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import {
  getPerson,
  listPersonAudit,
  listPersonNotes,
  listPersonPlays,
  listPersonSessions,
} from '#contract/admin/admin-people.ts'
import { call } from '../../base/api/api.ts'
import { sendBillingAction } from './billing-queries.ts'

// The key starts with 'users', so that every change of a user refetches these parts as well as the lists.
const personKey = (id: string, part: string) => ['admin', 'users', 'person', id, part]

export function usePerson(id: string) {
  return useQuery({
    queryKey: personKey(id, 'person'),
    queryFn: ({ signal }) => call(getPerson, { params: { id } }, { signal }),
  })
}

/** Number of plays on the first page. */
export const initialPlayCount = 8

/**
 * Returns true when every part of the page has loaded or failed. If the parts were shown earlier, each one would push
 * down the parts below when it loads.
 */
export function usePersonPartsSettled(id: string): boolean {
  const parts: Pick<UseQueryResult, 'isPending'>[] = [
    usePersonSubscription(id),
    usePersonPayments(id),
    usePersonPlays(id, initialPlayCount),
    usePersonAudit(id, 'about', 1),
    usePersonNotes(id),
    usePersonSessions(id),
  ]
  return parts.every(({ isPending }) => !isPending)
}

export function usePersonSubscription(id: string) {
  return useQuery({
    queryKey: ['admin', 'billing', 'person', id],
    queryFn: async () => {
      const { subscription } = await sendBillingAction({ action: 'get_subscription', user_id: id })
      if (!subscription) throw new Error('The response contains no subscription')
      return subscription
    },
  })
}

export function usePersonPayments(id: string) {
  return useQuery({
    queryKey: ['admin', 'billing', 'payments', id],
    queryFn: async () => {
      const result = await sendBillingAction({ action: 'list_payments', user_id: id })
      return result.payments ?? []
    },
  })
}

export function usePersonPlays(id: string, limit: number) {
  return useQuery({
    queryKey: [...personKey(id, 'plays'), limit],
    queryFn: ({ signal }) =>
      call(listPersonPlays, { params: { id }, query: { limit } }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function usePersonSessions(id: string) {
  return useQuery({
    queryKey: personKey(id, 'sessions'),
    queryFn: ({ signal }) => call(listPersonSessions, { params: { id } }, { signal }),
  })
}

export function usePersonNotes(id: string) {
  return useQuery({
    queryKey: personKey(id, 'notes'),
    queryFn: ({ signal }) => call(listPersonNotes, { params: { id } }, { signal }),
  })
}

export function usePersonAudit(id: string, side: 'about' | 'by', page: number) {
  return useQuery({
    queryKey: ['admin', 'audit', 'person', id, side, page],
    queryFn: ({ signal }) =>
      call(listPersonAudit, { params: { id }, query: { side, page } }, { signal }),
    placeholderData: keepPreviousData,
  })
}
