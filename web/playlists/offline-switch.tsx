// Keeping a playlist on the device belongs to Premium.
import { useSession } from '../app/session.ts'
import { Switch } from '../ui/switch.tsx'

export function OfflineSwitch() {
  const { user } = useSession()
  return (
    <Switch
      label="Download for Offline"
      hint={user?.is_premium ? 'Not available on this device' : 'Premium only'}
      checked={false}
      readOnly
      disabled
    />
  )
}
