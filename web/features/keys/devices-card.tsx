// The card "Devices and apps": the keys of Subsonic-compatible apps.
import { useQuery } from '@tanstack/react-query'
import { IconPlus } from '#web/base/ui/icons/icons.ts'
import { useState } from 'react'
import type { DeviceKey } from '#contract/device-keys.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { Card } from '../../base/ui/display/card.tsx'
import { ConfirmDialog } from '../../base/ui/overlays/confirm-dialog.tsx'
import { describeUse } from './describe-use.ts'
import { KeyList } from './key-list.tsx'
import { deviceKeysQuery, useRevokeDeviceKey } from './key-queries.ts'
import { NewDeviceKeyDialog } from './new-device-key-dialog.tsx'

export function DevicesCard() {
  const keys = useQuery(deviceKeysQuery)
  const [isCreating, setCreating] = useState(false)
  const [revoked, setRevoked] = useState<DeviceKey>()
  const revoking = useRevokeDeviceKey(() => setRevoked(undefined))
  return (
    <Card
      title="Devices and apps"
      description="Listen in Symfonium, Feishin, Amperfy and other apps that support Subsonic."
      actions={
        <Button icon={<IconPlus />} onClick={() => setCreating(true)}>
          Connect an App
        </Button>
      }
    >
      <KeyList
        keys={keys}
        empty={{ title: 'No apps yet', message: 'Connect one to listen outside the browser.' }}
        failed="Your device keys could not be loaded"
        describe={describeUse}
        onRevoke={setRevoked}
      />
      {isCreating && <NewDeviceKeyDialog onClose={() => setCreating(false)} />}
      <ConfirmDialog
        open={revoked !== undefined}
        title={`Revoke ${revoked?.name ?? 'this key'}?`}
        message="The app is signed out and stops playing. Other apps are not affected."
        confirmLabel="Revoke Key"
        busy={revoking.isPending}
        onConfirm={() => revoked && revoking.mutate(revoked.id)}
        onCancel={() => setRevoked(undefined)}
      />
    </Card>
  )
}
