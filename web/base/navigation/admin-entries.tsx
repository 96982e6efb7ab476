// The screens of the back office, in the order of its sidebar.
import {
  IconCategory2,
  IconChartLine,
  IconChecklist,
  IconCreditCard,
  IconDisc,
  IconHistory,
  IconLayoutDashboard,
  IconMessages,
  IconMailForward,
  IconMicrophone2,
  IconMusic,
  IconPlaylist,
  IconReceipt,
  IconRelease,
  IconServer,
  IconSettings,
  IconSpeakerphone,
  IconUsers,
  IconVinyl,
  IconWebhook,
} from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'
import type { StaffAccess } from '#contract/access.ts'
import { grantsAccess } from '#contract/access.ts'

export interface AdminEntry {
  to: string
  label: string
  icon: ReactNode
  access: StaffAccess
  /** True for screens that only creators see. */
  forCreatorsAlone?: true
}

const adminEntries: readonly AdminEntry[] = [
  { to: '/admin', label: 'Overview', icon: <IconLayoutDashboard />, access: 'admin' },
  { to: '/admin/library', label: 'Library', icon: <IconVinyl />, access: 'editor' },
  { to: '/admin/insights', label: 'Insights', icon: <IconChartLine />, access: 'admin' },
  { to: '/admin/categories', label: 'Categories', icon: <IconCategory2 />, access: 'editor' },
  { to: '/admin/releases', label: 'Releases', icon: <IconRelease />, access: 'creator' },
  { to: '/admin/playlists', label: 'Playlists', icon: <IconPlaylist />, access: 'editor' },
  { to: '/admin/tracks', label: 'Tracks', icon: <IconMusic />, access: 'creator' },
  { to: '/admin/artists', label: 'Artists', icon: <IconMicrophone2 />, access: 'editor' },
  { to: '/admin/genres', label: 'Genres', icon: <IconDisc />, access: 'editor' },
  { to: '/admin/reviews', label: 'Reviews', icon: <IconChecklist />, access: 'creator' },
  {
    to: '/admin/figures',
    label: 'Statistics',
    icon: <IconChartLine />,
    access: 'creator',
    forCreatorsAlone: true,
  },
  { to: '/admin/users', label: 'Users', icon: <IconUsers />, access: 'admin' },
  { to: '/admin/billing', label: 'Billing', icon: <IconCreditCard />, access: 'admin' },
  { to: '/admin/royalties', label: 'Royalties', icon: <IconReceipt />, access: 'admin' },
  {
    to: '/admin/announcements',
    label: 'Announcements',
    icon: <IconMailForward />,
    access: 'admin',
  },
  { to: '/admin/support', label: 'Messages', icon: <IconMessages />, access: 'admin' },
  { to: '/admin/spots', label: 'Spots', icon: <IconSpeakerphone />, access: 'admin' },
  { to: '/admin/settings', label: 'Settings', icon: <IconSettings />, access: 'admin' },
  { to: '/admin/webhooks', label: 'Webhooks', icon: <IconWebhook />, access: 'admin' },
  { to: '/admin/audit', label: 'Audit Log', icon: <IconHistory />, access: 'admin' },
  { to: '/admin/system', label: 'System', icon: <IconServer />, access: 'admin' },
]

/** Returns the back-office screens that this role may open. */
export function adminEntriesFor(role: string): readonly AdminEntry[] {
  return adminEntries.filter(
    ({ access, forCreatorsAlone }) =>
      grantsAccess(role, access) && (!forCreatorsAlone || role === 'creator'),
  )
}
