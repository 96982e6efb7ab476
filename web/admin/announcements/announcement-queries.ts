// Queries and mutations for announcements. The list is polled while an announcement is being sent.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import {
  countAnnouncementRecipients,
  deleteAnnouncement,
  listAnnouncements,
  listSuspendedAddresses,
  previewAnnouncement,
  resumeAddress,
  sendAnnouncement,
  testAnnouncement,
  type Announcement,
  type AnnouncementAudience,
  type SuspendedAddress,
} from '#contract/announcements.ts'
import { call } from '../../base/api/api.ts'
import { showError } from '../../base/api/show-error.ts'
import { showToast } from '../../base/ui/overlays/toast-store.ts'
import { useAdminMutation } from '../shared/use-admin-mutation.ts'

const pollMs = 2000

export const audienceLabels: Record<AnnouncementAudience, string> = {
  all: 'All members',
  free: 'Free members',
  premium: 'Premium members',
}

export function useAnnouncements(page: number) {
  return useQuery({
    queryKey: ['admin', 'announcements', 'list', page],
    queryFn: ({ signal }) => call(listAnnouncements, { query: { page } }, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some((one) => one.state === 'sending') ? pollMs : false,
  })
}

export function useRecipientCount(audience: AnnouncementAudience) {
  return useQuery({
    queryKey: ['admin', 'announcements', 'recipients', audience],
    queryFn: ({ signal }) => call(countAnnouncementRecipients, { query: { audience } }, { signal }),
    // Always refetch the number of recipients: it changes as members opt in and out.
    staleTime: 0,
  })
}

export function useSuspendedAddresses(page: number) {
  return useQuery({
    queryKey: ['admin', 'announcements', 'suspended', page],
    queryFn: ({ signal }) => call(listSuspendedAddresses, { query: { page } }, { signal }),
    placeholderData: keepPreviousData,
  })
}

export interface AnnouncementText {
  subject: string
  body: string
  audience: AnnouncementAudience
}

export function usePreview() {
  return useMutation({
    mutationFn: (body: AnnouncementText) => call(previewAnnouncement, { body }),
    onError: (error) => showError(error),
  })
}

export function useTestMail() {
  return useMutation({
    mutationFn: ({ id }: Announcement) => call(testAnnouncement, { params: { id } }),
    onSuccess: () =>
      showToast({
        tone: 'success',
        title: 'Test sent',
        message: 'Only you receive it, at your own address.',
      }),
    onError: (error) => showError(error),
  })
}

export function useSendAnnouncement(onDone: () => void) {
  return useAdminMutation<Announcement>({
    run: ({ id }) => call(sendAnnouncement, { params: { id } }),
    refresh: ['announcements'],
    done: 'Announcement is being sent',
    onDone,
    failed: 'Failed to send the announcement',
  })
}

export function useDeleteAnnouncement(onDone: () => void) {
  return useAdminMutation<Announcement>({
    run: ({ id }) => call(deleteAnnouncement, { params: { id } }),
    refresh: ['announcements'],
    done: 'Draft deleted',
    onDone,
    failed: 'Failed to delete the draft',
  })
}

export function useResumeAddress() {
  return useAdminMutation<SuspendedAddress>({
    run: ({ user_id: id }) => call(resumeAddress, { params: { id } }),
    refresh: ['announcements', 'users'],
    done: 'Announcements to this address resumed',
    failed: 'Failed to resume the address',
  })
}
