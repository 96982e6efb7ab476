// The screens of the back office, in the order of its sidebar.
import {
  IconCategory2,
  IconChartLine,
  IconCreditCard,
  IconDisc,
  IconHistory,
  IconLayoutDashboard,
  IconMessages,
  IconMicrophone2,
  IconMusic,
  IconPlaylist,
  IconRelease,
  IconServer,
  IconSettings,
  IconSpeakerphone,
  IconUsers,
  IconVinyl,
  IconWebhook,
} from '#web/base/ui/icons/icons.ts'
import type { ReactNode } from 'react'

export interface AdminEntry {
  to: string
  label: string
  icon: ReactNode
}

export const adminEntries: readonly AdminEntry[] = [
  { to: '/admin', label: 'Overview', icon: <IconLayoutDashboard /> },
  { to: '/admin/library', label: 'Library', icon: <IconVinyl /> },
  { to: '/admin/insights', label: 'Insights', icon: <IconChartLine /> },
  { to: '/admin/categories', label: 'Categories', icon: <IconCategory2 /> },
  { to: '/admin/releases', label: 'Releases', icon: <IconRelease /> },
  { to: '/admin/playlists', label: 'Playlists', icon: <IconPlaylist /> },
  { to: '/admin/tracks', label: 'Tracks', icon: <IconMusic /> },
  { to: '/admin/artists', label: 'Artists', icon: <IconMicrophone2 /> },
  { to: '/admin/genres', label: 'Genres', icon: <IconDisc /> },
  { to: '/admin/users', label: 'Users', icon: <IconUsers /> },
  { to: '/admin/billing', label: 'Billing', icon: <IconCreditCard /> },
  { to: '/admin/support', label: 'Messages', icon: <IconMessages /> },
  { to: '/admin/spots', label: 'Spots', icon: <IconSpeakerphone /> },
  { to: '/admin/settings', label: 'Settings', icon: <IconSettings /> },
  { to: '/admin/webhooks', label: 'Webhooks', icon: <IconWebhook /> },
  { to: '/admin/audit', label: 'Audit Log', icon: <IconHistory /> },
  { to: '/admin/system', label: 'System', icon: <IconServer /> },
]
