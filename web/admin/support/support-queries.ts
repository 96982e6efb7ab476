// Queries and mutations for messages from members.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  answerSupportThread,
  changeSupportThread,
  getSupportThread,
  listSupportInbox,
  type AdminThread,
} from '#contract/admin/service/admin-support.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { call } from '../../base/api/api.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

export type InboxQuery = NonNullable<CallInput<typeof listSupportInbox>['query']>

export function useInbox(query: InboxQuery) {
  return useQuery({
    queryKey: ['admin', 'support', 'inbox', query],
    queryFn: ({ signal }) => call(listSupportInbox, { query }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export function useThread(id: string) {
  return useQuery({
    queryKey: ['admin', 'support', 'thread', id],
    queryFn: ({ signal }) => call(getSupportThread, { params: { id } }, { signal }),
  })
}

export interface ReplyBody {
  text: string
  closes: boolean
}

export function useReply(id: string, onDone: () => void) {
  return useAdminMutation<ReplyBody, AdminThread>({
    run: (body) => call(answerSupportThread, { params: { id }, body }),
    refresh: ['support'],
    done: 'Reply sent',
    onDone,
    failed: 'Failed to send the reply',
  })
}

export function useChangeThread(id: string) {
  return useAdminMutation<'open' | 'closed', AdminThread>({
    run: (state) => call(changeSupportThread, { params: { id }, body: { state } }),
    refresh: ['support'],
    done: (_, state) => (state === 'closed' ? 'Message closed' : 'Message reopened'),
    failed: 'Failed to update the message',
  })
}
